/// A lexical element: its kind and its bytes in the text.
struct Token: Sendable {
    enum Kind: UInt8, Sendable {
        case end
        case identifier, quotedIdentifier
        case int, uint, double, string, bytes
        case `true`, `false`, null, `in`
        case leftParenthesis, rightParenthesis, leftBracket, rightBracket, leftBrace, rightBrace
        case dot, comma, colon, question
        case not, minus, plus, star, slash, percent
        case and, or, equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    }

    var kind: Kind
    var start: Int
    var end: Int
    /// Of a number: it is hexadecimal. Of a string: it is raw.
    var isSpecial = false
    /// Of a string: the bytes of the quotes on either side, 1 or 3.
    var quoteLength = 1
}

extension Token.Kind {
    /// The binary operator that the token is.
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
        default: nil
        }
    }
}
