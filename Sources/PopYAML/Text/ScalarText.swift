internal import PopSource

/// The text of a scalar, decoded from its characters in the file, with the map back to them.
struct ScalarText {
    var utf8: [UInt8] = []
    var map: TextMap

    init(file: FileID, startingAt offset: Int) {
        map = TextMap(file: file, startingAt: offset)
    }

    /// Appends bytes that are unchanged in the file.
    mutating func copy(_ range: Range<Int>, of bytes: [UInt8]) {
        utf8 += bytes[range]
        map.appendCopy(of: range.lowerBound, length: range.count)
    }

    /// Appends bytes that `range` of the file encodes.
    mutating func append(_ text: some Collection<UInt8>, for range: Range<Int>) {
        utf8 += text
        map.appendUnit(range, length: text.count)
    }

    /// Appends a line break: LF, except for LS and PS, which stay unchanged.
    mutating func append(lineBreak range: Range<Int>, of bytes: [UInt8]) {
        if range.count == 3 {
            copy(range, of: bytes)
        } else {
            append([UInt8(ascii: "\n")], for: range)
        }
    }
}

/// Decodes a scalar as libyaml does, and also records the places, which libyaml doesn't.
///
/// The scalar must be one that libyaml has accepted.
func decodeScalar(_ record: NodeRecord, in bytes: [UInt8], file: FileID) -> ScalarText {
    let range = Int(record.start)..<Int(record.end)
    switch record.style {
    case .literal, .folded:
        var scanner = BlockScalarScanner(
            bytes: bytes, offset: range.lowerBound, file: file, collectionIndent: record.indent)
        return scanner.scan(isLiteral: record.style == .literal)
    case .plain:
        var scanner = FlowScalarScanner(bytes: bytes, range: range, file: file)
        return scanner.scan(.plain)
    case .singleQuoted, .doubleQuoted:
        let content = range.lowerBound + 1..<max(range.lowerBound + 1, range.upperBound - 1)
        var scanner = FlowScalarScanner(bytes: bytes, range: content, file: file)
        return scanner.scan(record.style)
    }
}

/// Decodes plain and quoted scalars (sections 7.3 and 6.5 of the YAML specification, as implemented
/// by libyaml).
struct FlowScalarScanner {
    private let bytes: [UInt8]
    private var offset: Int
    private let end: Int
    private var text: ScalarText

    /// `range` is the content, without quotes.
    init(bytes: [UInt8], range: Range<Int>, file: FileID) {
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
        text = ScalarText(file: file, startingAt: offset)
    }

    mutating func scan(_ style: YAMLScalar.Style) -> ScalarText {
        while offset < end {
            if isBlank(bytes[offset]) || lineBreakLength(bytes, at: offset) > 0 {
                scanGap()
            } else if style == .singleQuoted, bytes[offset] == UInt8(ascii: "'") {
                text.append([UInt8(ascii: "'")], for: offset..<min(offset + 2, end))
                offset += 2
            } else if style == .doubleQuoted, bytes[offset] == UInt8(ascii: "\\") {
                scanEscape()
            } else {
                text.copy(offset..<offset + 1, of: bytes)
                offset += 1
            }
        }
        return text
    }

    /// Keeps blanks inside a line, removes those around line breaks, and turns a single line break
    /// into a space.
    private mutating func scanGap() {
        let start = offset
        let breaks = skipGap()
        guard let first = breaks.first else {
            return text.copy(start..<offset, of: bytes)
        }
        if first.count == 3 {
            text.append(lineBreak: first, of: bytes)
        } else if breaks.count == 1 {
            text.append([UInt8(ascii: " ")], for: first)
        }
        for next in breaks.dropFirst() { text.append(lineBreak: next, of: bytes) }
    }

    /// Skips blanks and line breaks and returns the line breaks.
    private mutating func skipGap() -> [Range<Int>] {
        var breaks: [Range<Int>] = []
        while offset < end {
            let length = lineBreakLength(bytes, at: offset)
            if length > 0 {
                breaks.append(offset..<offset + length)
                offset += length
            } else if isBlank(bytes[offset]) {
                offset += 1
            } else {
                break
            }
        }
        return breaks
    }

    private mutating func scanEscape() {
        let start = offset
        let lineBreak = lineBreakLength(bytes, at: offset + 1)
        if lineBreak > 0 {
            // An escaped line break is removed; further line breaks after it stay.
            offset += 1 + lineBreak
            for next in skipGap() { text.append(lineBreak: next, of: bytes) }
            return
        }
        guard offset + 1 < end else {
            offset = end
            return
        }
        let letter = bytes[offset + 1]
        offset += 2
        if let digits = escapeDigits(letter) {
            var value: UInt32 = 0
            for _ in 0..<digits where offset < end {
                value = value << 4 | UInt32(hexDigit(bytes[offset]) ?? 0)
                offset += 1
            }
            let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
            text.append(Array(String(scalar).utf8), for: start..<offset)
        } else {
            text.append(Array(escapedText(letter).utf8), for: start..<offset)
        }
    }
}

/// Returns the number of hexadecimal digits that follow an escape letter; nil if it takes none.
func escapeDigits(_ letter: UInt8) -> Int? {
    switch letter {
    case UInt8(ascii: "x"): 2
    case UInt8(ascii: "u"): 4
    case UInt8(ascii: "U"): 8
    default: nil
    }
}

/// Returns the text of an escape letter after a backslash (section 5.7 of the specification).
private func escapedText(_ letter: UInt8) -> String {
    switch letter {
    case UInt8(ascii: "0"): "\0"
    case UInt8(ascii: "a"): "\u{7}"
    case UInt8(ascii: "b"): "\u{8}"
    case UInt8(ascii: "t"), UInt8(ascii: "\t"): "\t"
    case UInt8(ascii: "n"): "\n"
    case UInt8(ascii: "v"): "\u{B}"
    case UInt8(ascii: "f"): "\u{C}"
    case UInt8(ascii: "r"): "\r"
    case UInt8(ascii: "e"): "\u{1B}"
    case UInt8(ascii: "N"): "\u{85}"
    case UInt8(ascii: "_"): "\u{A0}"
    case UInt8(ascii: "L"): "\u{2028}"
    case UInt8(ascii: "P"): "\u{2029}"
    default: String(Unicode.Scalar(letter))
    }
}

/// Decodes literal and folded block scalars (section 8.1 of the YAML specification, as implemented
/// by libyaml).
struct BlockScalarScanner {
    private enum Chomping { case strip, clip, keep }

    private let bytes: [UInt8]
    private var offset: Int
    /// The number of spaces before `offset` on its line.
    private var column = 0
    /// The column where the text begins; 0 until it is known.
    private var indent = 0
    private let collectionIndent: Int
    private var chomping = Chomping.clip
    private var text: ScalarText

    /// `offset` is the place of the `|` or `>`; `collectionIndent` is one more than the column of
    /// the enclosing collection.
    init(bytes: [UInt8], offset: Int, file: FileID, collectionIndent: UInt32) {
        self.bytes = bytes
        self.offset = offset
        self.collectionIndent = Int(collectionIndent)
        text = ScalarText(file: file, startingAt: offset)
    }

    mutating func scan(isLiteral: Bool) -> ScalarText {
        scanHeader()
        text = ScalarText(file: text.map.file, startingAt: offset)
        var emptyLines = scanEmptyLines()
        var lineBreak: Range<Int>?
        var previousIsIndented = false
        while column == indent, offset < bytes.count {
            let isIndented = isBlank(bytes[offset])
            let folds = !isLiteral && !previousIsIndented && !isIndented
            if let lineBreak {
                if !folds || lineBreak.count == 3 {
                    text.append(lineBreak: lineBreak, of: bytes)
                } else if emptyLines.isEmpty {
                    text.append([UInt8(ascii: " ")], for: lineBreak)
                }
            }
            for emptyLine in emptyLines { text.append(lineBreak: emptyLine, of: bytes) }
            previousIsIndented = isIndented
            scanLine()
            lineBreak = scanLineBreak()
            emptyLines = scanEmptyLines()
        }
        if chomping != .strip, let lineBreak { text.append(lineBreak: lineBreak, of: bytes) }
        if chomping == .keep {
            for emptyLine in emptyLines { text.append(lineBreak: emptyLine, of: bytes) }
        }
        return text
    }

    /// Reads the line of the `|` or `>`: indicators for chomping and indentation, a comment.
    private mutating func scanHeader() {
        offset += 1
        while offset < bytes.count, lineBreakLength(bytes, at: offset) == 0 {
            switch bytes[offset] {
            case UInt8(ascii: "-"): chomping = .strip
            case UInt8(ascii: "+"): chomping = .keep
            case UInt8(ascii: "1")...UInt8(ascii: "9"):
                indent = max(collectionIndent - 1, 0) + Int(bytes[offset] - UInt8(ascii: "0"))
            default:
                while offset < bytes.count, lineBreakLength(bytes, at: offset) == 0 { offset += 1 }
                continue
            }
            offset += 1
        }
        _ = scanLineBreak()
    }

    private mutating func scanLine() {
        let start = offset
        while offset < bytes.count, lineBreakLength(bytes, at: offset) == 0 { offset += 1 }
        text.copy(start..<offset, of: bytes)
    }

    private mutating func scanLineBreak() -> Range<Int>? {
        let length = lineBreakLength(bytes, at: offset)
        guard length > 0 else { return nil }
        offset += length
        column = 0
        return offset - length..<offset
    }

    /// Skips indentation and lines that have nothing else, and returns the line breaks of those
    /// lines.
    private mutating func scanEmptyLines() -> [Range<Int>] {
        var breaks: [Range<Int>] = []
        var deepest = 0
        repeat {
            while offset < bytes.count, bytes[offset] == UInt8(ascii: " "),
                indent == 0 || column < indent
            {
                offset += 1
                column += 1
            }
            deepest = max(deepest, column)
            guard let lineBreak = scanLineBreak() else { break }
            breaks.append(lineBreak)
        } while true
        if indent == 0 { indent = max(deepest, collectionIndent, 1) }
        return breaks
    }
}

/// Two escapes such as `\ud83d\ude00`, with which JSON writes one character beyond U+FFFF. YAML has
/// `\U0001F600` instead.
///
/// Source: RFC 8259, section 7.
package struct SurrogatePair {
    /// The range of the bytes of both escapes.
    let place: Range<Int>
    let scalar: Unicode.Scalar

    /// Creates the pair that begins at an offset; nil if no pair begins there.
    init?(_ bytes: [UInt8], at start: Int) {
        let units = [start, start + 6].map { offset -> UInt32 in
            guard offset + 6 <= bytes.count, bytes[offset] == UInt8(ascii: "\\"),
                bytes[offset + 1] == UInt8(ascii: "u")
            else { return 0 }
            return UInt32(
                String(decoding: bytes[offset + 2..<offset + 6], as: UTF8.self), radix: 16) ?? 0
        }
        guard (0xD800...0xDBFF).contains(units[0]), (0xDC00...0xDFFF).contains(units[1]),
            let scalar = Unicode.Scalar(
                0x10000 + (units[0] - 0xD800) << 10 + (units[1] - 0xDC00))
        else { return nil }
        place = start..<start + 12
        self.scalar = scalar
    }

    /// The escape of YAML.
    var escape: String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Returns the bytes of a JSON file with all pairs replaced by YAML escapes. Linear.
    package static func replaced(in bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var offset = 0
        while offset < bytes.count {
            let isEscape = bytes[offset] == UInt8(ascii: "\\")
            if isEscape, let pair = SurrogatePair(bytes, at: offset) {
                result += Array(pair.escape.utf8)
                offset = pair.place.upperBound
                continue
            }
            // The character after a backslash doesn't begin an escape.
            let length = isEscape ? min(2, bytes.count - offset) : 1
            result += bytes[offset..<offset + length]
            offset += length
        }
        return result
    }
}
