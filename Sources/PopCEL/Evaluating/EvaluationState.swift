/// The reason why a node has no value. Small, because it passes through the frames of the whole
/// recursion.
enum Failure: Error {
    /// A slot that is missing was read at a node of the syntax tree.
    case missing(source: NodeID)
    /// A slot that contains an error was read.
    indirect case slot(EvaluationError)
    /// A message for the user.
    indirect case failed(String, source: NodeID)
    /// The budget is used up.
    case tooExpensive(source: NodeID)
}

/// True, false, or an error that is kept in the state.
enum TruthValue: UInt8, Sendable {
    case no, yes, error

    @inline(__always)
    init(_ truth: Bool) { self = truth ? .yes : .no }
}

/// The mutable state of an evaluation.
struct EvaluationState {
    /// The steps that are left.
    var budget: Int
    /// The values of the variables of macros.
    var locals: [Value]
    /// The failure of the last operation that returned `TruthValue.error`.
    var failure = Failure.missing(source: 0)

    /// Creates the state. The array of variables is shared until one is set, which then costs an
    /// allocation.
    init(budget: Int, locals: [Value]) {
        self.budget = budget
        self.locals = locals
    }

    @inline(__always)
    mutating func fail(_ failure: Failure) -> TruthValue {
        self.failure = failure
        return .error
    }

    /// Takes steps from the budget.
    @inline(__always)
    mutating func charge(_ steps: Int, at node: PlanNode) throws(Failure) {
        budget -= steps
        if budget < 0 { throw .tooExpensive(source: node.source) }
    }
}
