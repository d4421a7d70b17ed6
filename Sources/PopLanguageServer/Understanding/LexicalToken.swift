internal import PopCEL

/// A token of an expression, for editors: its kind and its place in the string.
struct LexicalToken: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case name, number, text, constant, keyword, sign
    }

    let kind: Kind
    /// In bytes of the text.
    let range: Range<Int>

    /// Returns the tokens of a string, as far as it can be split. Linear in the string.
    static func all(in text: [UInt8]) -> [LexicalToken] {
        var lexer = Lexer(text)
        var tokens: [LexicalToken] = []
        while let token = try? lexer.next(), token.kind != .end {
            tokens.append(LexicalToken(kind: token.kind.forReaders, range: token.start..<token.end))
        }
        return tokens
    }
}

extension Token.Kind {
    fileprivate var forReaders: LexicalToken.Kind {
        switch self {
        case .identifier, .quotedIdentifier: .name
        case .int, .uint, .double: .number
        case .string, .bytes: .text
        case .true, .false, .null: .constant
        case .in: .keyword
        case .end, .leftParenthesis, .rightParenthesis, .leftBracket, .rightBracket, .leftBrace,
            .rightBrace, .dot, .comma, .colon, .question, .not, .minus, .plus, .star, .slash,
            .percent, .and, .or, .equal, .notEqual, .less, .lessOrEqual, .greater,
            .greaterOrEqual:
            .sign
        }
    }
}
