internal import PopSource

/// The steps that one part of a `Logic` takes from the budget of a command or request. They are
/// charged in chunks, because a charge takes a lock.
struct StepMeter: Sendable {
    private let budget: WorkBudget
    /// Steps that are charged and not yet taken.
    private var charged = 0
    /// True if a charge was refused; no more work is done then.
    private(set) var isUsedUp = false

    init(_ budget: WorkBudget) { self.budget = budget }

    /// Takes steps. Returns true if they may be done.
    @discardableResult
    mutating func take(_ steps: Int) -> Bool {
        charged -= steps
        return charged >= 0 && !isUsedUp || charge()
    }

    private mutating func charge() -> Bool {
        guard !isUsedUp, budget.charge(.logicSteps, Self.chunk - charged) else {
            isUsedUp = true
            charged = 0
            return false
        }
        charged = Self.chunk
        return true
    }

    /// The number of steps that are charged ahead.
    private static let chunk = 256
}

/// The steps that work costs, in proportion to its time. One step is a byte that an automaton
/// reads.
enum StepCost {
    /// A pair of nodes that is joined, or a node that is negated.
    static let node = 16
    /// An edge of the result.
    static let edge = 2
    /// A part of a condition that is translated.
    static let term = 128
    /// A variable that gets a value in a witness.
    static let variable = 16
    /// A value of a key that its declaration lists.
    static let value = 32
    /// A literal of a path that is examined.
    static let literal = 8
}
