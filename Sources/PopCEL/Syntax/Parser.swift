package import PopSource

/// Reads the grammar of the language's specification into a syntax tree, by recursive descent with
/// operator precedences.
package struct Parser: ~Copyable {
    private(set) var lexer: Lexer
    private(set) var token: Token
    private(set) var previousEnd = 0
    private(set) var tree: SyntaxParts
    /// Children whose parent is not made yet.
    private(set) var pending: [NodeID] = []
    private let limits: CELLimits
    private let expandsMacros: Bool
    private(set) var depth = 0

    /// The tree of a whole text.
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

    /// Hands over the tree: a swap counts no references.
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
        // Usual conditions have a node for five to six bytes. What grows is allocated again at
        // twice the size, and kept so.
        let length = lexer.bytes.count
        tree.nodes.reserveCapacity(length / 5 + 1)
        tree.children.reserveCapacity(length / 5 + 1)
        tree.values.reserveCapacity(length / 14 + 1)
    }

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
        // One by one: taking away several at once is a replacement, which costs more than a few of
        // these.
        for _ in 0..<node.childCount { pending.removeLast() }
        return try finish(node)
    }

    /// Adds a node with one or two children.
    private mutating func add(
        _ node: consuming SyntaxNode, on first: NodeID, second: NodeID? = nil
    ) throws(SyntaxError) -> NodeID {
        adopt(first, by: &node)
        if let second { adopt(second, by: &node) }
        return try finish(node)
    }

    /// A node that ends behind the last token, so far without children.
    @inline(__always)
    private func node(
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
    private mutating func finish(_ node: SyntaxNode) throws(SyntaxError) -> NodeID {
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
        // Usual conditions need so many at once, or none.
        if pending.isEmpty { pending.reserveCapacity(8) }
        pending.append(node)
    }
}

// MARK: Operators

extension Parser {
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

    private mutating func conditional(
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

    private mutating func binary(minimum: Int) throws(SyntaxError) -> NodeID {
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

    /// A chain is one node, so that its length adds no depth.
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

// MARK: Selection, indexing and calls

extension Parser {
    private mutating func member() throws(SyntaxError) -> NodeID {
        let start = token.start
        return try postfix(try primary(), from: start)
    }

    /// What stands behind an operand; `start` is where that begins, with its parentheses.
    private mutating func postfix(
        _ operand: NodeID, from start: Int
    ) throws(SyntaxError) -> NodeID {
        var operand = operand
        while true {
            switch token.kind {
            case .dot: operand = try selection(on: operand, from: start)
            case .leftBracket: operand = try index(operand, from: start)
            case .leftBrace:
                guard tree.dottedName(operand) != nil else { return operand }
                operand = try message(named: operand, from: start)
            default: return operand
            }
        }
    }

    private mutating func selection(
        on operand: NodeID, from start: Int
    ) throws(SyntaxError) -> NodeID {
        try advance()
        let isOptional = try accept(.question)
        let field = token
        guard field.kind == .identifier || field.kind == .quotedIdentifier else {
            throw unexpected(expecting: "a name after `.`")
        }
        try advance()
        if token.kind == .leftParenthesis, field.kind == .identifier, !isOptional {
            return try memberCall(field, on: operand, from: start)
        }
        var node = node(
            .select, from: start, flag: isOptional, focus: field.start..<field.end)
        node.payload =
            field.kind == .identifier ? SyntaxNode.plainName : SyntaxNode.quotedName
        return try add(node, on: operand)
    }

    private mutating func memberCall(
        _ field: Token, on operand: NodeID, from start: Int
    ) throws(SyntaxError) -> NodeID {
        let mark = pending.count
        push(operand)
        try argumentList()
        let name = text(field)
        let focus = field.start..<field.end
        if expandsMacros, let macro = try macro(name, mark: mark, from: start, focus: focus) {
            return macro
        }
        return try add(
            .memberCall, from: start, payload: Int(SyntaxNode.plainName), focus: focus,
            childrenFrom: mark)
    }

    /// Pushes the arguments; the parenthesis is the current token.
    private mutating func argumentList() throws(SyntaxError) {
        try advance()
        guard token.kind != .rightParenthesis else {
            try advance()
            return
        }
        repeat {
            let argument = try expression()
            push(argument)
        } while try accept(.comma)
        try expect(.rightParenthesis, what: "`,` or `)`")
    }

    private mutating func index(
        _ operand: NodeID, from start: Int
    ) throws(SyntaxError) -> NodeID {
        let bracket = token.start
        try advance()
        let isOptional = try accept(.question)
        let position = try expression()
        try expect(.rightBracket, what: "`]`")
        let operation = isOptional ? Operator.optionalIndex : .index
        return try add(
            node(.operation, from: start, operator: operation, focus: bracket..<previousEnd),
            on: operand, second: position)
    }

    /// The macro that the pending receiver and arguments make, or nil when the call is an ordinary
    /// one.
    private mutating func macro(
        _ name: String, mark: Int, from start: Int, focus: Range<Int>
    ) throws(SyntaxError) -> NodeID? {
        let arguments = pending.count - mark - 1
        let receiver = pending[mark]
        var shape = Macro.member(name, argumentCount: arguments)
        if name == "bind", arguments == 3, tree.dottedName(receiver) == "cel" {
            shape = Macro.Shape(macro: .bind, variables: 1)
            // The value that is bound takes the place of what other macros range over.
            pending[mark] = pending[mark + 2]
            pending.remove(at: mark + 2)
        }
        guard let shape else { return nil }
        for position in 1...shape.variables {
            let variable = tree.nodes[pending[mark + position]]
            guard variable.kind == .identifier, !variable.flag else {
                throw .notAVariable(name, at: Int(variable.start)..<Int(variable.end))
            }
        }
        if shape.variables == 2,
            tree.name(pending[mark + 1]) == tree.name(pending[mark + 2])
        {
            let second = tree.nodes[pending[mark + 2]]
            throw .sameVariable(
                tree.name(pending[mark + 2]), at: Int(second.start)..<Int(second.end))
        }
        return try add(
            .macro, from: start, payload: shape.variables, macro: shape.macro,
            flag: shape.hasFilter, focus: focus, childrenFrom: mark)
    }
}

// MARK: Primary expressions

extension Parser {
    private mutating func primary() throws(SyntaxError) -> NodeID {
        switch token.kind {
        case .identifier, .dot: return try identifier()
        case .leftParenthesis: return try parenthesized()
        case .leftBracket: return try list()
        case .leftBrace: return try map()
        case .int, .uint, .double: return try number(from: token.start, isNegative: false)
        default: return try constant()
        }
    }

    private mutating func parenthesized() throws(SyntaxError) -> NodeID {
        try advance()
        let inner = try expression()
        try expect(.rightParenthesis, what: "`)`")
        return inner
    }

    /// A literal that is no number.
    private mutating func constant() throws(SyntaxError) -> NodeID {
        let value: Value
        switch token.kind {
        case .string, .bytes: value = try LiteralDecoder(bytes: bytes).string(token)
        case .true: value = .bool(true)
        case .false: value = .bool(false)
        case .null: value = .null
        default: throw unexpected(expecting: "a value")
        }
        let start = token.start
        try advance()
        return try literal(value, from: start)
    }

    private mutating func number(
        from start: Int, isNegative: Bool
    ) throws(SyntaxError) -> NodeID {
        let number = try advance()
        let value = try LiteralDecoder(bytes: bytes).number(number, isNegative: isNegative)
        return try literal(value, from: start)
    }

    /// `name`, `.name` or a call of it.
    private mutating func identifier() throws(SyntaxError) -> NodeID {
        let start = token.start
        let isAbsolute = try accept(.dot)
        guard token.kind == .identifier else { throw unexpected(expecting: "a name after `.`") }
        let word = token
        if bytes.isReserved(word) { throw .reserved(text(word), at: word.start..<word.end) }
        try advance()
        if token.kind == .leftParenthesis {
            return try call(word, from: start, isAbsolute: isAbsolute)
        }
        var node = node(
            .identifier, from: start, flag: isAbsolute, focus: word.start..<word.end)
        node.payload = SyntaxNode.plainName
        return try finish(node)
    }

    /// The parenthesis behind the function's name is the current token.
    private mutating func call(
        _ function: Token, from start: Int, isAbsolute: Bool
    ) throws(SyntaxError) -> NodeID {
        let mark = pending.count
        try argumentList()
        let focus = function.start..<function.end
        if expandsMacros, !isAbsolute, bytes[focus].elementsEqual("has".utf8) {
            return try presence(from: start, focus: focus, mark: mark)
        }
        return try add(
            .call, from: start, payload: Int(SyntaxNode.plainName), flag: isAbsolute,
            focus: focus, childrenFrom: mark)
    }

    private mutating func presence(
        from start: Int, focus: Range<Int>, mark: Int
    ) throws(SyntaxError) -> NodeID {
        guard pending.count == mark + 1 else { throw .badPresence(start..<previousEnd) }
        let argument = tree.nodes[pending[mark]]
        // Of calls, only those that stand for a slot have a presence; the checker knows them.
        guard [.select, .identifier, .call].contains(argument.kind) else {
            throw .badPresence(Int(argument.start)..<Int(argument.end))
        }
        return try add(.presence, from: start, focus: focus, childrenFrom: mark)
    }
}

// Of the bytes and not of the parser: where what changes the parser asked what does not, the parser
// would be copied.
extension [UInt8] {
    /// Whether a word is kept free for languages that the expressions stand in.
    fileprivate func isReserved(_ word: Token) -> Bool {
        guard let reserved = reservedWord(word) else { return false }
        return self[word.start..<word.end].elementsEqual(reserved.utf8)
    }

    /// The only reserved word of the same length and first letter.
    private func reservedWord(_ word: Token) -> String? {
        switch (word.end - word.start, Unicode.Scalar(self[word.start])) {
        case (2, "a"): "as"
        case (2, "i"): "if"
        case (3, "f"): "for"
        case (3, "l"): "let"
        case (3, "v"): "var"
        case (4, "e"): "else"
        case (4, "l"): "loop"
        case (4, "v"): "void"
        case (5, "b"): "break"
        case (5, "c"): "const"
        case (5, "w"): "while"
        case (6, "i"): "import"
        case (6, "r"): "return"
        case (7, "p"): "package"
        case (8, "c"): "continue"
        case (8, "f"): "function"
        case (9, "n"): "namespace"
        default: nil
        }
    }
}
