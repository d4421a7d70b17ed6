public import PopSource

/// A parsed expression: a flat syntax tree whose every node knows its place in the file.
public struct Expression: Sendable {
    /// The tree as it was parsed or built.
    let read: SyntaxTree
    /// The place of the text, if it differs from the place where the text was parsed.
    let place: Place?

    /// The place of a text. A class, since every expression and every program has room for one.
    package final class Place: Sendable {
        fileprivate let map: TextMap

        fileprivate init(_ map: TextMap) { self.map = map }
    }

    package init(tree: SyntaxTree, at place: Place? = nil) {
        read = tree
        self.place = place
    }

    /// The tree with the places of this expression; for a moved expression, created on each call.
    package var tree: SyntaxTree {
        guard let place, case .text(_, let bytes) = read.origins.first else { return read }
        return SyntaxTree(read, at: .text(place.map, bytes: bytes))
    }

    /// The place of the whole expression.
    public var range: SourceRange { tree.range(read.root) }

    /// Returns true if a name occurs in it: a variable, a part of a dotted name, or a function.
    public func mentions(_ name: String) -> Bool {
        let length = name.utf8.count
        return read.nodes.indices.contains {
            let node = read.nodes[$0]
            // Most names in the text differ in their length.
            guard node.kind.hasName, node.placeOfName.map({ $0.count == length }) ?? true else {
                return false
            }
            return read.hasName($0, name: name)
        }
    }

    /// Returns true if a function is called by that name.
    package func calls(_ name: String) -> Bool {
        mentions(name)
            && read.nodes.indices.contains {
                read.nodes[$0].kind == .call && read.hasName($0, name: name)
            }
    }

    /// The constants that it contains, in the order of the text.
    public var literals: [Value] { read.nodes.indices.compactMap(read.literal) }

    /// Parses an expression; `map` leads from the bytes of the text to the file.
    ///
    /// Without `macros`, `has`, `all`, `exists` and the like are ordinary calls. Linear in the
    /// text. With `advice`, a text with syntax errors is examined for its intended meaning.
    public static func parse(
        _ text: String, map: TextMap, limits: CELLimits = .standard, macros: Bool = true,
        advice: Advice? = nil
    ) -> Checked<Expression> {
        do throws(SyntaxError) {
            let tree = try Parser.parse(
                Array(text.utf8), map: map, limits: limits, expandsMacros: macros)
            return Checked(Expression(tree: tree))
        } catch {
            let bytes = Array(text.utf8)
            return Checked(
                nil,
                diagnostics: UnparsedSource(
                    error: error, bytes: bytes, map: map, limits: limits, environment: nil,
                    expected: nil
                ).findings(advice))
        }
    }

    /// Returns the expression of the same text at another place.
    ///
    /// Precondition: the expression was parsed, and the map leads from its text.
    package func moved(to map: TextMap) -> Expression { Expression(tree: read, at: Place(map)) }

    /// An identity that is equal for all expressions that were moved from one, as long as one of
    /// them exists.
    package var origin: ObjectIdentifier { ObjectIdentifier(read) }

    /// Parses an expression that isn't in a file.
    public static func parse(
        _ text: String, limits: CELLimits = .standard, advice: Advice? = nil
    ) -> Checked<Expression> {
        let file = FileID(index: 0)
        return parse(
            text, map: TextMap(file: file, offset: 0, length: text.utf8.count), limits: limits,
            advice: advice)
    }
}

extension UnparsedSource {
    /// Returns the mistakes in the text. A text that is too large isn't examined further.
    func findings(_ advice: Advice?) -> Diagnostics {
        guard let advice, error.check != .conditionCost else {
            return Diagnostics([Diagnostic(error, map: map)])
        }
        return advice.unread(self)
    }
}

extension Diagnostic {
    package init(_ error: SyntaxError, map: TextMap) {
        self.init(
            error.check, message: error.message, at: map.range(error.range), label: error.label,
            help: error.help)
    }
}

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
