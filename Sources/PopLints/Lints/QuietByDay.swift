internal import PopExplanations
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// Quiet hours that are the day, which are perhaps meant as the hours in which popups may show.
///
/// Bad:
/// ```yaml
/// quiet: { hours: 08:00-21:00, zone: Europe/Berlin }
/// popups: { tip: {} }
/// ```
/// Good:
/// ```yaml
/// quiet: { hours: 21:00-08:00, zone: Europe/Berlin }
/// popups: { tip: {} }
/// ```
/// ```yaml
/// quiet: { hours: 12:00-14:00, zone: Europe/Berlin }
/// popups: { tip: {} }
/// ```
public enum QuietByDay: Lint {
    public static let check = Check.scheduleQuietByDay

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        guard let hours = subject.rules.quiet?.hours,
            let place = subject.model.quiet?.value.hours?.range,
            hours.from < hours.until, hours.until < 24 * 60 || hours.from > 0,
            hours.cover(Self.afternoon, everyDay: true), hours.until - hours.from > 12 * 60
        else { return [] }
        let others = Schedule.Hours(from: hours.until % (24 * 60), until: hours.from)
        return [.quietByDay(hours, others: others, at: place)]
    }

    private static let afternoon = Schedule.Hours(from: 12 * 60, until: 18 * 60)
}

extension Diagnostic {
    fileprivate static func quietByDay(
        _ hours: Schedule.Hours, others: Schedule.Hours, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .scheduleQuietByDay,
            message: "is nothing to show by day, in the hours `\(hours.words)`?", at: range,
            label: "popups show at night alone", subject: "`quiet`",
            notes: ["`hours` of `quiet` are those in which no popup comes"],
            help: ["if popups are to show in these hours, write `\(others.words)`"],
            fixes: [
                Fix(
                    "write `\(others.words)`",
                    edits: [Edit(range, replacement: others.words)], isSafe: false)
            ])
    }
}
