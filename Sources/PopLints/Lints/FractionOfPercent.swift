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
        var diagnostic = Diagnostic(
            .hygieneFractionOfPercent,
            message: "\(percent.value) percent is \(part(percent.value))",
            at: percent.range, label: "less than one in a hundred", subject: "popup `\(popup)`",
            help: [
                "when so few are meant, a comment such as `# poprules:ignore[P0806] a first look` says so"
            ])
        // Of much less no part of a hundred can have been meant.
        guard hundredfold >= 0.01 else { return diagnostic }
        diagnostic.help.insert("for \(meant) of a hundred users write `\(meant)`", at: 0)
        diagnostic.fixes = [
            Fix(
                "write `\(meant)`", edits: [.init(percent.range, replacement: meant)],
                isSafe: false)
        ]
        return diagnostic
    }

    /// How many users a part of a hundred is.
    private static func part(_ percent: Double) -> String {
        let users = (100 / percent).rounded()
        guard users <= 1_000_000_000 else { return "less than one user in 1000000000" }
        return "\(users * percent == 100 ? "" : "about ")one user in \(Int(users))"
    }
}
