/// One test of a condition and where to go from there: `&&`, `||`, `!` and `? :` become jumps, as in hand-written code.
///
/// Most tests are decided from the bits of a slot alone. Following branches in one loop takes about a third of the
/// instructions of walking the tree of operations.
struct Branch: Sendable {
    enum Test: UInt8, Sendable {
        /// Whatever node `node` comes to.
        case evaluate
        /// The slot is true.
        case isTrue
        /// The slot has a value.
        case isPresent
        /// The slot equals the cell.
        case isEqual
        /// `operator` on the slot and the cell, numbers of one type.
        case isOrdered
        /// `operator` on the size of the slot and the cell, an int.
        case hasSize
        /// The slot starts with the cell, a short string.
        case startsWith
        /// The slot is a list with an element that equals the constant `cell.low`, a string of ASCII.
        case hasElement
    }

    /// Where a condition ends; anything else is the index of a branch.
    static let yes: Int32 = -1
    static let no: Int32 = -2

    var test: Test
    var `operator` = Operator.and
    var slot: Int32 = 0
    var cell = SlotCell(kind: .missing)
    /// The node of the plan that says the same for values of any kind.
    var node: Int32
    /// The branch behind it when the test holds, and when it does not.
    var whenTrue: Int32
    var whenFalse: Int32
}

extension Compiler {
    /// Adds the branches of a node, the last first, and gives the one to begin with.
    mutating func addBranches(_ index: Int, whenTrue: Int32, whenFalse: Int32) -> Int32 {
        let node = nodes[index]
        switch node.operation {
        case .constantTruth: return node.flag ? whenTrue : whenFalse
        case .not: return addBranches(Int(node.a), whenTrue: whenFalse, whenFalse: whenTrue)
        case .and, .or:
            var next = node.operation == .and ? whenTrue : whenFalse
            for position in (Int(node.a)..<Int(node.a) + Int(node.b)).reversed() {
                let operand = Int(operands[position])
                next =
                    node.operation == .and
                    ? addBranches(operand, whenTrue: next, whenFalse: whenFalse)
                    : addBranches(operand, whenTrue: whenTrue, whenFalse: next)
            }
            return next
        case .inSet where nodes[Int(node.a)].operation == .slot:
            guard let cells = sets[Int(node.b)].exactCells else { break }
            var next = whenFalse
            for cell in cells.reversed() {
                next = add(
                    Branch(
                        test: .isEqual, slot: nodes[Int(node.a)].a, cell: cell, node: Int32(index),
                        whenTrue: whenTrue, whenFalse: next))
            }
            return next
        default: break
        }
        var branch =
            slotTest(index, node)
            ?? Branch(test: .evaluate, node: Int32(index), whenTrue: whenTrue, whenFalse: whenFalse)
        let isNegated = node.operation == .equal && node.flag && branch.test != .evaluate
        branch.whenTrue = isNegated ? whenFalse : whenTrue
        branch.whenFalse = isNegated ? whenTrue : whenFalse
        return add(branch)
    }

    private mutating func add(_ branch: Branch) -> Int32 {
        branches.append(branch)
        return Int32(branches.count - 1)
    }

    /// The test of a slot that a node is; nil when it is none. Says what `==` would where the node is `!=`.
    private func slotTest(_ index: Int, _ node: PlanNode) -> Branch? {
        switch node.operation {
        case .slot: return test(.isTrue, slot: node.a, of: index)
        case .slotPresent: return test(.isPresent, slot: node.a, of: index)
        case .equal:
            return equality(index, Int(node.a), Int(node.b))
                ?? equality(index, Int(node.b), Int(node.a))
        case .ordered:
            return order(index, node.operator, Int(node.a), Int(node.b))
                ?? order(index, node.operator.mirrored, Int(node.b), Int(node.a))
        case .call where node.function == .startsWith && node.b == 2: return prefix(index, node)
        case .comprehension where node.macro == .exists: return element(index, node)
        default: return nil
        }
    }

    private func test(
        _ test: Branch.Test, _ operation: Operator = .and, slot: Int32,
        _ cell: SlotCell = SlotCell(kind: .missing), of node: Int
    ) -> Branch {
        Branch(
            test: test, operator: operation, slot: slot, cell: cell, node: Int32(node),
            whenTrue: Branch.yes, whenFalse: Branch.no)
    }

    private func equality(_ index: Int, _ left: Int, _ right: Int) -> Branch? {
        guard nodes[left].operation == .slot, let value = constant(right) else { return nil }
        let cell = SlotCell(value)
        return cell.kind.isExact ? test(.isEqual, slot: nodes[left].a, cell, of: index) : nil
    }

    private func order(
        _ index: Int, _ operation: Operator, _ left: Int, _ right: Int
    ) -> Branch? {
        guard let value = constant(right) else { return nil }
        let operand = nodes[left]
        switch (operand.operation, value) {
        case (.slot, .int), (.slot, .uint), (.slot, .double):
            return test(.isOrdered, operation, slot: operand.a, SlotCell(value), of: index)
        case (.call, .int) where operand.function == .size && operand.b == 1:
            let argument = nodes[Int(operands[Int(operand.a)])]
            guard argument.operation == .slot else { return nil }
            return test(.hasSize, operation, slot: argument.a, SlotCell(value), of: index)
        default: return nil
        }
    }

    /// `slot.startsWith("short")`.
    private func prefix(_ index: Int, _ node: PlanNode) -> Branch? {
        let text = nodes[Int(operands[Int(node.a)])]
        guard text.operation == .slot,
            case .string(let prefix)? = constant(Int(operands[Int(node.a) + 1])),
            prefix.utf8.count <= SlotCell.shortStringLimit
        else { return nil }
        return test(.startsWith, slot: text.a, SlotCell(.string(prefix)), of: index)
    }

    /// `slot.exists(t, t == "constant")`.
    private func element(_ index: Int, _ node: PlanNode) -> Branch? {
        func part(_ offset: Int) -> Int { Int(operands[Int(node.a) + offset]) }
        let range = nodes[part(Plan.Comprehension.range)]
        let body = nodes[part(Plan.Comprehension.body)]
        guard range.operation == .slot, part(Plan.Comprehension.variables) == 1,
            part(Plan.Comprehension.filter) < 0, body.operation == .localEqual, !body.flag,
            Int(body.a) == part(Plan.Comprehension.local),
            case .string(let wanted) = constants[Int(body.b)],
            wanted.utf8.allSatisfy({ $0 < 0x80 })
        else { return nil }
        return test(
            .hasElement, slot: range.a, SlotCell(kind: .other, low: UInt64(body.b)), of: index)
    }
}
