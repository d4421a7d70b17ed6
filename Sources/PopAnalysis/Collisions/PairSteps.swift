internal import PopLogic
internal import PopSource

/// The remaining steps for a question about pairs of entries, within its own limit and within the
/// budget of the command or request.
struct PairSteps: Sendable {
    private var rest: Int
    private let budget: WorkBudget

    init(_ limits: AnalysisLimits) {
        rest = limits.pairSteps
        budget = limits.logic.budget
    }

    /// True if a step was refused.
    private(set) var isUsedUp = false

    /// Takes steps. Returns true if the work may be done. After a refusal, all further steps are
    /// refused.
    mutating func take(_ count: Int = 1) -> Bool {
        guard !isUsedUp, count <= rest, budget.charge(.comparedPairs, count) else {
            if !isUsedUp { budget.leaveUndecided() }
            isUsedUp = true
            return false
        }
        rest -= count
        return true
    }
}
