internal import PopSource

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
