internal import PopRuleFiles
public import PopSource

/// A rollout, a holdout, a share or a control of less than one percent, which may be meant as a
/// part of one.
///
/// Bad:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { percent: 0.2, by: user.id } } }
/// ```
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// holdout: { percent: 0.05, by: user.id }
/// popups: { welcome: {} }
/// ```
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { experiment: { by: user.id, share: 0.5, variants: { a: {}, b: {} } } } }
/// ```
/// Good:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { percent: 20, by: user.id } } }
/// ```
public enum FractionOfPercent: Lint {
    public static let check = Check.hygieneFractionOfPercent

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let model = subject.model
        let popups = model.popups.entries.flatMap { popup in
            let experiment = popup.limits.experiment?.value.division
            return [popup.limits.rollout?.value.percent, experiment?.share, experiment?.control]
                .map { ($0, "popup `\(popup.name.value)`") }
        }
        let experiments = model.experiments.entries.flatMap { experiment in
            [experiment.division.share, experiment.division.control]
                .map { ($0, "experiment `\(experiment.name.value)`") }
        }
        let all = [(model.holdout?.value.percent, "`holdout`")] + experiments + popups
        // What defaults say stands at one place for many popups.
        var seen: Set<SourceRange> = []
        return all.compactMap { percent, subject in
            guard let percent, percent.value > 0, percent.value < 1,
                seen.insert(percent.range).inserted
            else { return nil }
            return .fraction(percent, of: subject)
        }
    }
}

extension Diagnostic {
    fileprivate static func fraction(_ percent: Located<Double>, of subject: String) -> Self {
        let hundredfold = (percent.value * 100_000_000).rounded() / 1_000_000
        let meant =
            hundredfold == hundredfold.rounded() ? "\(Int(hundredfold))" : "\(hundredfold)"
        var diagnostic = Diagnostic(
            .hygieneFractionOfPercent,
            message: "\(percent.value) percent is \(part(percent.value))",
            at: percent.range, label: "less than one in a hundred", subject: subject,
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
