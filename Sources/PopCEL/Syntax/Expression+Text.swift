extension Expression {
    /// Returns a node as its author wrote it; for built trees, in the syntax of expressions.
    package func text(of node: NodeID) -> String {
        let part = tree.nodes[node]
        if case .text(_, let bytes) = tree.origins[part.origin] {
            return String(decoding: bytes[Int(part.start)..<Int(part.end)], as: UTF8.self)
        }
        switch part.kind {
        case .literal: return tree.literal(node)?.description ?? ""
        case .identifier: return tree.name(node)
        case .select:
            return text(of: tree.child(node, at: 0)) + (part.flag ? ".?" : ".") + tree.name(node)
        case .presence: return "has(\(text(of: tree.child(node, at: 0))))"
        case .call: return "\(tree.name(node))(\(list(tree.children(of: node))))"
        case .memberCall:
            let arguments = list(tree.children(of: node).dropFirst())
            return "\(inner(tree.child(node, at: 0))).\(tree.name(node))(\(arguments))"
        case .operation: return operationText(node)
        case .list: return "[\(list(tree.children(of: node)))]"
        case .map, .message, .macro, .optionalEntry: return "…"
        }
    }

    private func operationText(_ node: NodeID) -> String {
        let children = tree.children(of: node)
        guard let operation = tree.operation(node) else { return "" }
        switch operation {
        case .not, .negate: return operation.symbol + inner(children[0])
        case .conditional:
            return "\(inner(children[0])) ? \(inner(children[1])) : \(inner(children[2]))"
        case .index: return "\(inner(children[0]))[\(text(of: children[1]))]"
        case .optionalIndex: return "\(inner(children[0]))[?\(text(of: children[1]))]"
        case .and, .or, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in,
            .add, .subtract, .multiply, .divide, .modulo:
            return children.map(inner).joined(separator: " \(operation.symbol) ")
        }
    }

    /// Returns the text of an operand, with parentheses if it is an operation.
    private func inner(_ node: NodeID) -> String {
        tree.nodes[node].kind == .operation ? "(\(text(of: node)))" : text(of: node)
    }

    private func list(_ nodes: some Sequence<NodeID>) -> String {
        nodes.map { text(of: $0) }.joined(separator: ", ")
    }
}

extension Expression: CustomStringConvertible {
    /// The expression as text.
    public var description: String { text(of: tree.root) }
}
