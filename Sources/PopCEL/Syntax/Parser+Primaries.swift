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
