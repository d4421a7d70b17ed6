internal import PopCEL
internal import PopSource

// Advice on `!` before a value that isn't a Boolean.
extension Checker {
    /// Advises on `!age > 18`, where `!` only applies to the first operand.
    func adviseOnNegatedComparison(
        _ node: NodeID, operand: NodeID, to diagnostic: inout Diagnostic
    ) {
        guard let parent = tree.parent(of: node) else { return }
        diagnostic = Diagnostic(
            .conditionTypeMismatch, message: "`!` negates only `\(tree.written(operand))`",
            at: tree.range(parent), label: "compares the negated value")
        let comparison = tree.written(parent).dropFirst().drop { $0 == " " }
        diagnostic.offer(
            "use parentheses to negate the whole comparison",
            rewriting: tree.rewriting([(parent, "!(\(comparison))")]), isSafe: false)
    }

    /// Offers the equivalent of `!count` and `!name`, which in other languages check for an empty
    /// value.
    func offerEmptiness(of operand: NodeID, in node: NodeID, to diagnostic: inout Diagnostic) {
        guard tree.literal(operand) == nil else { return diagnostic.help = [] }
        let name = tree.operand(operand)
        let (empty, what): (String, String)
        switch subject.checked.typeTable[subject.checked.type(operand)] {
        case .list, .map: (empty, what) = ("size(\(name)) == 0", "a list is empty")
        case .optional, .type, .wrapper, .opaque, .parameter, .variable, .primitive:
            switch subject.checked.type(operand) {
            case .int: (empty, what) = ("\(name) == 0", "a number is 0")
            case .uint: (empty, what) = ("\(name) == 0u", "a number is 0")
            case .double: (empty, what) = ("\(name) == 0.0", "a number is 0")
            case .string: (empty, what) = ("\(name) == \"\"", "a string is empty")
            default: return
            }
        }
        if let variable = declaration(operand), variable.mayBeMissing {
            return offerNothing(empty, of: variable, in: node, to: &diagnostic)
        }
        let text = tree.fitted(empty, isOperation: true, in: node)
        guard let rewriting = tree.rewriting([(node, text)]) else { return }
        diagnostic.help = []
        diagnostic.offer("use `==` to check whether \(what)", rewriting: rewriting, isSafe: false)
    }

    /// Offers the equivalent of `tags == ""`, which treats a list as a string.
    func offerEmptyList(
        _ list: NodeID, isEmpty: Bool, of node: NodeID, to diagnostic: inout Diagnostic
    ) {
        let asked = "size(\(tree.written(list))) \(isEmpty ? "==" : ">") 0"
        if let variable = declaration(list), variable.mayBeMissing {
            if isEmpty { return offerNothing(asked, of: variable, in: node, to: &diagnostic) }
            let text = tree.fitted(
                "has(\(variable.name)) && \(asked)", isOperation: true, in: node)
            diagnostic.offer(
                "use `size` to check whether a list is empty",
                rewriting: tree.rewriting([(node, text)]), isSafe: false)
            return
        }
        diagnostic.offer(
            "use `size` to check whether a list is empty",
            rewriting: tree.rewriting([(node, tree.fitted(asked, isOperation: true, in: node))]),
            isSafe: false)
    }

    /// Offers the check that a key has no value, or an empty one.
    func offerNothing(
        _ empty: String, of variable: Variable, in node: NodeID, to diagnostic: inout Diagnostic
    ) {
        let missing = "!has(\(variable.name))"
        let either = tree.fitted("\(missing) || \(empty)", isOperation: true, in: node)
        guard let alone = tree.rewriting([(node, missing)]) else { return }
        diagnostic.help = []
        diagnostic.offer("if it must have no value", rewriting: alone, isSafe: false)
        diagnostic.offer(
            "if \(empty.hasSuffix("\"") || empty.hasPrefix("size") ? "an empty value" : "0") is also accepted",
            rewriting: tree.rewriting([(node, either)]), isSafe: false)
    }
}
