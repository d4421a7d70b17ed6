internal import PopSource

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
