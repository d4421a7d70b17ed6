internal import PopCEL
internal import PopSource

// Advice on values as operands of `&&` and `||`.
extension Checker {
    /// Offers a comparison for a value next to one, as in `plan == "pro" || "team"`. A key there
    /// has another meaning.
    func offerComparison(
        of operand: NodeID, in chain: NodeID, to diagnostic: inout Diagnostic
    ) {
        guard diagnostics.list.count < CELLimits.offers else { return }
        let operands = Array(tree.children(of: chain))
        if offerSameQuestion(of: operand, in: chain, to: &diagnostic) { return }
        guard let operation = tree.operation(chain),
            let position = operands.firstIndex(of: operand),
            tree.literal(operand) != nil,
            let compared = operands[..<position].last(where: {
                tree.operation($0) == .equal || tree.operation($0) == .notEqual
            }), let comparison = tree.operation(compared),
            // The other side may be the literal, as in `"pro" == plan || "team"`.
            let side = [0, 1].map({ tree.child(compared, at: $0) })
                .first(where: { tree.literal($0) == nil }),
            subject.checked.type(side) == subject.checked.type(operand)
        else { return }
        let name = tree.operand(side)
        let text = "\(name) \(comparison.symbol) \(tree.written(operand))"
        if (operation == .or) == (comparison == .equal) {
            diagnostic.offer(
                "repeat the compared value in each comparison",
                rewriting: tree.rewriting([(operand, text)]),
                isSafe: operation == .or)
        } else if operands.count == 2, comparison == .notEqual {
            diagnostic.offer(
                "if the value must be neither",
                rewriting: tree.rewriting([(chain, "\(tree.written(compared)) && \(text)")]),
                isSafe: false)
        } else if operands.count == 2 {
            diagnostic.offer(
                "if one of the values is enough",
                rewriting: tree.rewriting([(chain, "(\(tree.written(compared)) || \(text))")]),
                isSafe: false)
        }
    }

    /// Offers the check of the other side for a value, as in `"es" in tags || "fr"` and
    /// `name.startsWith("A") || "B"`. Returns whether there is such a side.
    private func offerSameQuestion(
        of operand: NodeID, in chain: NodeID, to diagnostic: inout Diagnostic
    ) -> Bool {
        guard case .string? = tree.literal(operand) else { return false }
        let operands = Array(tree.children(of: chain))
        let position = operands.firstIndex(of: operand) ?? 0
        // Operands before the value are nearer than those after it.
        for other in operands[..<position].reversed() + operands[position...] {
            guard let text = question(other, askedOf: operand, in: chain) else { continue }
            let isCertain = tree.operation(chain) == .or && tree.operation(tree.root) != .not
            diagnostic.offer(
                "repeat the check on each side", rewriting: tree.rewriting([(operand, text)]),
                isSafe: isCertain)
            return true
        }
        return false
    }

    /// A question for a literal, asked of another one; nil for other questions.
    private func question(
        _ node: NodeID, askedOf operand: NodeID, in chain: NodeID
    ) -> String? {
        guard tree.childCount(node) == 2 else { return nil }
        let (first, second) = (tree.child(node, at: 0), tree.child(node, at: 1))
        let value = tree.written(operand)
        if tree.operation(node) == .in, case .string? = tree.literal(first) {
            return "\(value) in \(tree.operand(second))"
        }
        guard tree.kind(of: node) == .memberCall, case .string? = tree.literal(second) else {
            return nil
        }
        if tree.name(node) == "contains",
            case .list = subject.checked.typeTable[subject.checked.type(first)]
        {
            return "\(value) in \(tree.operand(first))"
        }
        // No text begins in two ways.
        let names =
            tree.operation(chain) == .or
            ? ["contains", "matches", "startsWith", "endsWith"] : ["contains", "matches"]
        guard subject.checked.type(first) == .string, names.contains(tree.name(node)) else {
            return nil
        }
        return "\(tree.operand(first)).\(tree.name(node))(\(value))"
    }
}
