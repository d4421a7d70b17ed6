internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A rollout of 0 percent, with which no user ever sees the popup, or an experiment in which 0
/// percent take part, or a holdout of all users, or ranges that leave users out by mistake.
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
/// popups:
///   sale:
///     schedule: { from: 2099-03-01, until: 2099-03-08, zone: UTC }
///     rollout: { steps: { 2099-03-15: 10, 2099-03-20: 100 }, zone: UTC, by: user.id }
/// ```
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   price_a: { rollout: { range: [0, 60], by: user.id, salt: price } }
///   price_b: { rollout: { range: [50, 100], by: user.id, salt: price } }
/// ```
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// holdout: { percent: 100, by: user.id }
/// popups: { welcome: {} }
/// ```
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   price_a: { rollout: { range: [0, 50], by: user.id, salt: price } }
///   price_b: { rollout: { range: [51, 100], by: user.id, salt: price } }
/// ```
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   price_a: { rollout: { range: [0, 50], by: user.id } }
///   price_b: { rollout: { range: [50, 100], by: user.id } }
/// ```
/// Good:
/// ```yaml
/// context: { user.id: string }
/// popups: { welcome: { rollout: { percent: 5, by: user.id } } }
/// ```
/// ```yaml
/// context: { user.id: string }
/// popups:
///   price_a: { rollout: { range: [0, 50], by: user.id, salt: price } }
///   price_b: { rollout: { range: [50, 100], by: user.id, salt: price } }
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
        let own = popups.map {
            ("experiment of `\($0.name.value)`", $0.limits.experiment?.value.division.share)
        }
        let shared = subject.model.experiments.entries.map {
            ("experiment `\($0.name.value)`", $0.division.share)
        }
        // A range may follow one that is unknown because of an error.
        let ranges = subject.gaps == nil ? RolloutRanges.findings(in: subject.model) : []
        let late = zip(popups, subject.rules.popups).compactMap { lateStep(of: $0, $1) }
        return rollouts + late + ranges
            + (own + shared).compactMap { experiment, share in
                share.flatMap { $0.value == 0 ? .nobody($0.range, in: experiment) : nil }
            }
            + [heldOut(in: subject)].compactMap { $0 }
    }

    /// A rollout whose first step begins when the schedule of the popup is over.
    private static func lateStep(of model: PopupModel, _ popup: PopupRule) -> Diagnostic? {
        guard let step = model.limits.rollout?.value.steps?.value.first,
            let end = model.timing.schedule?.value.last?.value.until,
            let start = popup.audience.rollout?.share.earliestStart, popup.timing.isOver(at: start)
        else { return nil }
        return .lateStep(step.begins.range, end: end.range, of: model.name.value)
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
            message: "only popups with `essential: true` show, because the holdout is 100 percent",
            at: range, label: "all users are in the holdout", subject: "`holdout`",
            help: ["use a smaller percentage: the users in the holdout see only essential popups"])
    }

    fileprivate static func nobody(_ range: SourceRange, in experiment: String) -> Self {
        Diagnostic(
            .hygieneRolloutToNobody,
            message: "no user takes part in the \(experiment), because its `share` is 0 percent",
            at: range, label: "no user is selected",
            help: ["raise `share`, or remove the experiment"])
    }

    fileprivate static func lateStep(
        _ range: SourceRange, end: SourceRange, of popup: String
    ) -> Self {
        Diagnostic(
            .hygieneRolloutToNobody,
            message: "no user sees the popup, because its rollout starts after its schedule ends",
            at: range, label: "the first users are selected here", subject: "popup `\(popup)`",
            secondary: [Label("the schedule ends here", at: end)],
            help: ["move the steps of the rollout into the schedule, or extend the schedule"])
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

extension Rollout.Share {
    /// The first moment at which steps select users in any zone; nil for a share without steps.
    fileprivate var earliestStart: Timestamp? {
        guard case .steps(let steps) = self else { return nil }
        return steps.first?.begins
    }
}
