internal import PopRuleFiles
public import PopSource

/// `when: false`, which was left over from switching the popup off, or a goal that no event
/// reaches.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { when: false } }
/// ```
/// ```yaml
/// events: { order.paid: {} }
/// popups: { offer: { goals: [{ name: buy, event: order.paid, where: false, within: 1d }] } }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { enabled: false } }
/// ```
public enum WhenFalse: Lint {
    public static let check = Check.hygieneWhenFalse

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.flatMap { popup -> [Diagnostic] in
            let goals = (popup.limits.goals?.value ?? []).compactMap(\.value.where)
                .filter { $0.value.constant == false }
                .map { Diagnostic.neverReached($0.range, of: popup.name.value) }
            guard let when = popup.when, when.value.constant == false else { return goals }
            return [.leftOver(when.range, of: popup.name.value)] + goals
        }
    }
}

extension Diagnostic {
    fileprivate static func neverReached(_ range: SourceRange, of popup: String) -> Self {
        Diagnostic(
            .hygieneWhenFalse, message: "the goal is never reached, because its `where` is `false`",
            at: range, label: "no event passes", subject: "popup `\(popup)`",
            help: ["remove the goal, or say which events count"])
    }

    fileprivate static func leftOver(_ range: SourceRange, of popup: String) -> Self {
        Diagnostic(
            .hygieneWhenFalse, message: "the popup never shows, because its `when` is `false`",
            at: range,
            label: "never true", subject: "popup `\(popup)`",
            help: ["to switch the popup off write `enabled: false`, and keep its condition"])
    }
}
