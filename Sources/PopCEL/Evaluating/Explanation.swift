public import PopSource

/// The value of every part of an expression.
public struct Explanation: Sendable {
    /// An operand, call or name, and its parts.
    public struct Part: Sendable {
        /// The place of the part in the file of the expression.
        public var range: SourceRange
        /// The text as the author wrote it.
        public var text: String
        /// True if it is the whole condition or an operand of `&&`, `||`, `!` or `? :` in one.
        public var isCondition: Bool
        /// Nil for a part that has no value by itself.
        public var result: Result<Value, EvaluationError>?
        /// True if the result of the whole depends on it: operands after a decided `&&` aren't
        /// needed.
        public var wasNeeded: Bool
        /// The parts from left to right, without constants and without parts that depend on the
        /// variable of a macro.
        public var parts: [Part]
    }

    /// The whole expression; nil for one that is a literal, which explains itself.
    public var root: Part?
    /// The work of the evaluations, in the steps of `CELLimits.cost`.
    package var steps = 0
}

extension Program {
    /// Evaluates every part of the expression, needed or not. Takes far longer than `evaluate`.
    public func explain(_ slots: borrowing SlotValues) -> Explanation {
        let tree = expression.tree
        guard tree.literal(tree.root) == nil else {
            return Explanation(root: nil)
        }
        var compiler = Compiler(
            explaining: subject, slots: slotEntries, patterns: self.plan.regularExpressions)
        let plan = compiler.compile()
        let planOfSyntax = compiler.planOfSyntax
        var explainer = Explainer(
            subject: compiler.subject, plan: plan, planOfSyntax: planOfSyntax)
        // Slots beyond those of the program have no known values.
        let known = slots.resized(to: plan.slotCount, keeping: self.plan.slotCount)
        let root = explainer.part(tree.root, isNeeded: true, in: known)
        return Explanation(root: root, steps: explainer.steps)
    }
}

private struct Explainer: ~Copyable {
    let subject: CheckedExpression
    let plan: Plan
    let planOfSyntax: [NodeID: Int]
    var steps = 0
    /// The results of the parts that were evaluated so far.
    private var results: [NodeID: Result<Value, EvaluationError>] = [:]

    init(subject: consuming CheckedExpression, plan: Plan, planOfSyntax: [NodeID: Int]) {
        self.subject = subject
        self.plan = plan
        self.planOfSyntax = planOfSyntax
    }

    var tree: SyntaxTree { subject.tree }

    mutating func part(
        _ node: NodeID, isNeeded: Bool, isCondition: Bool = true, in slots: borrowing SlotValues
    ) -> Explanation.Part {
        let operation = tree.operation(node)
        let isCondition =
            isCondition
            && subject.checked.typeTable.publicType(subject.checked.nodes[node].type) == .bool
        // The whole comes first: evaluating all of its parts may take too many steps.
        let own = result(node, in: slots)
        var parts: [Explanation.Part] = []
        var isNextNeeded = isNeeded
        var condition: Bool?
        for (position, child) in shownChildren(node).enumerated() {
            let value = truth(child, in: slots)
            if operation == .conditional, position > 0 {
                isNextNeeded = isNeeded && condition == (position == 1)
            }
            if tree.literal(child) == nil {
                let isCondition = isCondition && (operation?.isLogical ?? false)
                parts.append(
                    part(child, isNeeded: isNextNeeded, isCondition: isCondition, in: slots))
            }
            if operation == .and && value == false || operation == .or && value == true {
                isNextNeeded = false
            }
            if operation == .conditional, position == 0 { condition = value }
        }
        return Explanation.Part(
            range: tree.range(node), text: subject.expression.text(of: node),
            isCondition: isCondition,
            result: own, wasNeeded: isNeeded, parts: parts)
    }

    /// Returns the children to show. Names are shown whole, with all their dots; of a macro only
    /// its range has a single value.
    private func shownChildren(_ node: NodeID) -> [NodeID] {
        switch tree.nodes[node].kind {
        case .presence, .message: return []
        case .macro: return [tree.child(node, at: 0)]
        case .select, .identifier:
            if case .none = subject.checked.nodes[node].reference {
                return Array(tree.children(of: node))
            }
            return []
        case .memberCall:
            let isNamespaced =
                if case .function(_, skipsTarget: true) = subject.checked.nodes[node].reference {
                    true
                } else {
                    false
                }
            return Array(tree.children(of: node).dropFirst(isNamespaced ? 1 : 0))
        case .literal, .call, .operation, .list, .map, .optionalEntry:
            return Array(tree.children(of: node))
        }
    }

    private mutating func truth(_ node: NodeID, in slots: borrowing SlotValues) -> Bool? {
        if case .success(.bool(let truth))? = result(node, in: slots) { truth } else { nil }
    }

    private mutating func result(
        _ node: NodeID, in slots: borrowing SlotValues
    ) -> Result<Value, EvaluationError>? {
        guard let index = planOfSyntax[node] else { return nil }
        if let known = results[node] { return known }
        // Each part is evaluated with all parts inside it.
        guard steps <= plan.limits.cost else {
            return .failure(
                EvaluationError(
                    "evaluating all parts takes too many steps", at: tree.range(node)))
        }
        var state = plan.newState()
        let result: Result<Value, EvaluationError>
        do throws(Failure) {
            result = .success(try plan.value(index, in: slots, state: &state))
        } catch {
            result = .failure(error.evaluationError(in: subject.expression))
        }
        steps += state.steps(within: plan.limits)
        results[node] = result
        return result
    }
}
