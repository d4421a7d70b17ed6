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

extension Parser {
    /// Parses `condition ? … : …`; the question mark is the current token.
    mutating func conditional(
        _ condition: NodeID, from start: Int
    ) throws(SyntaxError) -> NodeID {
        let focus = token.start..<token.end
        try advance()
        let mark = pending.count
        push(condition)
        push(try binary(minimum: Operator.or.precedence))
        try expect(.colon, what: "`:` and the value when the condition is false")
        push(try expression())
        return try add(
            .operation, from: start, operator: .conditional, focus: focus,
            childrenFrom: mark)
    }

    /// Parses operators whose precedence is at least `minimum`.
    mutating func binary(minimum: Int) throws(SyntaxError) -> NodeID {
        let start = token.start
        var left = try unary()
        while let operation = token.kind.binaryOperator, operation.precedence >= minimum {
            let focus = token.start..<token.end
            if operation == .and || operation == .or {
                left = try chain(operation, on: left, from: start, focus: focus)
            } else {
                try advance()
                let right = try binary(minimum: operation.precedence + 1)
                left = try add(
                    node(.operation, from: start, operator: operation, focus: focus), on: left,
                    second: right)
            }
        }
        return left
    }

    /// Parses a chain as one node, so that its length adds no depth.
    private mutating func chain(
        _ operation: Operator, on first: NodeID, from start: Int, focus: Range<Int>
    ) throws(SyntaxError) -> NodeID {
        let kind = try advance().kind
        let second = try binary(minimum: operation.precedence + 1)
        guard token.kind == kind else {
            return try add(
                node(.operation, from: start, operator: operation, focus: focus), on: first,
                second: second)
        }
        let mark = pending.count
        push(first)
        push(second)
        while try accept(kind) { push(try binary(minimum: operation.precedence + 1)) }
        return try add(
            .operation, from: start, operator: operation, focus: focus, childrenFrom: mark)
    }

    private mutating func unary() throws(SyntaxError) -> NodeID {
        guard token.kind == .not || token.kind == .minus else { return try member() }
        var operators: [Token] = []
        while token.kind == .not || token.kind == .minus { operators.append(try advance()) }
        let operand: NodeID
        if let last = operators.last, last.kind == .minus,
            token.kind == .int || token.kind == .double
        {
            operators.removeLast()
            operand = try postfix(
                try number(from: last.start, isNegative: true), from: last.start)
        } else {
            operand = try member()
        }
        return try apply(operators, to: operand)
    }

    private mutating func apply(
        _ operators: [Token], to operand: NodeID
    ) throws(SyntaxError) -> NodeID {
        var operand = operand
        for token in operators.reversed() {
            let operation = token.kind == .not ? Operator.not : .negate
            operand = try add(
                node(
                    .operation, from: token.start, operator: operation,
                    focus: token.start..<token.end), on: operand)
        }
        return operand
    }
}

extension Parser {
    func unexpected(expecting what: String) -> SyntaxError {
        if token.kind == .end {
            return SyntaxError(
                message: "the expression ends too early: expected \(what)",
                range: max(0, previousEnd - 1)..<previousEnd, label: "nothing follows this",
                missingAtEnd: what)
        }
        return SyntaxError(
            message: "expected \(what), found `\(text(token))`", range: token.start..<token.end,
            label: "not expected here")
    }
}

extension SyntaxError {
    package static let endlessText = "a string is not closed"
    package static let foreignCharacter = "not allowed in an expression"

    /// Returns an error about a character that no token begins with.
    package static func unexpectedCharacter(in bytes: [UInt8], at position: Int) -> SyntaxError {
        var end = position + 1
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        let character = String(decoding: bytes[position..<end], as: UTF8.self)
        return SyntaxError(
            message: "unexpected `\(character)`", range: position..<end, label: foreignCharacter)
    }

    static func empty(_ bytes: [UInt8]) -> SyntaxError {
        SyntaxError(message: "the expression is empty", range: 0..<bytes.count)
    }

    static func reserved(_ name: String, at range: Range<Int>) -> SyntaxError {
        SyntaxError(
            message: "`\(name)` is a reserved word and cannot be used as a name", range: range,
            label: "reserved word")
    }

    static func badPresence(_ range: Range<Int>) -> SyntaxError {
        SyntaxError(
            message: "`has()` takes one name or field", range: range,
            label: "neither a name nor a field",
            help: ["use `has()` to check whether a key has a value, such as `has(user.plan)`"])
    }

    static func notAVariable(_ macro: String, at range: Range<Int>) -> SyntaxError {
        SyntaxError(
            message: "the variable of `\(macro)` must be a simple name", range: range,
            label: "not a simple name",
            help: ["use a simple name, such as `t` in `tags.exists(t, t == \"beta\")`"])
    }

    static func sameVariable(_ name: String, at range: Range<Int>) -> SyntaxError {
        SyntaxError(
            message: "two variables have the same name `\(name)`", range: range,
            label: "already used")
    }

    static func tooLong(_ bytes: [UInt8], limits: CELLimits) -> SyntaxError {
        SyntaxError(
            message:
                "the expression is \(bytes.count) bytes long; the limit is \(limits.sourceLength)",
            range: 0..<bytes.count, check: .conditionCost)
    }

    static func tooDeep(_ range: Range<Int>, limits: CELLimits) -> SyntaxError {
        SyntaxError(
            message: "the expression is nested deeper than \(limits.nesting) levels", range: range,
            label: "too deep", check: .conditionCost)
    }

    static func tooManyNodes(_ bytes: [UInt8], limits: CELLimits) -> SyntaxError {
        SyntaxError(
            message: "the expression has more than \(limits.nodes) parts", range: 0..<bytes.count,
            check: .conditionCost)
    }
}
