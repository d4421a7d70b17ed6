package import PopSource

/// Parses the grammar of the language's specification into a syntax tree, by recursive descent with
/// operator precedences.
package struct Parser: ~Copyable {
    private var lexer: Lexer
    private(set) var token: Token
    private(set) var previousEnd = 0
    private(set) var tree: SyntaxParts
    /// Children whose parent doesn't exist yet.
    private(set) var pending: [NodeID] = []
    private let limits: CELLimits
    let expandsMacros: Bool
    private var depth = 0

    /// Parses a whole text into a tree.
    package static func parse(
        _ bytes: [UInt8], map: TextMap, limits: CELLimits, expandsMacros: Bool
    ) throws(SyntaxError) -> SyntaxTree {
        guard bytes.count <= limits.sourceLength else { throw .tooLong(bytes, limits: limits) }
        var lexer = Lexer(bytes)
        let first = try lexer.next()
        if first.kind == .end { throw .empty(bytes) }
        var parser = Parser(
            lexer, first: first, map: map, limits: limits, expandsMacros: expandsMacros)
        parser.tree.root = try parser.expression()
        guard parser.token.kind == .end else { throw parser.unexpected(expecting: "an operator") }
        return parser.finish()
    }

    /// Moves the tree out: a swap retains nothing.
    private mutating func finish() -> SyntaxTree {
        var made = SyntaxParts(.file(FileID(index: 0)))
        swap(&made, &tree)
        return SyntaxTree(made)
    }

    private init(
        _ lexer: Lexer, first: Token, map: TextMap, limits: CELLimits, expandsMacros: Bool
    ) {
        self.lexer = lexer
        tree = SyntaxParts(.text(map, bytes: lexer.bytes))
        token = first
        self.limits = limits
        self.expandsMacros = expandsMacros
        // Typical conditions have one node per five to six bytes. A list that grows is allocated
        // again at twice the size, and kept that way.
        let length = lexer.bytes.count
        tree.nodes.reserveCapacity(length / 5 + 1)
        tree.children.reserveCapacity(length / 5 + 1)
        tree.values.reserveCapacity(length / 14 + 1)
    }

    /// Parses a whole expression: one that is by itself, in parentheses or an argument.
    mutating func expression() throws(SyntaxError) -> NodeID {
        depth += 1
        defer { depth -= 1 }
        guard depth <= limits.nesting else {
            throw .tooDeep(token.start..<token.end, limits: limits)
        }
        let start = token.start
        let condition = try binary(minimum: Operator.or.precedence)
        return token.kind == .question ? try conditional(condition, from: start) : condition
    }
}

// MARK: Going through the tokens

extension Parser {
    var bytes: [UInt8] { lexer.bytes }

    @discardableResult
    mutating func advance() throws(SyntaxError) -> Token {
        let current = token
        previousEnd = token.end
        token = try lexer.next()
        return current
    }

    mutating func accept(_ kind: Token.Kind) throws(SyntaxError) -> Bool {
        guard token.kind == kind else { return false }
        try advance()
        return true
    }

    mutating func expect(_ kind: Token.Kind, what: String) throws(SyntaxError) {
        guard try accept(kind) else { throw unexpected(expecting: what) }
    }

    func text(_ token: Token) -> String {
        String(decoding: bytes[token.start..<token.end], as: UTF8.self)
    }
}

// MARK: Making nodes

extension Parser {
    /// Adds a node whose children are the pending ones from `firstPending` on.
    mutating func add(
        _ kind: SyntaxNode.Kind, from start: Int, payload: Int = 0,
        operator: Operator = .and, macro: Macro = .all,
        flag: Bool = false, focus: Range<Int>? = nil, childrenFrom firstPending: Int
    ) throws(SyntaxError) -> NodeID {
        var node = node(kind, from: start, operator: `operator`, flag: flag, focus: focus)
        node.macro = macro
        node.payload = Int32(payload)
        for index in firstPending..<pending.count { adopt(pending[index], by: &node) }
        // One by one: removing several elements in one call is a replacement, which costs more than
        // a few single removals.
        for _ in 0..<node.childCount { pending.removeLast() }
        return try finish(node)
    }

    /// Adds a node with one or two children.
    mutating func add(
        _ node: consuming SyntaxNode, on first: NodeID, second: NodeID? = nil
    ) throws(SyntaxError) -> NodeID {
        adopt(first, by: &node)
        if let second { adopt(second, by: &node) }
        return try finish(node)
    }

    /// Returns a node that ends after the last token, so far without children.
    @inline(__always)
    func node(
        _ kind: SyntaxNode.Kind, from start: Int, operator: Operator = .and, flag: Bool = false,
        focus: Range<Int>? = nil
    ) -> SyntaxNode {
        var node = SyntaxNode(kind: kind, operator: `operator`, flag: flag)
        node.start = UInt32(start)
        node.end = UInt32(previousEnd)
        node.focusStart = UInt32(focus?.lowerBound ?? start)
        node.focusEnd = UInt32(focus?.upperBound ?? previousEnd)
        node.firstChild = Int32(tree.children.count)
        return node
    }

    @inline(__always)
    private mutating func adopt(_ child: NodeID, by node: inout SyntaxNode) {
        node.childCount += 1
        node.height = max(node.height, tree.nodes[child].height + 1)
        tree.children.append(child)
    }

    @inline(__always)
    mutating func finish(_ node: SyntaxNode) throws(SyntaxError) -> NodeID {
        guard node.height <= limits.nesting else {
            throw .tooDeep(Int(node.start)..<previousEnd, limits: limits)
        }
        guard tree.nodes.count < limits.nodes else { throw .tooManyNodes(bytes, limits: limits) }
        let place = tree.nodes.endIndex
        tree.nodes.append(node)
        return place
    }

    mutating func literal(_ value: Value, from start: Int) throws(SyntaxError) -> NodeID {
        var node = node(.literal, from: start)
        node.payload = Int32(tree.values.count)
        tree.values.append(value)
        return try finish(node)
    }

    mutating func push(_ node: NodeID) {
        // Typical conditions need that many, or none.
        if pending.isEmpty { pending.reserveCapacity(8) }
        pending.append(node)
    }

    /// Moves a pending child to the place of an earlier one.
    mutating func movePending(from place: Int, to earlier: Int) {
        pending[earlier] = pending[place]
        pending.remove(at: place)
    }
}
