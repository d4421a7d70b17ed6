internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A popup that may show in quiet hours alone, in which it is not shown.
///
/// Bad:
/// ```yaml
/// quiet: { hours: 22:00-08:00, zone: Europe/Berlin }
/// popups: { late: { schedule: { hours: 23:00-01:00, zone: Europe/Berlin } } }
/// ```
/// Good:
/// ```yaml
/// quiet: { hours: 22:00-08:00, zone: Europe/Berlin }
/// popups: { late: { schedule: { hours: 21:00-01:00, zone: Europe/Berlin } } }
/// ```
/// ```yaml
/// quiet: { hours: 22:00-08:00, zone: Europe/Berlin }
/// popups: { late: { schedule: { hours: 23:00-01:00, zone: UTC } } }
/// ```
/// ```yaml
/// quiet: { hours: 22:00-08:00, zone: Europe/Berlin }
/// popups: { late: { essential: true, schedule: { hours: 23:00-01:00, zone: Europe/Berlin } } }
/// ```
public enum AlwaysQuiet: Lint {
    public static let check = Check.scheduleAlwaysQuiet

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        guard let quiet = subject.rules.quiet, let place = subject.model.quiet?.value.hours?.range
        else { return [] }
        return zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            let schedule = popup.timing.schedule
            guard !popup.isEssential, !schedule.isEmpty,
                quiet.popups.includes(popup.scheduler, tags: popup.texts.tags),
                schedule.allSatisfy({ quiet.covers($0) }),
                let hours = model.timing.schedule?.value.first?.value.hours?.range
            else { return nil }
            return .quiet(at: hours, quiet: place, of: model.name.value)
        }
    }
}

extension QuietRule {
    fileprivate func covers(_ schedule: Schedule) -> Bool {
        schedule.zone == zone && schedule.hours.map { hours.cover($0, everyDay: true) } ?? false
    }
}

extension Diagnostic {
    fileprivate static func quiet(
        at range: SourceRange, quiet: SourceRange, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleAlwaysQuiet,
            message: "the popup never shows, because its schedule is open in quiet hours alone",
            at: range, label: "all of this is quiet", subject: "popup `\(popup)`",
            secondary: [Label("the quiet hours", at: quiet)],
            help: [
                "change its `hours`, or say in `quiet` which `schedulers` or `tags` it is about",
                "what has to show at any hour is `essential: true`",
            ])
    }
}
