internal import PopSource

/// Reads the grammar of the language's specification into a syntax tree, by recursive descent with operator precedences.
struct Parser: ~Copyable {
    private(set) var lexer: Lexer
    private(set) var token: Token
    private(set) var previousEnd = 0
    private(set) var tree: SyntaxParts
    /// Children whose parent is not made yet.
    private(set) var pending: [Int32] = []
    private let limits: CELLimits
    private let expandsMacros: Bool
    private(set) var depth = 0

    /// The tree of a whole text.
    static func parse(
        _ bytes: [UInt8], map: TextMap, limits: CELLimits, expandsMacros: Bool
    ) throws(SyntaxError) -> SyntaxTree {
        guard bytes.count <= limits.sourceLength else { throw .tooLong(bytes, limits) }
        var lexer = Lexer(bytes)
        let first = try lexer.next()
        if first.kind == .end { throw .empty(bytes) }
        var parser = Parser(lexer, first, map, limits: limits, expandsMacros: expandsMacros)
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
        _ lexer: Lexer, _ first: Token, _ map: TextMap, limits: CELLimits, expandsMacros: Bool
    ) {
        self.lexer = lexer
        tree = SyntaxParts(.text(map, bytes: lexer.bytes))
        token = first
        self.limits = limits
        self.expandsMacros = expandsMacros
        // Usual conditions have a node for four to six bytes. What grows is allocated again at twice the size, and kept so.
        let length = lexer.bytes.count
        tree.nodes.reserveCapacity(length / 4 + 1)
        tree.children.reserveCapacity(length / 4 + 1)
        tree.values.reserveCapacity(length / 7 + 1)
        pending.reserveCapacity(8)
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

    mutating func expect(_ kind: Token.Kind, _ what: String) throws(SyntaxError) {
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
        var node = SyntaxNode(kind: kind, operator: `operator`, macro: macro, flag: flag)
        node.payload = Int32(payload)
        node.start = UInt32(start)
        node.end = UInt32(previousEnd)
        node.focusStart = UInt32(focus?.lowerBound ?? start)
        node.focusEnd = UInt32(focus?.upperBound ?? previousEnd)
        node.firstChild = Int32(tree.children.count)
        node.childCount = Int32(pending.count - firstPending)
        for index in firstPending..<pending.count {
            let child = pending[index]
            node.height = max(node.height, tree.nodes[Int(child)].height + 1)
            tree.children.append(child)
        }
        // One by one: taking away several at once is a replacement, which costs more for two or three.
        for _ in 0..<node.childCount { pending.removeLast() }
        guard node.height <= limits.nesting else { throw .tooDeep(start..<previousEnd, limits) }
        guard tree.nodes.count < limits.nodes else { throw .tooManyNodes(bytes, limits) }
        tree.nodes.append(node)
        return tree.nodes.count - 1
    }

    private mutating func leaf(
        _ kind: SyntaxNode.Kind, from start: Int, payload: Int, flag: Bool = false
    ) throws(SyntaxError) -> NodeID {
        try add(kind, from: start, payload: payload, flag: flag, childrenFrom: pending.count)
    }

    mutating func literal(_ value: Value, from start: Int) throws(SyntaxError) -> NodeID {
        tree.values.append(value)
        return try leaf(.literal, from: start, payload: tree.values.count - 1)
    }

    private mutating func intern(_ name: String) -> Int {
        tree.values.append(.string(name))
        return tree.values.count - 1
    }

    mutating func push(_ node: NodeID) { pending.append(Int32(node)) }
}

// MARK: Operators

extension Parser {
    mutating func expression() throws(SyntaxError) -> NodeID {
        depth += 1
        defer { depth -= 1 }
        guard depth <= limits.nesting else { throw .tooDeep(token.start..<token.end, limits) }
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
        try expect(.colon, "`:` and the value when the condition is false")
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
            let mark = pending.count
            push(left)
            if operation == .and || operation == .or {
                // A chain is one node, so that its length adds no depth.
                let kind = token.kind
                while try accept(kind) {
                    push(try binary(minimum: operation.precedence + 1))
                }
            } else {
                try advance()
                push(try binary(minimum: operation.precedence + 1))
            }
            left = try add(
                .operation, from: start, operator: operation, focus: focus, childrenFrom: mark)
        }
        return left
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
            push(operand)
            let operation = token.kind == .not ? Operator.not : .negate
            operand = try add(
                .operation, from: token.start, operator: operation,
                focus: token.start..<token.end, childrenFrom: pending.count - 1)
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
        let mark = pending.count
        push(operand)
        if token.kind == .leftParenthesis, field.kind == .identifier, !isOptional {
            return try memberCall(field, from: start, mark: mark)
        }
        let name =
            field.kind == .identifier
            ? text(field) : String(text(field).dropFirst().dropLast())
        return try add(
            .select, from: start, payload: intern(name), flag: isOptional,
            focus: field.start..<field.end, childrenFrom: mark)
    }

    private mutating func memberCall(
        _ field: Token, from start: Int, mark: Int
    ) throws(SyntaxError) -> NodeID {
        try argumentList()
        let name = text(field)
        let focus = field.start..<field.end
        if expandsMacros, let macro = try macro(name, mark: mark, from: start, focus: focus) {
            return macro
        }
        return try add(
            .memberCall, from: start, payload: intern(name), focus: focus, childrenFrom: mark)
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
        try expect(.rightParenthesis, "`,` or `)`")
    }

    private mutating func index(
        _ operand: NodeID, from start: Int
    ) throws(SyntaxError) -> NodeID {
        let bracket = token.start
        try advance()
        let isOptional = try accept(.question)
        let mark = pending.count
        push(operand)
        push(try expression())
        try expect(.rightBracket, "`]`")
        let operation = isOptional ? Operator.optionalIndex : .index
        return try add(
            .operation, from: start, operator: operation,
            focus: bracket..<previousEnd, childrenFrom: mark)
    }

    /// The macro that the pending receiver and arguments make, or nil when the call is an ordinary one.
    private mutating func macro(
        _ name: String, mark: Int, from start: Int, focus: Range<Int>
    ) throws(SyntaxError) -> NodeID? {
        let arguments = pending.count - mark - 1
        let receiver = Int(pending[mark])
        var shape = Macro.member(name, argumentCount: arguments)
        if name == "bind", arguments == 3, tree.dottedName(receiver) == "cel" {
            shape = Macro.Shape(macro: .bind, variables: 1)
            // The value that is bound takes the place of what other macros range over.
            pending[mark] = pending[mark + 2]
            pending.remove(at: mark + 2)
        }
        guard let shape else { return nil }
        for position in 1...shape.variables {
            let variable = tree.nodes[Int(pending[mark + position])]
            guard variable.kind == .identifier, !variable.flag else {
                throw .notAVariable(name, Int(variable.start)..<Int(variable.end))
            }
        }
        if shape.variables == 2,
            tree.name(Int(pending[mark + 1])) == tree.name(Int(pending[mark + 2]))
        {
            let second = tree.nodes[Int(pending[mark + 2])]
            throw .sameVariable(
                tree.name(Int(pending[mark + 2])), Int(second.start)..<Int(second.end))
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
        try expect(.rightParenthesis, "`)`")
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
        let focus = token.start..<token.end
        let name = text(token)
        if isReserved(name) { throw .reserved(name, focus) }
        try advance()
        guard token.kind == .leftParenthesis else {
            return try leaf(.identifier, from: start, payload: intern(name), flag: isAbsolute)
        }
        let mark = pending.count
        try argumentList()
        return try call(name, from: start, focus: focus, isAbsolute: isAbsolute, mark: mark)
    }

    /// The pending arguments have been read.
    private mutating func call(
        _ name: String, from start: Int, focus: Range<Int>, isAbsolute: Bool, mark: Int
    ) throws(SyntaxError) -> NodeID {
        if name == "has", expandsMacros, !isAbsolute {
            return try presence(from: start, focus: focus, mark: mark)
        }
        return try add(
            .call, from: start, payload: intern(name), flag: isAbsolute, focus: focus,
            childrenFrom: mark)
    }

    private mutating func presence(
        from start: Int, focus: Range<Int>, mark: Int
    ) throws(SyntaxError) -> NodeID {
        guard pending.count == mark + 1 else { throw .badPresence(start..<previousEnd) }
        let argument = tree.nodes[Int(pending[mark])]
        // Of calls, only those that stand for a slot have a presence; the checker knows them.
        guard [.select, .identifier, .call].contains(argument.kind) else {
            throw .badPresence(Int(argument.start)..<Int(argument.end))
        }
        return try add(.presence, from: start, focus: focus, childrenFrom: mark)
    }
}

/// Whether a word is kept free for languages that the expressions stand in.
private func isReserved(_ name: String) -> Bool {
    let length = name.utf8.count
    return length < reservedWords.count && reservedWords[length].contains(name)
}

/// By their length: comparing with two or three is faster than hashing every name.
private let reservedWords: [[String]] = [
    [], [], ["as", "if"], ["for", "let", "var"], ["else", "loop", "void"],
    ["break", "const", "while"], ["import", "return"], ["package"], ["continue", "function"],
    ["namespace"],
]
