/// A lexical element: its kind and its bytes in the text.
package struct Token: Sendable {
    package enum Kind: UInt8, Sendable {
        case end
        case identifier, quotedIdentifier
        case int, uint, double, string, bytes
        case `true`, `false`, null, `in`
        case leftParenthesis, rightParenthesis, leftBracket, rightBracket, leftBrace, rightBrace
        case dot, comma, colon, question
        case not, minus, plus, star, slash, percent
        case and, or, equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    }

    package let kind: Kind
    /// True for a hexadecimal number, and for a raw string.
    let isSpecial: Bool
    private let quotes: UInt8
    // Small, so that a token is passed in registers.
    private let first: UInt32
    private let last: UInt32

    init(kind: Kind, start: Int, end: Int, isSpecial: Bool = false, quoteLength: Int = 1) {
        self.kind = kind
        self.isSpecial = isSpecial
        quotes = UInt8(quoteLength)
        first = UInt32(start)
        last = UInt32(end)
    }

    package var start: Int { Int(first) }
    package var end: Int { Int(last) }
    /// The number of quote bytes on either side of a string, 1 or 3.
    var quoteLength: Int { Int(quotes) }
}

extension Token.Kind {
    /// The binary operator that the token represents.
    var binaryOperator: Operator? {
        switch self {
        case .or: .or
        case .and: .and
        case .equal: .equal
        case .notEqual: .notEqual
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        case .in: .in
        case .plus: .add
        case .minus: .subtract
        case .star: .multiply
        case .slash: .divide
        case .percent: .modulo
        case .end, .identifier, .quotedIdentifier, .int, .uint, .double, .string, .bytes, .true,
            .false, .null, .leftParenthesis, .rightParenthesis, .leftBracket, .rightBracket,
            .leftBrace, .rightBrace, .dot, .comma, .colon, .question, .not:
            nil
        }
    }
}
