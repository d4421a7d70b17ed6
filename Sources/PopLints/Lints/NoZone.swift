internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// `hours` or `days` without a time zone, or a shared cap by the calendar: they follow UTC, not the
/// clocks of the users.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { schedule: { hours: 09:00-21:00 } } }
/// ```
/// ```yaml
/// limits: [{ max: 3, per: calendar_day }]
/// popups: { welcome: {} }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { schedule: { hours: 09:00-21:00, zone: Europe/Berlin } } }
/// ```
/// ```yaml
/// popups: { welcome: { schedule: { days: [mon-sun], hours: 00:00-24:00 } } }
/// ```
/// ```yaml
/// limits: [{ max: 3, per: calendar_day, zone: local }, { max: 5, per: 7d }]
/// popups: { welcome: {} }
/// ```
public enum NoZone: Lint {
    public static let check = Check.timeNoZone

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        sharedCaps(of: subject.model)
            + subject.model.popups.entries.flatMap { popup in
                (popup.timing.schedule?.value ?? []).compactMap { entry -> Diagnostic? in
                    let schedule = entry.value
                    if schedule.zone != nil { return nil }
                    if let hours = schedule.hours, !hours.value.areWholeDay {
                        return .withoutZone("hours", at: hours.range, of: popup.name.value)
                    }
                    guard let days = schedule.days, !areWholeWeek(days.value) else { return nil }
                    return .withoutZone("days", at: days.range, of: popup.name.value)
                }
            }
    }
}

extension Schedule.Hours {
    /// Whether they are the same by all clocks.
    fileprivate var areWholeDay: Bool { from == 0 && until == 24 * 60 }
}

/// Whether days are the same by all clocks.
private func areWholeWeek(_ days: [Located<Set<Schedule.Weekday>>]) -> Bool {
    days.reduce(into: []) { $0.formUnion($1.value) } == Set(Schedule.Weekday.allCases)
}

extension NoZone {
    /// Of caps that popups share no schedule says whose calendar is meant.
    private static func sharedCaps(of model: RuleModel) -> [Diagnostic] {
        let caps =
            model.groups.entries.flatMap { ($0.caps?.value ?? []).map(\.value) }
            + model.schedulers.entries.compactMap { $0.cap?.value }
            + model.limits.map(\.value.window)
        return caps.compactMap { cap in
            guard cap.zone == nil, let per = cap.per, case .calendar(let unit) = per.value else {
                return nil
            }
            return .withoutZone(unit, at: per.range)
        }
    }
}

extension Diagnostic {
    fileprivate static func withoutZone(_ unit: CalendarUnit, at range: SourceRange) -> Self {
        Diagnostic(
            .timeNoZone, message: "`\(unit.rawValue)` is given without a time zone", at: range,
            label: "the \(unit.noun) of UTC",
            help: [
                "write the zone that is meant beside it, such as `zone: local` for that of the device,"
                    + " or `zone: UTC`"
            ])
    }

    fileprivate static func withoutZone(
        _ key: String, at range: SourceRange, of popup: String
    ) -> Self {
        Diagnostic(
            .timeNoZone, message: "`\(key)` are given without a time zone", at: range,
            label: "by the clocks of UTC", subject: "popup `\(popup)`",
            help: [
                "write the zone that is meant beside them, such as `zone: Europe/Berlin`, or"
                    + " `zone: UTC`"
            ])
    }
}
