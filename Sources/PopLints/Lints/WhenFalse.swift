internal import PopRuleFiles
public import PopSource

/// `when: false`, which was left over from switching the popup off.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { when: false } }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { enabled: false } }
/// ```
public enum WhenFalse: Lint {
    public static let check = Check.hygieneWhenFalse

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.compactMap { popup in
            guard let when = popup.when, when.value.constant == false else { return nil }
            return .leftOver(when.range, of: popup.name.value)
        }
    }
}

extension Diagnostic {
    fileprivate static func leftOver(_ range: SourceRange, of popup: String) -> Self {
        Diagnostic(
            .hygieneWhenFalse, message: "the popup never shows, because its `when` is `false`",
            at: range,
            label: "never true", subject: "popup `\(popup)`",
            help: ["to switch the popup off write `enabled: false`, and keep its condition"])
    }
}
