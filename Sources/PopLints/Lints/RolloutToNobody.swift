internal import PopRuleFiles
public import PopSource

/// A rollout of 0 percent, with which nobody ever sees the popup.
///
/// Bad:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { percent: 0, by: user.id } } }
/// ```
/// Good:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { percent: 5, by: user.id } } }
/// ```
public enum RolloutToNobody: Lint {
    public static let check = Check.hygieneRolloutToNobody

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.compactMap { popup in
            guard let percent = popup.limits.rollout?.value.percent, percent.value == 0 else {
                return nil
            }
            return .nobody(percent.range, of: popup.name.value)
        }
    }
}

extension Diagnostic {
    fileprivate static func nobody(_ range: SourceRange, of popup: String) -> Self {
        Diagnostic(
            .hygieneRolloutToNobody,
            message: "nobody sees the popup, because its rollout is 0 percent",
            at: range, label: "no user is drawn", subject: "popup `\(popup)`",
            help: [
                "raise `percent`; to switch the popup off for a time write `enabled: false`"
            ])
    }
}
