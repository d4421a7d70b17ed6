internal import PopRuleFiles
public import PopSource

/// `when: false`, which was left over from switching the popup off, or a goal or a trigger
/// that no event reaches.
///
/// Bad:
///
/// ```yaml
/// popups: { welcome: { when: false } }
/// ```
///
/// ```yaml
/// popups: { welcome: { when: "false" } }
/// ```
///
/// ```yaml
/// popups: { welcome: { when: [false] } }
/// ```
///
/// ```yaml
/// events: { order.paid: {} }
/// popups: { offer: { goals: [{ name: buy, event: order.paid, where: false, within: 1d }] } }
/// ```
///
/// ```yaml
/// events: { order.paid: {} }
/// popups: { offer: { trigger: { event: order.paid, where: false } } }
/// ```
///
/// ```yaml
/// events: { order.paid: {} }
/// popups: { offer: { trigger: { event: order.paid, where: "false" } } }
/// ```
///
/// Good:
///
/// ```yaml
/// popups: { welcome: { enabled: false } }
/// ```
public enum WhenFalse: Lint {
    public static let check = Check.hygieneWhenFalse

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.flatMap { popup -> [Diagnostic] in
            let goals = (popup.limits.goals?.value ?? []).compactMap(\.value.where)
            let triggers = (popup.trigger?.value ?? []).compactMap(\.value.where)
            let unreached = (triggers.map { ($0, "trigger") } + goals.map { ($0, "goal") })
                .filter { $0.0.value.constant == false }
                .map { Diagnostic.neverReached($0.0.range, by: $0.1, of: popup.name.value) }
            guard let when = popup.when, when.value.constant == false else { return unreached }
            return [.leftOver(when.range, of: popup.name.value)] + unreached
        }
    }
}

extension TriggerModel {
    fileprivate var `where`: Located<ConditionModel>? {
        if case .event(let trigger) = self { trigger.where } else { nil }
    }
}

extension Diagnostic {
    fileprivate static func neverReached(
        _ range: SourceRange, by what: String, of popup: String
    ) -> Self {
        Diagnostic(
            .hygieneWhenFalse,
            message: "no event matches the \(what), because its `where` is `false`",
            at: range, label: "no event matches", subject: "popup `\(popup)`",
            help: ["remove the \(what), or write which events count"])
    }

    fileprivate static func leftOver(_ range: SourceRange, of popup: String) -> Self {
        Diagnostic(
            .hygieneWhenFalse, message: "the popup never shows, because its `when` is `false`",
            at: range,
            label: "never true", subject: "popup `\(popup)`",
            help: ["to switch off the popup, write `enabled: false` and keep its condition"])
    }
}
