internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// `hours` or `days` without a time zone, a shared cap by the calendar, or the days of a rollout's
/// steps: they follow UTC, not the clocks of the users.
///
/// Bad:
///
/// ```yaml
/// popups: { welcome: { schedule: { hours: 09:00-21:00 } } }
/// ```
///
/// ```yaml
/// limits: [{ max: 3, per: calendar_day }]
/// popups: { welcome: {} }
/// ```
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { by: user.id, steps: { 2027-05-03: 5, 2027-05-10: 100 } } } }
/// ```
///
/// Good:
///
/// ```yaml
/// popups: { welcome: { schedule: { hours: 09:00-21:00, zone: Europe/Berlin } } }
/// ```
///
/// ```yaml
/// popups: { welcome: { schedule: { days: [mon-sun], hours: 00:00-24:00 } } }
/// ```
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   welcome: { rollout: { by: user.id, steps: { 2027-05-03: 5 }, zone: Europe/Berlin } }
///   tip: { rollout: { by: user.id, steps: { 2027-05-03T09:00:00Z: 5 } } }
/// ```
///
/// ```yaml
/// limits: [{ max: 3, per: calendar_day, zone: local }, { max: 5, per: 7d }]
/// popups: { welcome: {} }
/// ```
public enum NoZone: Lint {
    public static let check = Check.timeNoZone

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        sharedCaps(of: subject.model) + rollouts(of: subject.model)
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

extension Schedule.Bound {
    /// True if it is the beginning of a day, which depends on the zone.
    fileprivate var isDay: Bool {
        switch self {
        case .day: true
        case .moment, .reading: false
        }
    }
}

extension Schedule.Hours {
    /// True if they are the same in all zones.
    fileprivate var areWholeDay: Bool { from == 0 && until == 24 * 60 }
}

/// Returns true if days are the same in all zones.
private func areWholeWeek(_ days: [Located<Set<Schedule.Weekday>>]) -> Bool {
    days.reduce(into: []) { $0.formUnion($1.value) } == Set(Schedule.Weekday.allCases)
}

extension NoZone {
    /// The steps of a rollout that begin with a day; those of `defaults` once for all popups.
    private static func rollouts(of model: RuleModel) -> [Diagnostic] {
        var seen: Set<SourceRange> = []
        return model.popups.entries.compactMap { popup in
            guard let rollout = popup.limits.rollout?.value, rollout.zone == nil,
                let step = rollout.steps?.value.first(where: { $0.begins.value.isDay }),
                seen.insert(step.begins.range).inserted
            else { return nil }
            return .withoutZone("steps", at: step.begins.range, of: popup.name.value)
        }
    }

    /// Returns findings about the calendar caps that popups share: no schedule sets their zone.
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
            .timeNoZone, message: "`\(unit.rawValue)` has no time zone", at: range,
            label: "uses the \(unit.noun) of UTC",
            help: [
                "add the time zone, such as `zone: local` for the time zone of the device,"
                    + " or `zone: UTC`"
            ])
    }

    fileprivate static func withoutZone(
        _ key: String, at range: SourceRange, of popup: String
    ) -> Self {
        Diagnostic(
            .timeNoZone, message: "`\(key)` have no time zone", at: range,
            label: "uses UTC", subject: "popup `\(popup)`",
            help: [
                "add the time zone, such as `zone: Europe/Berlin`, or"
                    + " `zone: UTC`"
            ])
    }
}
