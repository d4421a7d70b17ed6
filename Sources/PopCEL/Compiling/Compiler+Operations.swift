internal import PopSource

extension Compiler {
    mutating func compileOperation(_ node: NodeID) -> Int {
        guard let operation = tree.operation(node) else { return addFailure("broken", at: node) }
        switch operation {
        case .and, .or: return compileLogic(operation, at: node)
        case .conditional: return compileConditional(node)
        case .not:
            let operand = compile(tree.child(node, at: 0))
            return folded(add(.not, at: node, a: operand), first: operand)
        case .negate:
            let operand = compile(tree.child(node, at: 0))
            return folded(add(.negate, at: node, a: operand), first: operand)
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .add,
            .subtract, .multiply, .divide, .modulo, .index, .optionalIndex:
            break
        }
        let left = compile(tree.child(node, at: 0))
        let right = compile(tree.child(node, at: 1))
        return folded(
            compileBinary(operation, at: node, left: left, right: right), first: left, second: right
        )
    }

    private mutating func compileBinary(
        _ operation: Operator, at node: NodeID, left: Int, right: Int
    ) -> Int {
        switch operation {
        case .index: return add(.index, at: node, a: left, b: right)
        case .optionalIndex: return add(.index, at: node, flag: true, a: left, b: right)
        case .in: return compileMembership(node, left: left, right: right)
        case .equal, .notEqual:
            let isNegated = operation == .notEqual
            let general = add(.equal, at: node, flag: isNegated, a: left, b: right)
            return fusedEqual(
                node, left: left, right: right, isNegated: isNegated, general: general)
                ?? fusedEqual(
                    node, left: right, right: left, isNegated: isNegated, general: general)
                ?? general
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return add(.ordered, at: node, operator: operation, a: left, b: right)
        case .and, .or, .conditional, .add, .subtract, .multiply, .divide, .modulo, .not, .negate:
            return add(.arithmetic, at: node, operator: operation, a: left, b: right)
        }
    }

    private mutating func compileLogic(_ operation: Operator, at node: NodeID) -> Int {
        let decisive = operation == .or
        let children = tree.children(of: node)
        let first = operands.count
        operands.append(contentsOf: repeatElement(-1, count: children.count))
        var count = 0
        for child in children {
            let part = compile(child)
            if fuses, nodes[part].operation == .constantTruth {
                // One such part decides the whole, even if other parts fail.
                if nodes[part].flag == decisive { return addConstant(.bool(decisive), at: node) }
                continue
            }
            operands[first + count] = Int32(part)
            count += 1
        }
        if count == 0 { return addConstant(.bool(!decisive), at: node) }
        return add(decisive ? .or : .and, at: node, a: first, b: count)
    }

    private mutating func compileConditional(_ node: NodeID) -> Int {
        let condition = compile(tree.child(node, at: 0))
        let first = compile(tree.child(node, at: 1))
        let second = compile(tree.child(node, at: 2))
        if fuses, nodes[condition].operation == .constantTruth {
            return nodes[condition].flag ? first : second
        }
        return add(.conditional, at: node, a: condition, b: first, c: second)
    }

    private mutating func compileMembership(_ node: NodeID, left: Int, right: Int) -> Int {
        guard fuses, case .list(let list)? = constant(right) else {
            return add(.membership, at: node, a: left, b: right)
        }
        sets.append(ConstantSet(list))
        return add(.inSet, at: node, a: left, b: sets.count - 1)
    }

    /// Compiles the comparison of a macro variable with a string.
    private mutating func fusedEqual(
        _ node: NodeID, left: Int, right: Int, isNegated: Bool, general: Int
    ) -> Int? {
        guard fuses, nodes[left].operation == .local, case .string(let text)? = constant(right)
        else { return nil }
        return add(
            .localEqual, at: node, flag: isNegated, a: Int(nodes[left].a), b: intern(.string(text)),
            c: general)
    }
}

extension Compiler {
    mutating func compileCall(_ node: NodeID, callee: Callee, skipsTarget: Bool) -> Int {
        let arguments = compileOperands(tree.children(of: node).dropFirst(skipsTarget ? 1 : 0))
        let first = arguments.lowerBound
        guard case .library(let code) = callee else {
            guard case .host(let index) = callee else { return addFailure("broken", at: node) }
            return add(.hostCall, at: node, a: first, b: arguments.count, c: index)
        }
        var expression = -1
        if code == .matches, arguments.count == 2,
            case .string(let pattern)? = constant(Int(operands[first + 1]))
        {
            let limits = patternLimits
            let known = knownPatterns[pattern]
            if let compiled = known ?? (try? RegularExpression(pattern, limits: limits)) {
                expression = regularExpressions.count
                regularExpressions.append(compiled)
                slotTable.addPattern(states: compiled.states)
            } else if limits.regexStates < subject.environment.limits.regexStates {
                hasTooManyPatterns = true
            }
        }
        let call = add(
            .call, at: node, function: code, a: first, b: arguments.count, c: expression)
        return folded(call, parts: arguments)
    }

    /// The limits of the next pattern, which has at most the number of states that are left.
    private var patternLimits: CELLimits {
        var limits = subject.environment.limits
        limits.regexStates = min(
            limits.regexStates, limits.regexStatesTogether - slotTable.patternStates)
        return limits
    }

    mutating func compileSelect(_ node: NodeID) -> Int {
        let operand = compile(tree.child(node, at: 0))
        let name = intern(.string(tree.name(node)))
        return folded(
            add(.select, at: node, flag: tree.nodes[node].flag, a: operand, b: name), first: operand
        )
    }

    /// Compiles `has(name)`: for a declared variable it checks the slot; for a field, the enclosing
    /// value.
    mutating func compilePresence(_ node: NodeID) -> Int {
        let operand = tree.child(node, at: 0)
        switch subject.checked.nodes[operand].reference {
        case .variable, .slotCall:
            let slot = compile(operand)
            return add(.slotPresent, at: node, a: Int(nodes[slot].a))
        case .local, .constant: return addConstant(.bool(true), at: node)
        case .none, .function: break
        }
        if subject.checked.failures[operand] != nil || tree.nodes[operand].kind != .select {
            return compile(operand)
        }
        let target = compile(tree.child(operand, at: 0))
        let name = intern(.string(tree.name(operand)))
        return folded(add(.hasField, at: node, a: target, b: name), first: target)
    }

    mutating func compileList(_ node: NodeID) -> Int {
        let elements = compileOperands(tree.children(of: node))
        if fuses {
            let values = elements.compactMap { constant(Int(operands[$0])) }
            if values.count == elements.count { return addConstant(.list(values), at: node) }
        }
        return add(.list, at: node, a: elements.lowerBound, b: elements.count)
    }

    mutating func compileMap(_ node: NodeID) -> Int {
        let parts = compileOperands(tree.children(of: node))
        return folded(add(.map, at: node, a: parts.lowerBound, b: parts.count), parts: parts)
    }

    mutating func compileMacro(_ node: NodeID) -> Int {
        let range = compile(tree.child(node, at: 0))
        let variables = Int(tree.nodes[node].payload)
        guard case .local(let local) = subject.checked.nodes[tree.child(node, at: 1)].reference
        else {
            return addFailure("broken", at: node)
        }
        let before = nodes.count
        let children = tree.childCount(node)
        let filter = tree.nodes[node].flag ? compile(tree.child(node, at: children - 2)) : -1
        let body = compile(tree.child(node, at: children - 1))
        let parts = addOperands([range, body, filter, local, variables, nodes.count - before + 1])
        return add(.comprehension, at: node, macro: tree.nodes[node].macro, a: parts)
    }
}
