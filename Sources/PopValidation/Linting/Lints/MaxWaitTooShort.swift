internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// `max_wait` shorter than the `delay` and `grace` that count toward it, or than the time since the
/// popup's event that its condition requires: the popup never shows.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { delay: 30s, max_wait: 10s } }
/// ```
/// ```yaml
/// events: { order.paid: {} }
/// popups:
///   rate:
///     trigger: { event: order.paid }
///     when: since("order.paid") > duration("3d")
///     max_wait: 1h
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { delay: 10s, max_wait: 30s } }
/// ```
public enum MaxWaitTooShort: Lint {
    public static let check = Check.scheduleMaxWaitTooShort

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        pauses(in: subject) + ages(in: subject)
    }

    /// Reports conditions that require more time since the popup's only event than `max_wait`.
    private static func ages(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            guard let most = model.timing.maxWait,
                case .event(let event)? = model.trigger?.value.first?.value,
                model.trigger?.value.count == 1,
                let tree = popup.when?.program.expression.tree,
                let part = tree.conjuncts.first(where: {
                    tree.leastTime(since: event.event.value, in: $0).map { $0 >= most.value }
                        ?? false
                })
            else { return nil }
            return .tooLate(
                most, part: tree.range(part), event: event.event.value, of: model.name.value)
        }
    }

    private static func pauses(in subject: LintSubject) -> [Diagnostic] {
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

extension SyntaxTree {
    /// Returns the time that a comparison such as `since("order.paid") > duration("3d")` requires
    /// since an event; nil for other conditions.
    fileprivate func leastTime(since event: String, in node: NodeID) -> Duration? {
        guard let sign = operation(node) else { return nil }
        let sides = children(of: node)
        for (call, time, sign) in [(0, 1, sign), (1, 0, sign.mirrored)]
        where sides.count == 2 && [.greater, .greaterOrEqual].contains(sign) {
            guard kind(of: sides[call]) == .call, name(sides[call]) == "since",
                case .string(event)? = children(of: sides[call]).first.flatMap(literal),
                kind(of: sides[time]) == .call, name(sides[time]) == "duration",
                case .string(let text)? = children(of: sides[time]).first.flatMap(literal),
                let length = DurationText.parse(text, knowsDays: true)
            else { continue }
            return length
        }
        return nil
    }
}

extension Diagnostic {
    fileprivate static func tooLate(
        _ most: Located<Duration>, part: SourceRange, event: String, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleMaxWaitTooShort,
            message:
                "`max_wait` ends before the condition can be true, so `\(event)` never shows the"
                + " popup",
            at: most.range, label: "the popup is dropped this long after `\(event)`",
            subject: "popup `\(popup)`",
            secondary: [Label("not true earlier after `\(event)`", at: part)],
            help: [
                "remove `max_wait`, or make it longer than the time that the condition requires",
                "to show the popup in a later session, use the trigger `session` with this"
                    + " condition, and without `max_wait`",
            ])
    }

    fileprivate static func neverShown(
        _ most: SourceRange, times: [(name: String, range: SourceRange)], of popup: String
    ) -> Self {
        let names = times.map { "`\($0.name)`" }.joined(separator: " and ")
        let verb = times.count == 1 ? "is" : "are"
        return Diagnostic(
            .scheduleMaxWaitTooShort,
            message: "`max_wait` ends before \(names) \(verb) over, so the popup never shows",
            at: most, label: "the popup is dropped after this time", subject: "popup `\(popup)`",
            secondary: times.map {
                Label("the popup does not show before this time is over", at: $0.range)
            },
            help: ["make `max_wait` longer than \(names), or remove `max_wait`"])
    }
}
