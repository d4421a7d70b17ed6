internal import PopRuleFiles
public import PopSource

/// A rollout, a part of one, a holdout, a share or a control of less than one percent, which may be
/// meant as a part of one.
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
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { range: [0.5, 1], by: user.id } } }
/// ```
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { steps: { 2027-05-03: 0.05, 2027-05-10: 100 }, by: user.id } } }
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
            let rollout = popup.limits.rollout?.value
            let steps = rollout?.steps?.value.map { Optional($0.percent) } ?? []
            return ([rollout?.percent, experiment?.share, experiment?.control] + steps)
                .map { ($0, "popup `\(popup.name.value)`") }
        }
        let experiments = model.experiments.entries.flatMap { experiment in
            [experiment.division.share, experiment.division.control]
                .map { ($0, "experiment `\(experiment.name.value)`") }
        }
        let all = [(model.holdout?.value.percent, "`holdout`")] + experiments + popups
        // A value of `defaults` has one place for many popups.
        var seen: Set<SourceRange> = []
        let fractions = all.compactMap { percent, subject -> Diagnostic? in
            guard let percent, percent.value > 0, percent.value < 1,
                seen.insert(percent.range).inserted
            else { return nil }
            return .fraction(percent, of: subject)
        }
        let parts = model.popups.entries.compactMap { popup -> Diagnostic? in
            guard let part = popup.limits.rollout?.value.range, part.value.upperBound <= 1,
                seen.insert(part.range).inserted
            else { return nil }
            return .fraction(part, of: "popup `\(popup.name.value)`")
        }
        return fractions + parts
    }
}

extension Diagnostic {
    fileprivate static func fraction(_ part: Located<Range<Double>>, of subject: String) -> Self {
        let bounds = [part.value.lowerBound, part.value.upperBound].map { text(hundredfold($0)) }
        let meant = "[\(bounds.joined(separator: ", "))]"
        return Diagnostic(
            .hygieneFractionOfPercent,
            message: "the range ends at \(text(part.value.upperBound)) percent of the users",
            at: part.range, label: "within the first 1 % of the users", subject: subject,
            help: [
                "if you mean from \(bounds[0]) to \(bounds[1]) percent, write `\(meant)`",
                "to keep it, add a comment such as `# poprules:ignore[P0806] a first look`",
            ],
            fixes: [
                Fix(
                    "write `\(meant)`", edits: [.init(part.range, replacement: meant)],
                    isSafe: false)
            ])
    }

    fileprivate static func fraction(_ percent: Located<Double>, of subject: String) -> Self {
        let hundredfold = hundredfold(percent.value)
        let meant = text(hundredfold)
        var diagnostic = Diagnostic(
            .hygieneFractionOfPercent,
            message: "\(percent.value) percent is \(part(percent.value))",
            at: percent.range, label: "less than 1 % of the users", subject: subject,
            help: [
                "to keep it, add a comment such as `# poprules:ignore[P0806] a first look`"
            ])
        // A much smaller number can't have been meant as a part of a hundred.
        guard hundredfold >= 0.01 else { return diagnostic }
        diagnostic.help.insert("if you mean \(meant) percent, write `\(meant)`", at: 0)
        diagnostic.fixes = [
            Fix(
                "write `\(meant)`", edits: [.init(percent.range, replacement: meant)],
                isSafe: false)
        ]
        return diagnostic
    }

    /// To six decimal places, in which doubles are exact enough to be read.
    private static func hundredfold(_ part: Double) -> Double {
        (part * 100_000_000).rounded() / 1_000_000
    }

    /// A number without a point where it is whole.
    private static func text(_ number: Double) -> String {
        number == number.rounded() ? "\(Int(number))" : "\(number)"
    }

    /// Returns a percentage as one of a number of users.
    private static func part(_ percent: Double) -> String {
        let users = (100 / percent).rounded()
        guard users <= 1_000_000_000 else { return "less than one user in 1000000000" }
        return "\(users * percent == 100 ? "" : "about ")one user in \(Int(users))"
    }
}
