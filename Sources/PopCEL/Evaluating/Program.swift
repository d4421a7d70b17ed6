public import PopSource

/// A checked and compiled expression: pure, immutable, and evaluated from any thread.
///
/// One or two references, so that copying it costs little.
public struct Program: Sendable {
    /// Shared by programs of the same text.
    let plan: Plan
    /// The place of the text, if it differs from the place where the text was parsed.
    private let place: Expression.Place?

    init(_ plan: Plan, at place: Expression.Place?) {
        self.plan = plan
        self.place = place
    }

    /// Returns the program of the same text at another place, which `Expression.moved(to:)`
    /// returns.
    package func moved(to expression: Expression) -> Program {
        Program(plan, at: expression.place)
    }

    /// The type of the whole expression; `.dyn` if it is only known at run time.
    public var resultType: CELType { plan.resultType }
    /// The slots that it reads, in ascending order.
    public var slots: [SlotIndex] { plan.slots }
    /// Its value if it depends on no slot and can't fail.
    public var constantValue: Value? { plan.constant(plan.root) }
    /// The maximum cost of an evaluation, in the steps of `CELLimits.cost`, if the slots contain
    /// values as declared.
    ///
    /// Nil if the cost grows with a value whose size isn't declared; then `CELLimits.cost` only
    /// applies at run time. Computed on each access, in time linear in the expression.
    public var costBound: Int? { CostAnalysis(of: plan, subject).bound }

    /// Returns the same bound, assuming that strings, lists and maps whose size isn't declared have
    /// at most the given number of bytes or elements.
    public func costBound(forSizesUpTo size: Int) -> Int? {
        CostAnalysis(of: plan, subject, sizesAtMost: StepBound(size)).bound
    }

    /// The tree that it was compiled from, with its places.
    public var expression: Expression { Expression(tree: plan.tree, at: place) }
    /// An identity that is equal for programs of one text that were compiled once.
    package var identity: ObjectIdentifier { ObjectIdentifier(plan) }
    /// The number of operations, calls, names and literals in it.
    package var nodeCount: Int { plan.tree.nodes.count }
    /// The slots that it reads, and their meanings.
    package var slotEntries: [(slot: SlotIndex, entry: SlotTable.Entry)] {
        zip(plan.slots, plan.slotTable.entries(at: plan.slots)).map { ($0, $1) }
    }

    /// The checked expression that it was compiled from, checked again: only explanations and cost
    /// bounds need it.
    package var subject: CheckedExpression {
        let expression = expression
        var checker = Checker(expression, tree: expression.tree, in: plan.environment)
        checker.check()
        return checker.subject
    }

    /// Returns the value of the expression.
    ///
    /// The slots are those of the table that it was compiled with; slots beyond the count are
    /// missing.
    public func evaluate(_ slots: borrowing SlotValues) throws(EvaluationError) -> Value {
        guard slots.count >= plan.slotCount else {
            return try evaluate(slots.resized(to: plan.slotCount))
        }
        var state = plan.newState()
        do throws(Failure) {
            let value = try plan.value(plan.root, in: slots, state: &state)
            try plan.checkSize(of: value, &state)
            return value
        } catch {
            throw error.evaluationError(in: expression)
        }
    }

    /// Returns the truth value of a condition. Typical conditions are evaluated without
    /// allocations.
    public func isTrue(_ slots: borrowing SlotValues) -> Truth {
        var steps = 0
        return isTrue(slots, steps: &steps)
    }

    /// Returns the truth value of a condition, and adds the work of the evaluation to `steps`, in
    /// the steps of `CELLimits.cost`: 0 for typical conditions.
    package func isTrue(_ slots: borrowing SlotValues, steps: inout Int) -> Truth {
        guard slots.count >= plan.slotCount else {
            return isTrue(slots.resized(to: plan.slotCount), steps: &steps)
        }
        let end = plan.follow(plan.firstBranch, in: slots)
        if end == Branch.yes { return .yes }
        return end == Branch.no ? .no : truth(from: end, slots, steps: &steps)
    }

    /// Evaluates from a branch on that the bits of its slot don't decide.
    @inline(never)
    private func truth(
        from start: Int32, _ slots: borrowing SlotValues, steps: inout Int
    ) -> Truth {
        var state = plan.newState()
        defer { steps += state.steps(within: plan.limits) }
        var next = start
        while next >= 0 {
            let branch = plan.branches[Int(next)]
            let truth = plan.truth(Int(branch.node), in: slots, state: &state)
            // Another operand may still decide the whole, so it is evaluated as a tree, with a step
            // budget of its own.
            guard truth != .error else { return wholeTruth(slots, steps: &steps) }
            next = plan.follow(truth == .yes ? branch.whenTrue : branch.whenFalse, in: slots)
        }
        return next == Branch.yes ? .yes : .no
    }

    private func wholeTruth(_ slots: borrowing SlotValues, steps: inout Int) -> Truth {
        var state = plan.newState()
        defer { steps += state.steps(within: plan.limits) }
        switch plan.truth(plan.root, in: slots, state: &state) {
        case .yes: return .yes
        case .no: return .no
        case .error: return .error(state.failure.evaluationError(in: expression))
        }
    }
}

extension Program {
    /// Returns the value for variables given by their names; other variables are missing.
    public func evaluate(_ variables: [String: Value]) throws(EvaluationError) -> Value {
        try evaluate(slotValues(variables))
    }

    /// Returns slots for only this program, filled from variables by their names.
    public func slotValues(_ variables: [String: Value]) -> SlotValues {
        var values = SlotValues(count: plan.slotCount)
        for (slot, entry) in slotEntries {
            guard case .variable(let identity) = entry, let value = variables[identity] else {
                continue
            }
            values[slot] = .value(value)
        }
        return values
    }
}

extension Plan {
    func newState() -> EvaluationState {
        EvaluationState(budget: limits.cost, locals: locals)
    }

    /// Throws for a value that would be too large if written out; values may share their parts.
    func checkSize(of value: Value, _ state: inout EvaluationState) throws(Failure) {
        switch value {
        case .list(let list):
            try state.charge(list.count, at: nodes[root])
            for element in list { try checkSize(of: element, &state) }
        case .map(let map):
            try state.charge(map.count, at: nodes[root])
            for (_, element) in map { try checkSize(of: element, &state) }
        case .optional(let wrapped?):
            try state.charge(1, at: nodes[root])
            try checkSize(of: wrapped, &state)
        case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .version,
            .type, .optional(nil):
            break
        }
    }
}

extension Failure {
    func evaluationError(in expression: Expression) -> EvaluationError {
        switch self {
        case .slot(let error): return error
        case .failed(let message, let source):
            return EvaluationError(message, at: expression.tree.range(source))
        case .missing(let source):
            return EvaluationError(
                "`\(expression.text(of: source))` has no value",
                at: expression.tree.range(source))
        case .tooExpensive(let source):
            return EvaluationError(
                "the evaluation takes too many steps", at: expression.tree.range(source))
        }
    }
}

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
    /// The steps that were left when a larger number was refused.
    private var refused = 0
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

    /// Returns the steps that were taken since the state was created.
    func steps(within limits: CELLimits) -> Int { limits.cost - max(0, budget) - refused }

    /// Uses up the budget without doing the work for which it is too small.
    private mutating func exceeded(at node: PlanNode) -> Failure {
        refused += max(0, budget)
        budget = -1
        return .tooExpensive(source: node.source)
    }

    /// Takes steps from the budget.
    @inline(__always)
    mutating func charge(_ steps: Int, at node: PlanNode) throws(Failure) {
        if steps > budget { throw exceeded(at: node) }
        budget -= steps
    }
}

/// The reason why an expression has no value: a message as in diagnostics, with the place of the
/// part that failed.
public struct EvaluationError: Error, Sendable, Hashable {
    /// A message such as "division by zero", without a place.
    public var message: String
    /// Nil if the error was the content of a slot.
    public var range: SourceRange?

    /// Creates an error, for a part of an expression if a range is given.
    public init(_ message: String, at range: SourceRange? = nil) {
        self.message = message
        self.range = range
    }
}

/// The result of a condition.
public enum Truth: Sendable, Hashable {
    /// It is true.
    case yes
    /// It is false.
    case no
    /// It has no value; a scheduler treats it as not met and reports it.
    case error(EvaluationError)
}
