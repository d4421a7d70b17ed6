internal import PopSource

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
