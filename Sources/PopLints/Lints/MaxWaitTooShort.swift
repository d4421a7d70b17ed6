internal import PopRuleFiles
public import PopSource

/// `max_wait` shorter than the `delay` and `grace` that count toward it: the popup never shows.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { delay: 30s, max_wait: 10s } }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { delay: 10s, max_wait: 30s } }
/// ```
public enum MaxWaitTooShort: Lint {
    public static let check = Check.scheduleMaxWaitTooShort

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.compactMap { popup in
            let delay = popup.timing.delay.map { Located($0.value.lowerBound, at: $0.range) }
            let times = [("delay", delay), ("grace", popup.timing.grace)]
                .compactMap { name, time in time.map { (name: name, time: $0) } }
            guard let most = popup.timing.maxWait,
                times.reduce(.zero, { $0 + $1.time.value }) > most.value
            else { return nil }
            return .neverShown(
                most.range, times: times.map { ($0.name, $0.time.range) }, of: popup.name.value)
        }
    }
}

extension Diagnostic {
    fileprivate static func neverShown(
        _ most: SourceRange, times: [(name: String, range: SourceRange)], of popup: String
    ) -> Self {
        let names = times.map { "`\($0.name)`" }.joined(separator: " and ")
        let verb = times.count == 1 ? "is" : "are"
        return Diagnostic(
            .scheduleMaxWaitTooShort,
            message: "`max_wait` ends before \(names) \(verb) over, so the popup never shows",
            at: most, label: "dropped after this time", subject: "popup `\(popup)`",
            secondary: times.map { Label("not shown before this is over", at: $0.range) },
            help: ["make `max_wait` longer than \(names), or remove one of them"])
    }
}
