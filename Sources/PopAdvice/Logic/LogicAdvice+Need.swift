internal import PopCEL

extension CheckedExpression {
    /// Whether parts of it may clash or always hold: some part is constant, or it reads a name
    /// twice, a named condition, or compares a name with what its bounds may decide. Of most
    /// conditions none of that is so, and looking closer would take longer than compiling them.
    /// Linear.
    var mayClash: Bool {
        var seen: UInt64 = 0
        for node in tree.nodes.indices {
            switch checked.nodes[node].reference {
            case .variable(let index):
                if environment.variables[index].definition != nil { return true }
                // Two names with one bit only make for a closer look.
                let bit = UInt64(1) << UInt64(index & 63)
                if seen & bit != 0 { return true }
                seen |= bit
            case .slotCall: return true
            case .none, .local, .constant, .function:
                if isConstantPart(node) { return true }
            }
        }
        return false
    }

    private func isConstantPart(_ node: NodeID) -> Bool {
        switch tree.nodes[node].kind {
        case .literal:
            if case .bool = tree.values[Int(tree.nodes[node].payload)] { return true }
            return false
        case .operation where tree.childCount(node) == 2:
            let (left, right) = (tree.child(node, at: 0), tree.child(node, at: 1))
            return mayBeDecided(left, by: right) || mayBeDecided(right, by: left)
        default: return false
        }
    }

    /// Whether a constant decides a comparison with a constant, or with a name that has bounds.
    private func mayBeDecided(_ node: NodeID, by constant: NodeID) -> Bool {
        let isLiteral = tree.nodes[constant].kind == .literal
        guard case .variable(let index) = checked.nodes[node].reference else {
            return isLiteral && tree.nodes[node].kind == .literal
        }
        // Such as `duration("1h")`.
        guard isLiteral || tree.nodes[constant].kind == .call else { return false }
        let variable = environment.variables[index]
        guard let value = tree.literal(constant) else {
            return variable.minimum != nil || variable.maximum != nil
        }
        let isAbove = variable.minimum.map { $0.numericOrder(value) == .less } ?? true
        let isBelow = variable.maximum.map { value.numericOrder($0) == .less } ?? true
        return !isAbove || !isBelow
    }
}
