/// One test of a condition and its jump targets: `&&`, `||`, `!` and `? :` become jumps, as in
/// hand-written code.
///
/// Most tests are decided by the bits of a slot. Following branches in one loop takes about a third
/// of the instructions of walking the tree of operations.
struct Branch: Sendable {
    /// The ends of a condition; any other value is the index of a branch.
    static let yes: Int32 = -1
    static let no: Int32 = -2

    var test: SlotTest
    /// The next branch if the test holds, and if it doesn't.
    var whenTrue: Int32
    var whenFalse: Int32
    /// The node of the plan that computes the same for values of any kind.
    var node: Int32
}

extension Compiler {
    /// Adds the branches of a node, the last first, and returns the first branch.
    ///
    /// The list of branches is a parameter, so that no method mutates the compiler, which would
    /// cause copies of the unchanged parts.
    func addBranches(
        _ index: Int, whenTrue: Int32, whenFalse: Int32, to branches: inout [Branch]
    ) -> Int32 {
        let node = nodes[index]
        switch node.operation {
        case .constantTruth: return node.flag ? whenTrue : whenFalse
        case .not:
            return addBranches(
                Int(node.a), whenTrue: whenFalse, whenFalse: whenTrue, to: &branches)
        case .and, .or:
            return addChain(node, whenTrue: whenTrue, whenFalse: whenFalse, to: &branches)
        case .inSet where nodes[Int(node.a)].operation == .slot:
            guard let cells = sets[Int(node.b)].exactCells else { break }
            var next = whenFalse
            for cell in cells.reversed() {
                next = branches.add(
                    Branch(
                        test: SlotTest(cell: cell, kind: .isEqual, slot: nodes[Int(node.a)].a),
                        whenTrue: whenTrue, whenFalse: next, node: Int32(index)))
            }
            return next
        case .constant, .slot, .local, .fail, .select, .index, .arithmetic, .negate, .call,
            .hostCall, .list, .map, .optionalEntry, .comprehension, .conditional, .equal, .ordered,
            .membership, .inSet, .hasField, .slotPresent, .localEqual:
            break
        }
        let test = slotTest(node)
        let isNegated = node.operation == .equal && node.flag && test != nil
        return branches.add(
            Branch(
                test: test ?? SlotTest(kind: .evaluate),
                whenTrue: isNegated ? whenFalse : whenTrue,
                whenFalse: isNegated ? whenTrue : whenFalse, node: Int32(index)))
    }

    /// Adds the branches of `&&` and `||`: each operand leads to the next one unless it decides.
    private func addChain(
        _ node: PlanNode, whenTrue: Int32, whenFalse: Int32, to branches: inout [Branch]
    ) -> Int32 {
        var next = node.operation == .and ? whenTrue : whenFalse
        for position in (Int(node.a)..<Int(node.a) + Int(node.b)).reversed() {
            let operand = Int(operands[position])
            next =
                node.operation == .and
                ? addBranches(operand, whenTrue: next, whenFalse: whenFalse, to: &branches)
                : addBranches(operand, whenTrue: whenTrue, whenFalse: next, to: &branches)
        }
        return next
    }

    /// Returns the slot test that a node is equivalent to; nil if there is no such test. For a node
    /// with `!=` it is the test for `==`.
    private func slotTest(_ node: PlanNode) -> SlotTest? {
        switch node.operation {
        case .slot: return SlotTest(cell: SlotCell(.bool(true)), kind: .isEqual, slot: node.a)
        case .slotPresent: return SlotTest(kind: .isPresent, slot: node.a)
        case .equal:
            return equality(Int(node.a), Int(node.b)) ?? equality(Int(node.b), Int(node.a))
        case .ordered:
            return order(node.operator, left: Int(node.a), right: Int(node.b))
                ?? order(node.operator.mirrored, left: Int(node.b), right: Int(node.a))
        case .call where node.function == .startsWith && node.b == 2: return prefix(node)
        case .comprehension where node.macro == .exists: return element(node)
        case .constant, .local, .fail, .select, .index, .arithmetic, .negate, .call, .hostCall,
            .list, .map, .optionalEntry, .comprehension, .conditional, .constantTruth, .and, .or,
            .not, .membership, .inSet, .hasField, .localEqual:
            return nil
        }
    }

    private func equality(_ left: Int, _ right: Int) -> SlotTest? {
        guard nodes[left].operation == .slot, let value = constant(right) else { return nil }
        let cell = SlotCell(value)
        guard cell.kind.isExact else { return nil }
        return SlotTest(cell: cell, kind: .isEqual, slot: nodes[left].a)
    }

    private func order(_ operation: Operator, left: Int, right: Int) -> SlotTest? {
        guard let value = constant(right) else { return nil }
        let operand = nodes[left]
        if operand.operation == .slot {
            switch value {
            case .int, .uint, .double:
                return SlotTest(
                    cell: SlotCell(value), kind: .isOrdered, operator: operation, slot: operand.a)
            case .null, .bool, .string, .bytes, .timestamp, .duration, .version, .list, .map,
                .type, .optional:
                return nil
            }
        }
        guard case .int = value, operand.operation == .call, operand.function == .size,
            operand.b == 1
        else { return nil }
        let argument = nodes[Int(operands[Int(operand.a)])]
        guard argument.operation == .slot else { return nil }
        return SlotTest(
            cell: SlotCell(value), kind: .hasSize, operator: operation, slot: argument.a)
    }

    /// Returns the test for `slot.startsWith("short")`.
    private func prefix(_ node: PlanNode) -> SlotTest? {
        let text = nodes[Int(operands[Int(node.a)])]
        guard text.operation == .slot,
            case .string(let prefix)? = constant(Int(operands[Int(node.a) + 1])),
            prefix.utf8.count <= SlotCell.shortStringLimit
        else { return nil }
        return SlotTest(cell: SlotCell(.string(prefix)), kind: .startsWith, slot: text.a)
    }

    /// Returns the test for `slot.exists(t, t == "constant")`.
    private func element(_ node: PlanNode) -> SlotTest? {
        func part(_ offset: Int) -> Int { Int(operands[Int(node.a) + offset]) }
        let range = nodes[part(Plan.Comprehension.range)]
        let body = nodes[part(Plan.Comprehension.body)]
        guard range.operation == .slot, part(Plan.Comprehension.variables) == 1,
            part(Plan.Comprehension.filter) < 0, body.operation == .localEqual, !body.flag,
            Int(body.a) == part(Plan.Comprehension.local),
            case .string(let wanted) = constants[Int(body.b)],
            wanted.utf8.allSatisfy({ $0 < 0x80 })
        else { return nil }
        return SlotTest(
            cell: SlotCell(kind: .other, low: UInt64(body.b)), kind: .hasElement, slot: range.a)
    }
}

extension [Branch] {
    fileprivate mutating func add(_ branch: Branch) -> Int32 {
        append(branch)
        return Int32(count - 1)
    }
}
