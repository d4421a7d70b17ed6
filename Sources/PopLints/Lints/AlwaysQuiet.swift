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
            message: "what `quiet` is about never shows, because its hours are the whole day",
            at: range, label: "all of every day", subject: "`quiet`",
            help: [
                "write the part of the day in which nothing is to show, such as `22:00-08:00`",
                "to switch a popup off for a time write `enabled: false`",
            ])
    }

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
