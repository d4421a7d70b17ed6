internal import PopExplanations
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// Quiet hours that are the day: the author perhaps wrote the hours in which popups may show.
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
            hours.cover(afternoon, everyDay: true)
        else { return [] }
        let day = 2 * halfDay
        let length = (hours.until - hours.from + day) % day
        guard length > halfDay else { return [] }
        let others = Schedule.Hours(
            from: hours.until % day, until: hours.from == 0 ? day : hours.from)
        return [.quietByDay(hours, others: others, at: place)]
    }

    /// In minutes.
    private static let halfDay = 12 * 60
    private static let afternoon = Schedule.Hours(from: halfDay, until: 18 * 60)
}

extension Diagnostic {
    fileprivate static func quietByDay(
        _ hours: Schedule.Hours, others: Schedule.Hours, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .scheduleQuietByDay,
            message: "should no popup show for most of the day, in the hours `\(hours.words)`?",
            at: range,
            label: "quiet for more than half of the day", subject: "`quiet`",
            notes: ["`hours` of `quiet` are the hours in which no popup shows"],
            help: ["if popups should show in these hours, write `\(others.words)`"],
            fixes: [
                Fix(
                    "write `\(others.words)`",
                    edits: [Edit(range, replacement: others.words)], isSafe: false)
            ])
    }
}
