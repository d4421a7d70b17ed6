internal import PopRuleFiles
public import PopSource

/// A rollout of less than one percent, which may be meant as a part of one.
///
/// Bad:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { percent: 0.2, by: user.id } } }
/// ```
/// Good:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { percent: 20, by: user.id } } }
/// ```
public enum FractionOfPercent: Lint {
    public static let check = Check.hygieneFractionOfPercent

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.compactMap { popup in
            guard let percent = popup.limits.rollout?.value.percent, percent.value > 0,
                percent.value < 1
            else { return nil }
            return .fraction(percent, of: popup.name.value)
        }
    }
}

extension Diagnostic {
    fileprivate static func fraction(_ percent: Located<Double>, of popup: String) -> Self {
        let hundredfold = (percent.value * 100_000_000).rounded() / 1_000_000
        let meant =
            hundredfold == hundredfold.rounded() ? "\(Int(hundredfold))" : "\(hundredfold)"
        let users = Int((100 / percent.value).rounded())
        return Diagnostic(
            .hygieneFractionOfPercent, message: "\(percent.value) percent is one user in \(users)",
            at: percent.range, label: "less than one in a hundred", subject: "popup `\(popup)`",
            help: [
                "for \(meant) of a hundred users write `\(meant)`",
                "when so few are meant, a comment such as `# poprules:ignore[P0806] a first look` says so",
            ],
            fixes: [
                Fix(
                    "write `\(meant)`", edits: [.init(percent.range, replacement: meant)],
                    isSafe: false)
            ])
    }
}
