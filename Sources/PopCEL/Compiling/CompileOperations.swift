internal import PopSource

extension Compiler {
    mutating func compileOperation(_ node: NodeID) -> Int {
        guard let operation = tree.operation(node) else { return addFailure("broken", node) }
        switch operation {
        case .and, .or: return compileLogic(operation, node)
        case .conditional: return compileConditional(node)
        case .not:
            let operand = compile(tree.child(node, 0))
            return folded(add(.not, node, a: operand), [operand])
        case .negate:
            let operand = compile(tree.child(node, 0))
            return folded(add(.negate, node, a: operand), [operand])
        default: break
        }
        let left = compile(tree.child(node, 0))
        let right = compile(tree.child(node, 1))
        return folded(compileBinary(operation, node, left, right), [left, right])
    }

    private mutating func compileBinary(
        _ operation: Operator, _ node: NodeID, _ left: Int, _ right: Int
    ) -> Int {
        switch operation {
        case .index: return add(.index, node, a: left, b: right)
        case .optionalIndex: return add(.index, node, flag: true, a: left, b: right)
        case .in: return compileMembership(node, left, right)
        case .equal, .notEqual:
            let isNegated = operation == .notEqual
            let general = add(.equal, node, flag: isNegated, a: left, b: right)
            return fusedEqual(node, left, right, isNegated, general)
                ?? fusedEqual(node, right, left, isNegated, general) ?? general
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            let general = add(.ordered, node, operator: operation, a: left, b: right)
            return fusedOrder(node, operation, left, right, general)
                ?? fusedOrder(node, operation.mirrored, right, left, general) ?? general
        default: return add(.arithmetic, node, operator: operation, a: left, b: right)
        }
    }

    private mutating func compileLogic(_ operation: Operator, _ node: NodeID) -> Int {
        let decisive = operation == .or
        var parts: [Int] = []
        for child in tree.children(of: node) {
            let part = truthNode(compile(child))
            if fuses, nodes[part].operation == .constantTruth {
                // One such part decides the whole, errors in the others notwithstanding.
                if nodes[part].flag == decisive { return addConstant(.bool(decisive), node) }
                continue
            }
            parts.append(part)
        }
        if parts.isEmpty { return addConstant(.bool(!decisive), node) }
        return add(
            decisive ? .or : .and, node, a: addOperands(parts), b: parts.count)
    }

    /// A slot on its own is read as a truth.
    private mutating func truthNode(_ plan: Int) -> Int {
        guard fuses, nodes[plan].operation == .slot else { return plan }
        return add(.slotTruth, Int(nodes[plan].source), a: Int(nodes[plan].a), c: plan)
    }

    private mutating func compileConditional(_ node: NodeID) -> Int {
        let condition = truthNode(compile(tree.child(node, 0)))
        let first = compile(tree.child(node, 1))
        let second = compile(tree.child(node, 2))
        if fuses, nodes[condition].operation == .constantTruth {
            return nodes[condition].flag ? first : second
        }
        return add(.conditional, node, a: condition, b: first, c: second)
    }

    private mutating func compileMembership(_ node: NodeID, _ left: Int, _ right: Int) -> Int {
        guard fuses, case .list(let list)? = constant(right) else {
            return add(.membership, node, a: left, b: right)
        }
        sets.append(ConstantSet(list))
        let set = sets.count - 1
        let general = add(.inSet, node, a: left, b: set)
        guard nodes[left].operation == .slot else { return general }
        return add(.slotInSet, node, a: Int(nodes[left].a), b: set, c: general)
    }
}

// MARK: Fusing

extension Compiler {
    private mutating func fusedEqual(
        _ node: NodeID, _ left: Int, _ right: Int, _ isNegated: Bool, _ general: Int
    ) -> Int? {
        guard fuses, let value = constant(right) else { return nil }
        let operand = Int(nodes[left].a)
        switch (nodes[left].operation, value) {
        case (.slot, .bool), (.slot, .int), (.slot, .uint), (.slot, .double), (.slot, .string):
            return add(.slotEqual, node, flag: isNegated, a: operand, b: addCell(value), c: general)
        case (.local, .string):
            return add(
                .localEqual, node, flag: isNegated, a: operand, b: intern(value), c: general)
        default: return nil
        }
    }

    private mutating func fusedOrder(
        _ node: NodeID, _ operation: Operator, _ left: Int, _ right: Int, _ general: Int
    ) -> Int? {
        guard fuses, let value = constant(right) else { return nil }
        let operand = nodes[left]
        switch (operand.operation, value) {
        case (.slot, .int), (.slot, .uint), (.slot, .double):
            return add(
                .slotOrdered, node, operator: operation, a: Int(operand.a), b: addCell(value),
                c: general)
        case (.call, .int)
        where operand.function == .size && operand.b == 1:
            let argument = nodes[Int(operands[Int(operand.a)])]
            guard argument.operation == .slot else { return nil }
            return add(
                .slotSizeOrdered, node, operator: operation, a: Int(argument.a),
                b: addCell(value), c: general)
        default: return nil
        }
    }

    /// `slot.startsWith("short")`.
    mutating func fusedCall(
        _ node: NodeID, _ code: FunctionCode, _ arguments: [Int], _ general: Int
    ) -> Int {
        guard fuses, code == .startsWith, arguments.count == 2,
            nodes[arguments[0]].operation == .slot,
            case .string(let prefix)? = constant(arguments[1]),
            prefix.utf8.count <= SlotCell.shortStringLimit
        else { return general }
        return add(
            .slotStartsWith, node, a: Int(nodes[arguments[0]].a), b: addCell(.string(prefix)),
            c: general)
    }
}
