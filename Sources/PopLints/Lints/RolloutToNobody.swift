internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A rollout of 0 percent, with which no user ever sees the popup, or an experiment in which 0
/// percent take part, or a holdout of all users.
///
/// Bad:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { percent: 0, by: user.id } } }
/// ```
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { experiment: { by: user.id, share: 0, variants: { short: {} } } } }
/// ```
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { steps: { 2027-01-10: 0 }, by: user.id } } }
/// ```
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// holdout: { percent: 100, by: user.id }
/// popups: { welcome: {} }
/// ```
/// Good:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { percent: 5, by: user.id } } }
/// ```
public enum RolloutToNobody: Lint {
    public static let check = Check.hygieneRolloutToNobody

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let popups = subject.model.popups.entries
        let rollouts = popups.compactMap { popup -> Diagnostic? in
            guard let rollout = popup.limits.rollout?.value, let place = rollout.shareRange,
                rollout.largestPart?.isEmpty == true
            else { return nil }
            return .nobody(place, of: popup.name.value)
        }
        let experiments =
            popups.map { ($0.name.value, $0.limits.experiment?.value.division.share) }
            + subject.model.experiments.entries.map { ($0.name.value, $0.division.share) }
        return rollouts
            + experiments.compactMap { name, share in
                share.flatMap { $0.value == 0 ? .nobody($0.range, inExperimentOf: name) : nil }
            }
            + [heldOut(in: subject)].compactMap { $0 }
    }

    /// A holdout of all users, as long as there is a popup that it is about.
    private static func heldOut(in subject: LintSubject) -> Diagnostic? {
        guard let percent = subject.model.holdout?.value.percent, percent.value == 100,
            subject.rules.popups.contains(where: { !$0.isEssential })
        else { return nil }
        return .everybodyHeldOut(percent.range)
    }
}

extension Diagnostic {
    fileprivate static func everybodyHeldOut(_ range: SourceRange) -> Self {
        Diagnostic(
            .hygieneRolloutToNobody,
            message: "no user sees a popup that is not `essential`: the holdout is 100 percent",
            at: range, label: "all users are in the holdout", subject: "`holdout`",
            help: ["write the percentage of users who should see only essential popups"])
    }

    fileprivate static func nobody(_ range: SourceRange, inExperimentOf name: String) -> Self {
        Diagnostic(
            .hygieneRolloutToNobody,
            message: "no user takes part in the experiment of `\(name)`: its share is 0 percent",
            at: range, label: "no user is selected",
            help: ["raise `share`, or remove the experiment to show the popup to all users"])
    }

    fileprivate static func nobody(_ range: SourceRange, of popup: String) -> Self {
        Diagnostic(
            .hygieneRolloutToNobody,
            message: "no user sees the popup, because its rollout is 0 percent",
            at: range, label: "no user is selected", subject: "popup `\(popup)`",
            help: [
                "write a larger number; to switch off the popup temporarily, write `enabled: false`"
            ])
    }
}
