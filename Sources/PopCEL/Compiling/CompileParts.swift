internal import PopSource

extension Compiler {
    mutating func compileCall(_ node: NodeID, _ callee: Callee, skipsTarget: Bool) -> Int {
        let arguments = compileOperands(tree.children(of: node).dropFirst(skipsTarget ? 1 : 0))
        let first = arguments.lowerBound
        guard case .library(let code) = callee else {
            guard case .host(let index) = callee else { return addFailure("broken", node) }
            return add(.hostCall, node, a: first, b: arguments.count, c: index)
        }
        var expression = -1
        if code == .matches, arguments.count == 2,
            case .string(let pattern)? = constant(Int(operands[first + 1])),
            let compiled = try? RegularExpression(pattern, limits: subject.environment.limits)
        {
            expression = regularExpressions.count
            regularExpressions.append(compiled)
        }
        let call = add(
            .call, node, function: code, a: first, b: arguments.count, c: expression)
        return folded(call, arguments)
    }

    mutating func compileSelect(_ node: NodeID) -> Int {
        let operand = compile(tree.child(node, 0))
        let name = intern(.string(tree.name(node)))
        return folded(
            add(.select, node, flag: tree.nodes[node].flag, a: operand, b: name), operand)
    }

    /// `has(name)` of a declared variable asks its slot; of a field, the value that would have it.
    mutating func compilePresence(_ node: NodeID) -> Int {
        let operand = tree.child(node, 0)
        switch subject.checked.nodes[operand].reference {
        case .variable, .slotCall:
            let slot = compile(operand)
            return add(.slotPresent, node, a: Int(nodes[slot].a))
        case .local, .constant: return addConstant(.bool(true), node)
        default: break
        }
        if subject.checked.failures[operand] != nil || tree.nodes[operand].kind != .select {
            return compile(operand)
        }
        let target = compile(tree.child(operand, 0))
        let name = intern(.string(tree.name(operand)))
        return folded(add(.hasField, node, a: target, b: name), target)
    }

    mutating func compileList(_ node: NodeID) -> Int {
        let elements = compileOperands(tree.children(of: node))
        if fuses {
            let values = elements.compactMap { constant(Int(operands[$0])) }
            if values.count == elements.count { return addConstant(.list(values), node) }
        }
        return add(.list, node, a: elements.lowerBound, b: elements.count)
    }

    mutating func compileMap(_ node: NodeID) -> Int {
        let parts = compileOperands(tree.children(of: node))
        return folded(add(.map, node, a: parts.lowerBound, b: parts.count), parts)
    }

    mutating func compileMacro(_ node: NodeID) -> Int {
        let range = compile(tree.child(node, 0))
        let variables = Int(tree.nodes[node].payload)
        guard case .local(let local) = subject.checked.nodes[tree.child(node, 1)].reference else {
            return addFailure("broken", node)
        }
        let before = nodes.count
        let children = tree.childCount(node)
        let filter = tree.nodes[node].flag ? compile(tree.child(node, children - 2)) : -1
        let body = compile(tree.child(node, children - 1))
        let parts = addOperands([range, body, filter, local, variables, nodes.count - before + 1])
        return add(.comprehension, node, macro: tree.nodes[node].macro, a: parts)
    }
}
