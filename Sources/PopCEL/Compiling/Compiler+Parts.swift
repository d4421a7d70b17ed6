internal import PopSource

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
            if let compiled = try? RegularExpression(pattern, limits: limits) {
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
