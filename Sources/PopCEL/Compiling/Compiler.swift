internal import PopSource

/// Creates the plan of a checked tree: variables become slots, constant parts are folded, common
/// comparisons are fused.
///
/// It doesn't rely on the deduced types: it checks them again if that is cheap, so that unchecked
/// trees compile too.
struct Compiler: ~Copyable {
    let subject: CheckedExpression
    // A copy of the reference: a computed property would retain it each time.
    let tree: SyntaxTree
    let fuses: Bool
    var nodes: [PlanNode] = []
    var operands: [Int32] = []
    /// Starts with the values of the tree, whose array it shares until another constant is added.
    var constants: [Value]
    var branches: [Branch] = []
    var sets: [ConstantSet] = []
    var messages: [String] = []
    var regularExpressions: [RegularExpression] = []
    /// The compiled patterns of the program that is explained.
    private(set) var knownPatterns: [String: RegularExpression] = [:]
    /// True if a pattern was left out because the earlier patterns use nearly all states that
    /// patterns may have together.
    var hasTooManyPatterns = false
    var slotTable: SlotTable
    /// The slots that are read, in ascending order.
    var slots: [SlotIndex]
    /// The variable that was read last, and its slot: conditions often read the same variable
    /// several times in a row.
    private var last: (variable: Int, slot: SlotIndex) = (-1, 0)
    /// The known slots when a program is explained.
    private var explained: [SlotTable.Entry: SlotIndex] = [:]
    /// The failing parts that depend on no slot.
    var constantFailures: [(node: NodeID, failure: Failure)] = []
    /// The plan node of each syntax node that has one; kept only if nothing is fused.
    var planOfSyntax: [NodeID: Int] = [:]

    /// Creates a compiler that takes slots from the table.
    init(_ subject: consuming CheckedExpression, slots: consuming SlotTable) {
        tree = subject.tree
        self.subject = subject
        fuses = true
        slotTable = slots
        constants = tree.values
        self.slots = []
        nodes.reserveCapacity(tree.nodes.count)
        operands.reserveCapacity(tree.children.count)
        self.slots.reserveCapacity(min(tree.nodes.count / 2, 4))
    }

    /// Creates a compiler that gives every part of the expression a node of its own, to explain it
    /// by; the slots and the patterns are known.
    init(
        explaining subject: consuming CheckedExpression,
        slots: [(slot: SlotIndex, entry: SlotTable.Entry)], patterns: [RegularExpression]
    ) {
        tree = subject.tree
        self.subject = subject
        constants = tree.values
        fuses = false
        slotTable = SlotTable()
        self.slots = slots.map { $0.slot }
        for (slot, entry) in slots { explained[entry] = slot }
        for pattern in patterns { knownPatterns[pattern.pattern] = pattern }
    }

    mutating func compile() -> Plan {
        let root = compile(tree.root)
        // Most operands of `&&` and `||` are a single test.
        branches.reserveCapacity(max(operands.count, 1))
        var made: [Branch] = []
        swap(&made, &branches)
        let first = addBranches(root, whenTrue: Branch.yes, whenFalse: Branch.no, to: &made)
        swap(&made, &branches)
        return Plan(taking: &self, root: root, firstBranch: first)
    }

    mutating func compile(_ node: NodeID) -> Int {
        let plan: Int
        if let message = subject.checked.failures[node] {
            plan = addFailure(message, at: node)
        } else {
            plan = compileKnown(node)
        }
        if !fuses { planOfSyntax[node] = plan }
        return plan
    }

    private mutating func compileKnown(_ node: NodeID) -> Int {
        switch subject.checked.nodes[node].reference {
        case .variable(let index):
            return add(.slot, at: node, a: slot(ofVariable: index).number)
        case .local(let index): return add(.local, at: node, a: index)
        case .constant(let index): return addConstant(subject.checked.constants[index], at: node)
        case .slotCall(let index):
            let call = subject.checked.slotCalls[index]
            return add(
                .slot, at: node,
                a: slot(for: .call(function: call.function, arguments: call.arguments)).number
            )
        case .function(let callee, let skipsTarget):
            return compileCall(node, callee: callee, skipsTarget: skipsTarget)
        case .none: return compileSyntax(node)
        }
    }

    private mutating func compileSyntax(_ node: NodeID) -> Int {
        switch tree.nodes[node].kind {
        case .literal: return addLiteral(node)
        case .identifier, .call, .memberCall, .message:
            return addFailure("`\(tree.dottedName(node) ?? "this")` is not known", at: node)
        case .select: return compileSelect(node)
        case .presence: return compilePresence(node)
        case .operation: return compileOperation(node)
        case .list: return compileList(node)
        case .map: return compileMap(node)
        case .optionalEntry:
            return add(.optionalEntry, at: node, a: compile(tree.child(node, at: 0)))
        case .macro: return compileMacro(node)
        }
    }
}

// MARK: Adding nodes

extension Compiler {
    mutating func add(
        _ operation: Operation, at node: NodeID, operator: Operator = .and,
        function: FunctionCode = .size, macro: Macro = .all, flag: Bool = false, a: Int = 0,
        b: Int = 0, c: Int = 0
    ) -> Int {
        nodes.append(
            PlanNode(
                operation: operation, operator: `operator`, function: function, macro: macro,
                flag: flag, a: Int32(a), b: Int32(b), c: Int32(c), source: node))
        return nodes.count - 1
    }

    mutating func addConstant(_ value: Value, at node: NodeID) -> Int {
        if case .bool(let truth) = value { return add(.constantTruth, at: node, flag: truth) }
        return add(.constant, at: node, a: intern(value))
    }

    /// Adds a literal; the constants start with the values of the tree.
    private mutating func addLiteral(_ node: NodeID) -> Int {
        let literal = Int(tree.nodes[node].payload)
        if case .bool(let truth) = constants[literal] {
            return add(.constantTruth, at: node, flag: truth)
        }
        return add(.constant, at: node, a: literal)
    }

    mutating func intern(_ value: Value) -> Int {
        constants.append(value)
        return constants.count - 1
    }

    mutating func addFailure(_ message: String, at node: NodeID) -> Int {
        messages.append(message)
        return add(.fail, at: node, a: messages.count - 1)
    }

    /// Adds operands side by side and returns the index of the first.
    mutating func addOperands(_ list: [Int]) -> Int {
        let first = operands.count
        for operand in list { operands.append(Int32(operand)) }
        return first
    }

    /// Compiles nodes and adds them as operands side by side, followed by the operands of nested
    /// nodes.
    mutating func compileOperands(_ list: ChildList) -> Range<Int> {
        let first = operands.count
        operands.append(contentsOf: repeatElement(-1, count: list.count))
        for (position, node) in list.enumerated() {
            operands[first + position] = Int32(compile(node))
        }
        return first..<first + list.count
    }

    /// Returns the value of a node that is a constant.
    func constant(_ plan: Int) -> Value? {
        nodes[plan].constant(among: constants)
    }

    private mutating func slot(ofVariable index: Int) -> SlotIndex {
        if last.variable == index { return last.slot }
        let identity = subject.environment.part(ofVariable: index) { $0.identity }
        last = (index, slot(for: .variable(identity: identity)))
        return last.slot
    }

    private mutating func slot(for entry: SlotTable.Entry) -> SlotIndex {
        let slot = fuses ? slotTable.slot(for: entry) : explainedSlot(for: entry)
        let place = slots.lastIndex { $0 <= slot }.map { $0 + 1 } ?? 0
        if place > 0, slots[place - 1] == slot { return slot }
        if place == slots.count { slots.append(slot) } else { slots.insert(slot, at: place) }
        return slot
    }

    /// Returns the slot of an entry for an explanation. A part that the program left out because it
    /// never matters may read slots that aren't set for it.
    private mutating func explainedSlot(for entry: SlotTable.Entry) -> SlotIndex {
        if let slot = explained[entry] { return slot }
        let slot = slots.last?.advanced(by: 1) ?? 0
        explained[entry] = slot
        return slot
    }

    /// Replaces a node by its value if all operands that it depends on are constant and it doesn't
    /// fail.
    mutating func folded(_ plan: Int, parts: Range<Int>) -> Int {
        guard fuses, parts.allSatisfy({ nodes[Int(operands[$0])].isConstant }) else { return plan }
        return foldedAlways(plan)
    }

    /// Does the same for one or two parts, without an array of them.
    mutating func folded(_ plan: Int, first: Int, second: Int? = nil) -> Int {
        guard fuses, nodes[first].isConstant else { return plan }
        if let second, !nodes[second].isConstant { return plan }
        return foldedAlways(plan)
    }

    private mutating func foldedAlways(_ plan: Int) -> Int {
        let node = nodes[plan].source
        switch constantResult(plan) {
        case .success(let value): return addConstant(value, at: node)
        case .failure(let failure):
            constantFailures.append((node, failure))
            return plan
        }
    }

    /// Returns the result of a node that depends on no slot.
    private mutating func constantResult(_ node: Int) -> Result<Value, Failure> {
        var state = EvaluationState(budget: foldingBudget, locals: [])
        let none = SlotValues(count: 0)
        let trial = Plan(taking: &self, root: node)
        defer {
            nodes = trial.nodes
            operands = trial.operands
            constants = trial.constants
            sets = trial.sets
            messages = trial.messages
            regularExpressions = trial.regularExpressions
            slots = trial.slots
        }
        do throws(Failure) {
            return .success(try trial.value(node, in: none, state: &state))
        } catch {
            return .failure(error)
        }
    }

    /// The maximum number of steps for folding one part.
    private var foldingBudget: Int { 10_000 }
}
