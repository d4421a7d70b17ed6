internal import PopCEL
internal import PopSource

// Advice on names and calls that are joined or bracketed in another way than here.
extension Checker {
    /// `Europe/Berlin` without quotes and `user/age`: a division of names that no one declared.
    mutating func reportPath(_ node: NodeID) -> Bool {
        let text = tree.written(node)
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1,
            parts.allSatisfy({ part in
                part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
                    && !part.allSatisfy { $0.isNumber }
                    && environment.variable(named: String(part)) == nil
            })
        else { return false }
        let name = text.replacing("/", with: ".")
        var diagnostic = Diagnostic(
            .conditionUnknownKey, message: "unknown name `\(text)`: `/` divides",
            at: tree.range(node), label: "read as a division")
        if environment.variable(named: name) != nil {
            diagnostic.offer(
                "join the parts of a name with `.`", rewriting: tree.rewriting([(node, name)]),
                isSafe: false)
        } else if text.first?.isUppercase == true {
            diagnostic.offer(
                "put a time zone in quotes",
                rewriting: tree.rewriting([(node, "\"\(text)\"")]), isSafe: false)
        } else {
            return false
        }
        diagnostics.report(diagnostic)
        subject.checked.failures[node] = "unknown name `\(text)`"
        return true
    }

    /// `events.count("x")`: events are asked with a function.
    mutating func reportEventsAsList(_ node: NodeID, name: String) -> Bool {
        let target = tree.child(node, at: 0)
        guard let list = tree.dottedName(target), ["events", "event", "history"].contains(list),
            environment.variable(named: list) == nil
        else { return false }
        var diagnostic = Diagnostic(
            .conditionUnknownFunction, message: "unknown function `\(list).\(name)`",
            at: tree.focus(node), label: "no such function")
        guard
            offerEvents(
                name.lowercased(), operands: Array(tree.children(of: node).dropFirst()), at: node,
                to: &diagnostic)
        else { return false }
        diagnostics.report(diagnostic)
        subject.checked.failures[node] = "unknown function `\(list).\(name)`"
        return true
    }

    /// Reports `event_count("x" > 2)`: the comparison belongs after the bracket.
    mutating func reportComparisonInside(_ node: NodeID, function: String) -> Bool {
        guard tree.childCount(node) == 1, let operation = tree.operation(tree.child(node, at: 0)),
            operation.isOrdering || operation == .equal || operation == .notEqual
        else { return false }
        let comparison = tree.child(node, at: 0)
        let (name, number) = (tree.child(comparison, at: 0), tree.child(comparison, at: 1))
        guard case .string? = tree.literal(name), case .int? = tree.literal(number) else {
            return false
        }
        var diagnostic = Diagnostic(
            .conditionTypeMismatch,
            message: "the comparison is inside the parentheses of `\(function)`",
            at: tree.range(comparison), label: "compares a string with a number")
        let call = "\(function)(\(tree.written(name)))"
        diagnostic.offer(
            "move the comparison after the parentheses",
            rewriting: tree.rewriting([
                (node, "\(call) \(operation.symbol) \(tree.written(number))")
            ]), isSafe: false)
        diagnostics.report(diagnostic)
        return true
    }
}
