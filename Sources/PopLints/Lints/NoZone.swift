internal import PopRuleFiles
public import PopSource

/// `hours` or `days` without a time zone: they follow UTC, not the clocks of the users.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { schedule: { hours: 09:00-21:00 } } }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { schedule: { hours: 09:00-21:00, zone: Europe/Berlin } } }
/// ```
public enum NoZone: Lint {
    public static let check = Check.timeNoZone

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.flatMap { popup in
            (popup.timing.schedule?.value ?? []).compactMap { entry -> Diagnostic? in
                let schedule = entry.value
                if schedule.zone != nil { return nil }
                if let hours = schedule.hours {
                    return .withoutZone("hours", at: hours.range, of: popup.name.value)
                }
                return schedule.days.map {
                    .withoutZone("days", at: $0.range, of: popup.name.value)
                }
            }
        }
    }
}

extension Diagnostic {
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
