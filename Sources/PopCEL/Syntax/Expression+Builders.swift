public import PopSource

// Trees that aren't written as text: the structured forms of conditions.
extension Expression {
    /// Returns a constant that is written at a place.
    public static func literal(_ value: Value, at range: SourceRange) -> Expression {
        var builder = ExpressionBuilder(at: range)
        builder.tree.values = [value]
        return builder.finish(.literal)
    }

    /// Returns a declared variable; dots are part of its name.
    public static func name(_ dotted: String, at range: SourceRange) -> Expression {
        var builder = ExpressionBuilder(at: range)
        builder.tree.root = builder.addName(dotted)
        return Expression(tree: SyntaxTree(builder.tree))
    }

    /// Returns an expression that is true if a declared variable has a value.
    public static func has(_ dotted: String, at range: SourceRange) -> Expression {
        var builder = ExpressionBuilder(at: range)
        let name = builder.addName(dotted)
        return builder.finish(.presence, children: [name])
    }

    /// Returns a call. `function` is a name or one of the language's own names, such as `_==_`,
    /// `_in_`, `!_`.
    public static func call(
        _ function: String, on target: Expression? = nil, arguments: [Expression],
        at range: SourceRange
    ) -> Expression {
        var builder = ExpressionBuilder(at: range)
        let children = ([target].compactMap { $0 } + arguments).map { builder.append($0.tree) }
        if let operation = Operator(functionName: function) {
            return builder.finish(.operation, children: children, operator: operation)
        }
        let name = builder.intern(function)
        return builder.finish(
            target == nil ? .call : .memberCall, children: children, payload: name)
    }

    /// Returns a list of the values of all elements.
    public static func list(_ elements: [Expression], at range: SourceRange) -> Expression {
        var builder = ExpressionBuilder(at: range)
        let children = elements.map { builder.append($0.tree) }
        return builder.finish(.list, children: children)
    }

    /// Returns `&&` of all parts; true without parts.
    public static func all(_ parts: [Expression], at range: SourceRange) -> Expression {
        chain(.and, parts: parts, at: range)
    }

    /// Returns `||` of all parts; false without parts.
    public static func any(_ parts: [Expression], at range: SourceRange) -> Expression {
        chain(.or, parts: parts, at: range)
    }

    private static func chain(
        _ operation: Operator, parts: [Expression], at range: SourceRange
    ) -> Expression {
        if parts.isEmpty { return literal(.bool(operation == .and), at: range) }
        if parts.count == 1 { return parts[0] }
        var builder = ExpressionBuilder(at: range)
        let children = parts.map { builder.append($0.tree) }
        return builder.finish(.operation, children: children, operator: operation)
    }
}

/// Combines trees.
private struct ExpressionBuilder {
    var tree: SyntaxParts
    let range: SourceRange

    init(at range: SourceRange) {
        self.range = range
        tree = SyntaxParts(.file(range.file))
    }

    mutating func finish(
        _ kind: SyntaxNode.Kind, children: [NodeID] = [], payload: Int = 0,
        operator: Operator = .and
    ) -> Expression {
        tree.root = add(kind, children: children, payload: payload, operator: `operator`)
        return Expression(tree: SyntaxTree(tree))
    }

    mutating func add(
        _ kind: SyntaxNode.Kind, children: [NodeID] = [], payload: Int = 0,
        operator: Operator = .and
    ) -> NodeID {
        var node = SyntaxNode(kind: kind, operator: `operator`)
        node.payload = Int32(payload)
        node.start = UInt32(range.lower)
        node.end = UInt32(range.upper)
        node.firstChild = Int32(tree.children.count)
        node.childCount = Int32(children.count)
        for child in children {
            let below = tree.nodes[child].height
            node.height = max(node.height, below == .max ? below : below + 1)
            tree.children.append(child)
        }
        let place = tree.nodes.endIndex
        tree.nodes.append(node)
        return place
    }

    mutating func addName(_ dotted: String) -> NodeID {
        var node: NodeID?
        for part in dotted.split(separator: ".") {
            let name = intern(String(part))
            node = add(
                node == nil ? .identifier : .select, children: node.map { [$0] } ?? [],
                payload: name)
        }
        return node ?? add(.identifier, payload: intern(""))
    }

    mutating func intern(_ name: String) -> Int {
        tree.values.append(.string(name))
        return tree.values.count - 1
    }

    /// Copies a tree into this one and returns the new position of its root.
    mutating func append(_ other: SyntaxTree) -> NodeID {
        let nodeShift = tree.nodes.count
        let childShift = Int32(tree.children.count)
        let originShift = tree.origins.count
        for var node in other.nodes {
            node.firstChild += childShift
            node.origin += UInt32(originShift)
            if node.kind == .literal || node.kind.hasName, node.placeOfName == nil {
                node.payload += Int32(tree.values.count)
            }
            tree.nodes.append(node)
        }
        tree.children.append(contentsOf: other.children.map { $0.advanced(by: nodeShift) })
        tree.values.append(contentsOf: other.values)
        tree.origins.append(contentsOf: other.origins)
        return other.root.advanced(by: nodeShift)
    }
}
