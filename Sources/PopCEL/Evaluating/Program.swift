internal import PopSource

/// A checked and compiled expression: pure, immutable, and evaluated from any thread.
///
/// One or two references, so that copying it costs little.
public struct Program: Sendable {
    /// Shared by programs of the same text.
    let plan: Plan
    /// Where the text stands, when that is not where it was read.
    private let place: Expression.Place?

    init(_ plan: Plan, at place: Expression.Place?) {
        self.plan = plan
        self.place = place
    }

    /// The program of the same text at another place, which `Expression.moved(to:)` gives.
    package func moved(to expression: Expression) -> Program {
        Program(plan, at: expression.place)
    }

    /// The type that checking found for the whole; `.dyn` when it is known at run time alone.
    public var resultType: CELType { plan.resultType }
    /// The slots that it reads, in ascending order.
    public var slots: [SlotIndex] { plan.slots }
    /// Its value when it depends on no slot and cannot fail.
    public var constantValue: Value? { plan.constant(plan.root) }
    /// The most that an evaluation can cost, in the steps of `CELLimits.cost`, when the slots hold
    /// values as declared.
    ///
    /// Nil when the cost grows with a value whose size is not declared; `CELLimits.cost` then holds
    /// at run time alone. Found out whenever it is asked for, in time linear in the expression.
    public var costBound: Int? { CostAnalysis(of: plan, subject).bound }

    /// The same where texts, lists and maps whose size is not declared have at most so many bytes
    /// or elements.
    public func costBound(forSizesUpTo size: Int) -> Int? {
        CostAnalysis(of: plan, subject, sizesAtMost: StepBound(size)).bound
    }

    /// The tree that it was compiled from, with its places.
    public var expression: Expression { Expression(tree: plan.tree, at: place) }
    /// The same for programs of one text that were compiled once.
    package var identity: ObjectIdentifier { ObjectIdentifier(plan) }
    /// The number of operations, calls, names and literals in it.
    package var nodeCount: Int { plan.tree.nodes.count }
    /// The slots that it reads, and what they stand for.
    package var slotEntries: [(slot: SlotIndex, entry: SlotTable.Entry)] {
        zip(plan.slots, plan.slotTable.entries(at: plan.slots)).map { ($0, $1) }
    }

    /// What it was compiled from, checked once more: only explaining it and the bound of its cost
    /// need that.
    package var subject: CheckedExpression {
        let expression = expression
        var checker = Checker(expression, tree: expression.tree, in: plan.environment)
        checker.check()
        return checker.subject
    }

    /// The value of the expression.
    ///
    /// The slots are those of the table that it was compiled with; ones beyond the count are
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

    /// Whether a condition is met. What usual conditions need is allocated nowhere.
    public func isTrue(_ slots: borrowing SlotValues) -> Truth {
        guard slots.count >= plan.slotCount else {
            return isTrue(slots.resized(to: plan.slotCount))
        }
        let end = plan.follow(plan.firstBranch, in: slots)
        if end == Branch.yes { return .yes }
        return end == Branch.no ? .no : truth(from: end, slots)
    }

    /// From a branch on that the bits of its slot do not decide.
    @inline(never)
    private func truth(from start: Int32, _ slots: borrowing SlotValues) -> Truth {
        var state = plan.newState()
        var next = start
        while next >= 0 {
            let branch = plan.branches[Int(next)]
            let truth = plan.truth(Int(branch.node), in: slots, state: &state)
            // Another operand may decide the whole all the same, so it is evaluated as a tree, with
            // steps of its own.
            guard truth != .error else { return wholeTruth(slots) }
            next = plan.follow(truth == .yes ? branch.whenTrue : branch.whenFalse, in: slots)
        }
        return next == Branch.yes ? .yes : .no
    }

    private func wholeTruth(_ slots: borrowing SlotValues) -> Truth {
        var state = plan.newState()
        switch plan.truth(plan.root, in: slots, state: &state) {
        case .yes: return .yes
        case .no: return .no
        case .error: return .error(state.failure.evaluationError(in: expression))
        }
    }
}

extension Program {
    /// The value with variables given by their names; those that are not given are missing.
    public func evaluate(_ variables: [String: Value]) throws(EvaluationError) -> Value {
        try evaluate(slotValues(variables))
    }

    /// Slots for the program alone, filled from variables by their names.
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

    /// Values may share their parts; one that would be too large written out is refused.
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
