internal import PopSource

extension Parser {
    mutating func primary() throws(SyntaxError) -> NodeID {
        switch token.kind {
        case .identifier, .dot: return try identifier()
        case .leftParenthesis: return try parenthesized()
        case .leftBracket: return try list()
        case .leftBrace: return try map()
        case .int, .uint, .double: return try number(from: token.start, isNegative: false)
        case .string, .bytes: return try constant(LiteralDecoder(bytes: bytes).string(token))
        case .true: return try constant(.bool(true))
        case .false: return try constant(.bool(false))
        case .null: return try constant(.null)
        case .end, .quotedIdentifier, .in, .rightParenthesis, .rightBracket, .rightBrace, .comma,
            .colon, .question, .not, .minus, .plus, .star, .slash, .percent, .and, .or, .equal,
            .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            throw unexpected(expecting: "a value")
        }
    }

    private mutating func parenthesized() throws(SyntaxError) -> NodeID {
        try advance()
        let inner = try expression()
        try expect(.rightParenthesis, what: "`)`")
        return inner
    }

    /// Parses a literal that isn't a number.
    private mutating func constant(_ value: Value) throws(SyntaxError) -> NodeID {
        let start = token.start
        try advance()
        return try literal(value, from: start)
    }

    mutating func number(
        from start: Int, isNegative: Bool
    ) throws(SyntaxError) -> NodeID {
        let number = try advance()
        let value = try LiteralDecoder(bytes: bytes).number(number, isNegative: isNegative)
        return try literal(value, from: start)
    }

    /// Parses `name`, `.name` or a call of it.
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

    /// Parses a call; the parenthesis after the function's name is the current token.
    private mutating func call(
        _ function: Token, from start: Int, isAbsolute: Bool
    ) throws(SyntaxError) -> NodeID {
        let mark = pending.count
        try argumentList()
        let focus = function.start..<function.end
        if expandsMacros, !isAbsolute, focus.count == 3,
            bytes[focus].elementsEqual("has".utf8)
        {
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
        // Among calls, only slot calls have a presence. The parser can't tell them apart; the
        // checker can.
        guard [.select, .identifier, .call].contains(argument.kind) else {
            throw .badPresence(Int(argument.start)..<Int(argument.end))
        }
        return try add(.presence, from: start, focus: focus, childrenFrom: mark)
    }
}

// An extension of the bytes and not of the parser: if a mutating method of the parser called a
// nonmutating one, the parser would be copied.
extension [UInt8] {
    /// Returns true if a word is reserved for languages that embed the expressions.
    fileprivate func isReserved(_ word: Token) -> Bool {
        guard let reserved = reservedWord(word) else { return false }
        return self[word.start..<word.end].elementsEqual(reserved.utf8)
    }

    /// Returns the only reserved word of the same length and first letter.
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

extension Parser {
    mutating func member() throws(SyntaxError) -> NodeID {
        let start = token.start
        return try postfix(try primary(), from: start)
    }

    /// Parses the selections, calls and indexes after an operand; `start` is the start of the
    /// operand, including its parentheses.
    mutating func postfix(
        _ operand: NodeID, from start: Int
    ) throws(SyntaxError) -> NodeID {
        var operand = operand
        while true {
            if token.kind == .dot {
                operand = try selection(on: operand, from: start)
            } else if token.kind == .leftBracket {
                operand = try index(operand, from: start)
            } else if token.kind == .leftBrace, tree.dottedName(operand) != nil {
                operand = try message(named: operand, from: start)
            } else {
                return operand
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
    mutating func argumentList() throws(SyntaxError) {
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

    /// Returns the macro that the pending receiver and arguments form, or nil if the call is an
    /// ordinary one.
    private mutating func macro(
        _ name: String, mark: Int, from start: Int, focus: Range<Int>
    ) throws(SyntaxError) -> NodeID? {
        let arguments = pending.count - mark - 1
        let receiver = pending[mark]
        var shape = Macro.member(name, argumentCount: arguments)
        if name == "bind", arguments == 3, tree.dottedName(receiver) == "cel" {
            shape = Macro.Shape(macro: .bind, variables: 1)
            // The bound value takes the place of the range of other macros.
            movePending(from: mark + 2, to: mark)
        }
        guard let shape else { return nil }
        try checkVariables(of: name, count: shape.variables, mark: mark)
        return try add(
            .macro, from: start, payload: shape.variables, macro: shape.macro,
            flag: shape.hasFilter, focus: focus, childrenFrom: mark)
    }

    /// Checks that the variables of a macro, after its receiver, are distinct names.
    private func checkVariables(
        of macro: String, count: Int, mark: Int
    ) throws(SyntaxError) {
        for position in 1...count {
            let variable = tree.nodes[pending[mark + position]]
            guard variable.kind == .identifier, !variable.flag else {
                throw .notAVariable(macro, at: Int(variable.start)..<Int(variable.end))
            }
        }
        guard count == 2 else { return }
        let name = tree.name(pending[mark + 2])
        guard tree.name(pending[mark + 1]) == name else { return }
        let second = tree.nodes[pending[mark + 2]]
        throw .sameVariable(name, at: Int(second.start)..<Int(second.end))
    }
}

extension Parser {
    mutating func list() throws(SyntaxError) -> NodeID {
        let start = token.start
        try advance()
        let mark = pending.count
        while token.kind != .rightBracket {
            push(try optionalEntry())
            guard try accept(.comma) else { break }
        }
        try expect(.rightBracket, what: "`,` or `]`")
        return try add(.list, from: start, childrenFrom: mark)
    }

    mutating func map() throws(SyntaxError) -> NodeID {
        let start = token.start
        try advance()
        let mark = pending.count
        while token.kind != .rightBrace {
            push(try optionalEntry())
            try expect(.colon, what: "`:` and the value of the key")
            push(try expression())
            guard try accept(.comma) else { break }
        }
        try expect(.rightBrace, what: "`,` or `}`")
        return try add(.map, from: start, childrenFrom: mark)
    }

    private mutating func optionalEntry() throws(SyntaxError) -> NodeID {
        let start = token.start
        guard try accept(.question) else { return try expression() }
        let mark = pending.count
        push(try expression())
        return try add(.optionalEntry, from: start, childrenFrom: mark)
    }

    mutating func message(
        named name: NodeID, from start: Int
    ) throws(SyntaxError) -> NodeID {
        try advance()
        let mark = pending.count
        push(name)
        while token.kind != .rightBrace {
            _ = try accept(.question)
            let field = token
            guard field.kind == .identifier || field.kind == .quotedIdentifier else {
                throw unexpected(expecting: "a field name or `}`")
            }
            try advance()
            push(try literal(.string(text(field)), from: field.start))
            try expect(.colon, what: "`:` and the value of the field")
            push(try expression())
            guard try accept(.comma) else { break }
        }
        try expect(.rightBrace, what: "`,` or `}`")
        return try add(.message, from: start, childrenFrom: mark)
    }
}
