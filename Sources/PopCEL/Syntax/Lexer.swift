package import PopSource

/// The reason why a text isn't an expression, with a place in the text.
///
/// A class, so that the many frames through which it may be thrown stay small.
package final class SyntaxError: Error {
    package let message: String
    package let range: Range<Int>
    package let label: String
    package let help: [String]
    package let check: Check
    /// The part that is missing at the end of the text, such as `a value`; nil for other errors.
    package let missingAtEnd: String?

    package init(
        message: String, range: Range<Int>, label: String = "", help: [String] = [],
        check: Check = .conditionSyntax, missingAtEnd: String? = nil
    ) {
        self.message = message
        self.range = range
        self.label = label
        self.help = help
        self.check = check
        self.missingAtEnd = missingAtEnd
    }
}

/// Splits a text into tokens, one at a time.
package struct Lexer {
    let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package mutating func next() throws(SyntaxError) -> Token {
        skipSpace()
        guard position < bytes.count else {
            return Token(kind: .end, start: bytes.count, end: bytes.count)
        }
        let byte = bytes[position]
        if isIdentifierStart(byte) { return try identifierOrString() }
        if isDigit(byte) || byte == UInt8(ascii: ".") && isDigit(peek(1)) { return number() }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return try string(from: position, kind: .string)
        case UInt8(ascii: "`"): return try quotedIdentifier()
        default: return try punctuation(byte)
        }
    }

    /// Returns the byte at a distance, or 0 after the end; outside of strings, no token contains 0.
    private func peek(_ distance: Int) -> UInt8 {
        position + distance < bytes.count ? bytes[position + distance] : 0
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
                0x0C:
                position += 1
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
                while position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
                    position += 1
                }
            default: return
            }
        }
    }

    private mutating func take(_ kind: Token.Kind, length: Int) -> Token {
        defer { position += length }
        return Token(kind: kind, start: position, end: position + length)
    }
}

// MARK: Identifiers and numbers

extension Lexer {
    private mutating func identifierOrString() throws(SyntaxError) -> Token {
        let start = position
        let first = bytes[start] | 0x20
        if first == UInt8(ascii: "r") || first == UInt8(ascii: "b"), let prefix = stringPrefix() {
            position += prefix.length
            return try string(from: start, kind: prefix.kind, isRaw: prefix.isRaw)
        }
        var end = start + 1
        while end < bytes.count, isIdentifierPart(bytes[end]) { end += 1 }
        position = end
        return Token(kind: keyword(start..<end) ?? .identifier, start: start, end: end)
    }

    private func stringPrefix() -> (length: Int, kind: Token.Kind, isRaw: Bool)? {
        func isQuote(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
        }
        let first = bytes[position] | 0x20
        let second = peek(1) | 0x20
        if first == UInt8(ascii: "r") {
            if isQuote(peek(1)) { return (1, .string, true) }
            if second == UInt8(ascii: "b"), isQuote(peek(2)) { return (2, .bytes, true) }
        } else if first == UInt8(ascii: "b") {
            if isQuote(peek(1)) { return (1, .bytes, false) }
            if second == UInt8(ascii: "r"), isQuote(peek(2)) { return (2, .bytes, true) }
        }
        return nil
    }

    private func keyword(_ range: Range<Int>) -> Token.Kind? {
        // Most words differ from every keyword in their length or first byte.
        switch (range.count, Unicode.Scalar(bytes[range.lowerBound])) {
        case (2, "i"): return bytes[range].elementsEqual("in".utf8) ? .in : nil
        case (4, "t"): return bytes[range].elementsEqual("true".utf8) ? .true : nil
        case (4, "n"): return bytes[range].elementsEqual("null".utf8) ? .null : nil
        case (5, "f"): return bytes[range].elementsEqual("false".utf8) ? .false : nil
        default: return nil
        }
    }

    private mutating func quotedIdentifier() throws(SyntaxError) -> Token {
        let start = position
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "`") {
            let byte = bytes[position]
            guard
                isNamePart(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "/")
                    || byte == UInt8(ascii: " ")
            else { throw .unexpectedCharacter(in: bytes, at: position) }
            position += 1
        }
        guard position < bytes.count, position > start + 1 else {
            throw SyntaxError(
                message: "a name in backticks is not closed", range: start..<position,
                label: "starts here")
        }
        position += 1
        return Token(kind: .quotedIdentifier, start: start, end: position)
    }

    private mutating func number() -> Token {
        let start = position
        if bytes[position] == UInt8(ascii: "0"), peek(1) | 0x20 == UInt8(ascii: "x"),
            hexDigit(peek(2)) != nil
        {
            position += 2
            while hexDigit(peek(0)) != nil { position += 1 }
            return finishInteger(from: start, isHexadecimal: true)
        }
        skipDigits()
        var isDouble = false
        if peek(0) == UInt8(ascii: "."), isDigit(peek(1)) {
            isDouble = true
            position += 1
            skipDigits()
        }
        if peek(0) | 0x20 == UInt8(ascii: "e") {
            let signed = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
            if isDigit(peek(signed ? 2 : 1)) {
                isDouble = true
                position += signed ? 2 : 1
                skipDigits()
            }
        }
        if isDouble { return Token(kind: .double, start: start, end: position) }
        return finishInteger(from: start, isHexadecimal: false)
    }

    private mutating func skipDigits() {
        while isDigit(peek(0)) { position += 1 }
    }

    private mutating func finishInteger(from start: Int, isHexadecimal: Bool) -> Token {
        let isUnsigned = peek(0) | 0x20 == UInt8(ascii: "u")
        if isUnsigned { position += 1 }
        return Token(
            kind: isUnsigned ? .uint : .int, start: start, end: position, isSpecial: isHexadecimal)
    }
}

// MARK: Strings and punctuation

extension Lexer {
    /// Reads a string. `position` is at the opening quote; the token begins at `start`, where a
    /// prefix may be.
    private mutating func string(
        from start: Int, kind: Token.Kind, isRaw: Bool = false
    ) throws(SyntaxError) -> Token {
        let quote = bytes[position]
        let length = peek(1) == quote && peek(2) == quote ? 3 : 1
        position += length
        while position < bytes.count {
            let byte = bytes[position]
            if byte == quote, length == 1 || peek(1) == quote && peek(2) == quote {
                position += length
                return Token(
                    kind: kind, start: start, end: position, isSpecial: isRaw, quoteLength: length)
            }
            if length == 1, byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
            position += byte == UInt8(ascii: "\\") && !isRaw ? 2 : 1
        }
        throw SyntaxError(
            message: SyntaxError.endlessText, range: start..<min(position, bytes.count),
            label: "starts here",
            help: [
                "end the string with the quote that starts it: `\(String(repeating: Character(Unicode.Scalar(quote)), count: length))`"
            ])
    }

    private mutating func punctuation(_ byte: UInt8) throws(SyntaxError) -> Token {
        let followedByEquals = peek(1) == UInt8(ascii: "=")
        switch byte {
        case UInt8(ascii: "("): return take(.leftParenthesis, length: 1)
        case UInt8(ascii: ")"): return take(.rightParenthesis, length: 1)
        case UInt8(ascii: "["): return take(.leftBracket, length: 1)
        case UInt8(ascii: "]"): return take(.rightBracket, length: 1)
        case UInt8(ascii: "{"): return take(.leftBrace, length: 1)
        case UInt8(ascii: "}"): return take(.rightBrace, length: 1)
        case UInt8(ascii: "."): return take(.dot, length: 1)
        case UInt8(ascii: ","): return take(.comma, length: 1)
        case UInt8(ascii: ":"): return take(.colon, length: 1)
        case UInt8(ascii: "?"): return take(.question, length: 1)
        case UInt8(ascii: "+"): return take(.plus, length: 1)
        case UInt8(ascii: "-"): return take(.minus, length: 1)
        case UInt8(ascii: "*"): return take(.star, length: 1)
        case UInt8(ascii: "/"): return take(.slash, length: 1)
        case UInt8(ascii: "%"): return take(.percent, length: 1)
        case UInt8(ascii: "!"):
            return followedByEquals ? take(.notEqual, length: 2) : take(.not, length: 1)
        case UInt8(ascii: "<"):
            return followedByEquals ? take(.lessOrEqual, length: 2) : take(.less, length: 1)
        case UInt8(ascii: ">"):
            return followedByEquals ? take(.greaterOrEqual, length: 2) : take(.greater, length: 1)
        case UInt8(ascii: "=") where followedByEquals: return take(.equal, length: 2)
        case UInt8(ascii: "&") where peek(1) == UInt8(ascii: "&"): return take(.and, length: 2)
        case UInt8(ascii: "|") where peek(1) == UInt8(ascii: "|"): return take(.or, length: 2)
        default: throw .unexpectedCharacter(in: bytes, at: position)
        }
    }
}

func isIdentifierStart(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
}

/// Returns true if a byte may be part of an identifier. Each byte below 128 is a bit of one of two
/// words.
func isIdentifierPart(_ byte: UInt8) -> Bool {
    let word: UInt64 = byte < 64 ? 0x03FF_0000_0000_0000 : 0x07FF_FFFE_87FF_FFFE
    return byte < 128 && word &>> UInt64(byte) & 1 != 0
}

/// Returns true if a byte may be part of a dotted name.
package func isNamePart(_ byte: UInt8) -> Bool {
    isIdentifierPart(byte) || byte == UInt8(ascii: ".")
}

func hexDigit(_ byte: UInt8) -> UInt32? {
    if isDigit(byte) { return UInt32(byte - UInt8(ascii: "0")) }
    let lower = byte | 0x20
    guard (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lower) else { return nil }
    return UInt32(lower - UInt8(ascii: "a")) + 10
}

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
