internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A popup that may only show in quiet hours, in which it is not shown, or quiet hours that are the
/// whole day.
///
/// Bad:
/// ```yaml
/// quiet: { hours: 22:00-08:00, zone: Europe/Berlin }
/// popups: { late: { schedule: { hours: 23:00-01:00, zone: Europe/Berlin } } }
/// ```
/// ```yaml
/// quiet: { hours: 00:00-24:00, zone: Europe/Berlin }
/// popups: { late: {} }
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
        if quiet.hours.from == 0, quiet.hours.until == 1440 {
            let isQuiet = subject.rules.popups.contains { quiet.isAbout($0) }
            return isQuiet ? [.wholeDay(at: place)] : []
        }
        return zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            let schedule = popup.timing.schedule
            guard !schedule.isEmpty, quiet.isAbout(popup),
                schedule.allSatisfy({ quiet.covers($0) }),
                let hours = model.timing.schedule?.value.first?.value.hours?.range
            else { return nil }
            return .quiet(at: hours, quiet: place, of: model.name.value)
        }
    }
}

extension QuietRule {
    fileprivate func isAbout(_ popup: PopupRule) -> Bool {
        !popup.isEssential && popups.includes(popup.scheduler, tags: popup.texts.tags)
    }

    fileprivate func covers(_ schedule: Schedule) -> Bool {
        schedule.zone == zone && schedule.hours.map { hours.cover($0, everyDay: true) } ?? false
    }
}

extension Diagnostic {
    fileprivate static func wholeDay(at range: SourceRange) -> Self {
        Diagnostic(
            .scheduleAlwaysQuiet,
            message:
                "popups that `quiet` applies to never show, because its hours are the whole day",
            at: range, label: "the whole of every day", subject: "`quiet`",
            help: [
                "write only the hours in which no popup may show, such as `22:00-08:00`",
                "to switch off a popup temporarily, write `enabled: false`",
            ])
    }

    fileprivate static func quiet(
        at range: SourceRange, quiet: SourceRange, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleAlwaysQuiet,
            message: "the popup never shows, because its schedule is open only in quiet hours",
            at: range, label: "all of this is in quiet hours", subject: "popup `\(popup)`",
            secondary: [Label("the quiet hours", at: quiet)],
            help: [
                "change its `hours`, or restrict `quiet` to some `schedulers` or `tags`",
                "if the popup has to show at any hour, set `essential: true`",
            ])
    }
}
