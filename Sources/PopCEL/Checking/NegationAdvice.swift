internal import PopSource

// What is said about `!` in front of what is neither true nor false.
extension Checker {
    /// `!age > 18`, where `!` takes the first operand alone; answers whether it was that.
    mutating func reportNegatedComparison(_ node: NodeID, operand: NodeID) -> Bool {
        guard let parent = tree.parent(of: node), let operation = tree.operation(parent),
            operation.isOrdering || operation == .equal || operation == .notEqual,
            tree.child(parent, at: 0) == node, tree.nodes[parent].start == tree.nodes[node].start
        else { return false }
        var diagnostic = Diagnostic(
            .conditionTypeMismatch, message: "`!` takes `\(tree.written(operand))` alone",
            at: tree.range(parent), label: "the rest is compared with its opposite")
        let comparison = tree.written(parent).dropFirst().drop { $0 == " " }
        diagnostic.offer(
            "that a comparison does not hold is asked with parentheses",
            rewriting: tree.rewriting([(parent, "!(\(comparison))")]), isSafe: false)
        diagnostics.report(diagnostic)
        return true
    }

    /// `!count` and `!name`, which ask elsewhere whether there is nothing.
    func offerEmptiness(of operand: NodeID, in node: NodeID, to diagnostic: inout Diagnostic) {
        let (empty, what): (String, String)
        switch subject.checked.type(operand) {
        case .int: (empty, what) = ("0", "a number is 0")
        case .uint: (empty, what) = ("0u", "a number is 0")
        case .double: (empty, what) = ("0.0", "a number is 0")
        case .string: (empty, what) = ("\"\"", "a text is empty")
        default: return
        }
        let text = tree.fitted("\(tree.operand(operand)) == \(empty)", isOperation: true, in: node)
        guard let rewriting = tree.rewriting([(node, text)]) else { return }
        diagnostic.help = []
        diagnostic.offer("that \(what) is asked with `==`", rewriting: rewriting, isSafe: false)
    }
}
