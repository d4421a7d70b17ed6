internal import PopCEL

/// A piece of a string that may not be in the language.
struct LooseToken {
    enum Kind {
        /// A name, dots included, or a word.
        case word
        case number
        /// A date, or a date with a time, without quotes.
        case date
        case text
        /// A regular expression between `/`.
        case pattern
        /// An operator or a bracket, of this language or of others.
        case symbol
        case unknown
    }

    let kind: Kind
    let range: Range<Int>
    /// The written form; for a string, the part inside its quotes.
    let text: String
    /// For a string: indicates whether its quotes are those of the language.
    var isStraight = true

    func isWord(_ word: String) -> Bool { kind == .word && text.lowercased() == word }

    func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
}

/// Splits a string into tokens such that nothing fails: for authors who know other languages.
struct LooseLexer {
    private let scalars: [Unicode.Scalar]
    private let offsets: [Int]
    private var position = 0
    private var tokens: [LooseToken] = []

    static func tokens(of bytes: [UInt8]) -> [LooseToken] {
        var lexer = LooseLexer(String(decoding: bytes, as: UTF8.self))
        return lexer.read()
    }

    private init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        var offset = 0
        var offsets = [0]
        for scalar in scalars {
            offset += UTF8.width(scalar)
            offsets.append(offset)
        }
        self.offsets = offsets
    }

    private mutating func read() -> [LooseToken] {
        while position < scalars.count {
            let scalar = scalars[position]
            if " \t\n\r\u{C}".unicodeScalars.contains(scalar) {
                position += 1
            } else if isComment {
                while position < scalars.count, scalars[position] != "\n" { position += 1 }
            } else if let token = text() ?? pattern() ?? word() ?? number() ?? symbol() {
                tokens.append(token)
            } else {
                tokens.append(token(.unknown, length: 1))
            }
        }
        return tokens
    }

    private var isComment: Bool { scalar(0) == "/" && scalar(1) == "/" }

    private func scalar(_ distance: Int) -> Unicode.Scalar {
        position + distance < scalars.count ? scalars[position + distance] : "\0"
    }

    /// A token of that many scalars, which are skipped.
    private mutating func token(
        _ kind: LooseToken.Kind, length: Int, text: String? = nil, isStraight: Bool = true
    ) -> LooseToken {
        let end = min(position + length, scalars.count)
        defer { position = end }
        return LooseToken(
            kind: kind, range: offsets[position]..<offsets[end],
            text: text ?? string(position..<end), isStraight: isStraight)
    }

    private func string(_ range: Range<Int>) -> String {
        String(String.UnicodeScalarView(scalars[range]))
    }

    private mutating func word() -> LooseToken? {
        guard scalar(0).isNameStart else { return nil }
        var length = 1
        while scalar(length).isNamePart
            || scalar(length) == "." && scalar(length + 1).isNameStart
        {
            length += 1
        }
        return token(.word, length: length)
    }

    private mutating func number() -> LooseToken? {
        guard scalar(0).isDigit else { return nil }
        let rest = string(position..<min(position + 40, scalars.count))
        if let date = DateShape(rest), !scalar(date.length).isASCIINamePart {
            return token(.date, length: date.length)
        }
        var length = 1
        while scalar(length).isDigit
            || "_.".unicodeScalars.contains(scalar(length)) && scalar(length + 1).isDigit
            || scalar(length) == "," && isGroup(from: length + 1)
        {
            length += 1
        }
        return token(.number, length: length)
    }

    /// Returns true if exactly three digits follow that belong to the number before, and aren't a
    /// separate list item.
    private func isGroup(from distance: Int) -> Bool {
        (0..<3).allSatisfy { scalar(distance + $0).isDigit } && !scalar(distance + 3).isDigit
            && !isInBrackets
    }

    private var isInBrackets: Bool {
        let opened = tokens.count { $0.isSymbol("(") || $0.isSymbol("[") || $0.isSymbol("{") }
        return opened > tokens.count { $0.isSymbol(")") || $0.isSymbol("]") || $0.isSymbol("}") }
    }

    private mutating func symbol() -> LooseToken? {
        for length in [4, 3, 2, 1] where position + length <= scalars.count {
            if ForeignSigns.all.contains(string(position..<position + length)) {
                return token(.symbol, length: length)
            }
        }
        return nil
    }
}

// MARK: Strings

extension LooseLexer {
    /// Returns a string in the quotes of any keyboard; nil if it does not end.
    private mutating func text() -> LooseToken? {
        let prefix = prefixLength
        let opening = scalar(prefix)
        guard let closing = ForeignSigns.quotes[opening] else { return nil }
        let start = position + prefix + 1
        let isStraight = opening == "\"" || opening == "'"
        guard
            let end = isStraight
                ? straightEnd(from: start, opening: opening, closing: closing)
                : scalars[start...].firstIndex(where: { closing.contains($0) })
        else { return nil }
        return token(
            .text, length: end + 1 - position, text: string(start..<end),
            isStraight: isStraight && scalars[end] == opening)
    }

    /// Returns the place after the last character; straight quotes only end with other quotes if no
    /// straight one follows.
    private func straightEnd(
        from start: Int, opening: Unicode.Scalar, closing: Set<Unicode.Scalar>
    ) -> Int? {
        var index = start
        while index < scalars.count, scalars[index] != opening {
            index += scalars[index] == "\\" ? 2 : 1
        }
        if index < scalars.count { return index }
        return start < scalars.count
            ? scalars[start...].firstIndex { closing.contains($0) } : nil
    }

    /// Returns `/…/` if no operand precedes it, with the flag `i` or none.
    private mutating func pattern() -> LooseToken? {
        let last = tokens.last
        let follows = last.map { $0.kind != .symbol || [")", "]"].contains($0.text) } ?? false
        let isWord = last.map { $0.isWord("matches") || $0.isWord("like") } ?? false
        guard scalar(0) == "/", !follows || isWord else { return nil }
        var length = 1
        while scalar(length) != "/" {
            guard position + length < scalars.count else { return nil }
            length += scalar(length) == "\\" ? 2 : 1
        }
        guard length > 1 else { return nil }
        let inner = string(position + 1..<position + length)
        let ignoresCase = scalar(length + 1) == "i"
        return token(
            .pattern, length: length + (ignoresCase ? 2 : 1),
            text: (ignoresCase ? "(?i)" : "") + inner)
    }

    private var prefixLength: Int {
        let letters: Set<Unicode.Scalar> = ["r", "R", "b", "B"]
        guard letters.contains(scalar(0)) else { return 0 }
        return scalar(1) == "\"" || scalar(1) == "'" ? 1 : 0
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

    fileprivate var isASCIINamePart: Bool { isASCII && properties.isAlphabetic || isDigit }

    fileprivate var isNameStart: Bool {
        ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_" || isAccented
    }

    fileprivate var isNamePart: Bool { isNameStart || isDigit }

    /// A letter of the words of other languages; none that looks like a Latin letter.
    private var isAccented: Bool {
        ("\u{C0}"..."\u{24F}").contains(self) && self != "\u{D7}" && self != "\u{F7}"
    }
}

/// A calendar date at the start of a string, with or without a time: `2025-03-01`,
/// `2025-03-01T10:00`, `2025-03-01T10:00:00.5+01:00`. Its numbers are not checked.
struct DateShape {
    /// The length in bytes.
    let length: Int
    /// The number of bytes of the zone.
    let zoneLength: Int
    let hasFraction: Bool

    /// Nil if the string doesn't begin with a date.
    ///
    /// - Parameter separators: The characters that may separate the date and its time.
    init?(_ text: String, separators: String = "T") {
        var reader = ShapeReader(rest: Array(text.utf8)[...])
        guard reader.skip("####-##-##") else { return nil }
        var length = reader.position
        var zoneLength = 0
        var hasFraction = false
        if separators.contains(where: { reader.skip(String($0)) }), reader.skip("##:##") {
            if reader.skip(":##") { hasFraction = reader.skipFraction() }
            length = reader.position
            if reader.skip("Z") || reader.skip("+##:##") || reader.skip("-##:##") {
                zoneLength = reader.position - length
                length = reader.position
            }
        }
        self.length = length
        self.zoneLength = zoneLength
        self.hasFraction = hasFraction
    }
}

/// Reads bytes from the front by what they look like; `#` is a digit.
private struct ShapeReader {
    var rest: ArraySlice<UInt8>

    var position: Int { rest.startIndex }

    mutating func skip(_ shape: String) -> Bool {
        let shape = shape.utf8
        guard rest.count >= shape.count,
            zip(rest, shape).allSatisfy({ $1 == UInt8(ascii: "#") ? isDigit($0) : $0 == $1 })
        else { return false }
        rest = rest.dropFirst(shape.count)
        return true
    }

    mutating func skipFraction() -> Bool {
        guard skip(".#") else { return false }
        rest = rest.drop(while: isDigit)
        return true
    }
}

extension StringProtocol {
    /// Indicates whether there are only digits, at least one.
    var isDigits: Bool { !isEmpty && utf8.allSatisfy(isDigit) }
}
