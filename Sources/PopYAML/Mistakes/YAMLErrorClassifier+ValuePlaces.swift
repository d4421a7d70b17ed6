extension YAMLErrorClassifier {
    /// Returns the whole value around an offset, as its author sees it; nil if there is no value.
    func value(around offset: Int) -> Range<Int>? {
        let line = SourceLine(bytes, at: offset)
        if let value = line.value(at: offset), line.key != nil || line.hasDash || isFlowStart(value)
        {
            guard let bracket = openBracket(in: value, at: offset) else { return value }
            return flowValue(in: bracket, at: offset)
        }
        guard let owner = owner(of: line) else { return line.value(at: offset) }
        let value = owner.value.lowerBound..<max(line.value.upperBound, owner.value.upperBound)
        if let bracket = openBracket(in: value, at: offset) {
            return flowValue(in: bracket, at: offset)
        }
        return value
    }

    private func isFlowStart(_ value: Range<Int>) -> Bool {
        byte(value.lowerBound) == UInt8(ascii: "{") || byte(value.lowerBound) == UInt8(ascii: "[")
    }

    /// Returns the line whose value continues in `line`, which has neither key nor dash.
    func owner(of line: SourceLine) -> SourceLine? {
        var above = line.previous
        while let current = above {
            if !current.isBlank {
                if current.key != nil || current.hasDash {
                    return !current.value.isEmpty && current.indent < line.indent ? current : nil
                }
                if current.start == current.range.lowerBound { return nil }
            }
            above = current.previous
        }
        return nil
    }

    /// Returns a line together with all deeper lines below it.
    func block(of line: SourceLine) -> Range<Int> {
        var end = line.range.upperBound
        var below = line.next
        while let current = below, current.isBlank || current.indent > line.indent {
            if !current.isBlank { end = current.range.upperBound }
            below = current.next
        }
        return line.start..<end
    }

    /// Returns a line together with everything below it that has the same or a deeper indentation,
    /// as long as the lines of the same indentation start the same way.
    func blockWithSiblings(of line: SourceLine) -> Range<Int> {
        var end = block(of: line).upperBound
        var below = line.next
        while let current = below,
            current.isBlank || current.indent > line.indent
                || current.indent == line.indent && current.hasDash == line.hasDash
        {
            if !current.isBlank { end = max(end, current.range.upperBound) }
            below = current.next
        }
        return line.start..<end
    }

    /// Returns the innermost YAML bracket in a value that is still open at an offset.
    ///
    /// Brackets only count at the start of a value: in `a[0]` they belong to an expression.
    func openBracket(in value: Range<Int>, at offset: Int) -> Int? {
        var open: [Int] = []
        var scan = FlowScan(
            bytes: bytes, offset: value.lowerBound, end: min(offset, value.upperBound))
        var startsValue = true
        while let byte = scan.next() {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                if startsValue { open.append(scan.offset - 1) } else { scan.skipNested() }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                _ = open.popLast()
                if open.isEmpty { return nil }
            case UInt8(ascii: "("): scan.skipNested()
            default: break
            }
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","): startsValue = true
            case UInt8(ascii: ":"): startsValue = isBlank(self.byte(scan.offset))
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                break
            default: startsValue = false
            }
        }
        return open.last
    }

    /// Returns the value of the entry or item inside brackets that contains an offset.
    func flowValue(in bracket: Int, at offset: Int) -> Range<Int>? {
        let segment = flowSegment(in: bracket, at: offset)
        var lower = segment.lowerBound
        if byte(bracket) == UInt8(ascii: "{") {
            var scan = FlowScan(bytes: bytes, offset: lower, end: segment.upperBound)
            while let byte = scan.next() {
                if byte == UInt8(ascii: ":"), isBlank(self.byte(scan.offset)) {
                    lower = scan.offset
                    break
                }
            }
        }
        while lower < segment.upperBound, isBlank(bytes[lower]) { lower += 1 }
        return lower < segment.upperBound ? lower..<segment.upperBound : nil
    }

    /// Returns the text between two commas inside brackets, without surrounding blanks.
    private func flowSegment(in bracket: Int, at offset: Int) -> Range<Int> {
        let end = flowEnd(bracket).end
        var scan = FlowScan(bytes: bytes, offset: bracket + 1, end: end)
        var lower = bracket + 1
        var upper = end
        while let byte = scan.next() {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "("): scan.skipNested()
            case UInt8(ascii: ","):
                if scan.offset - 1 >= offset {
                    upper = scan.offset - 1
                    scan.offset = end
                } else {
                    lower = scan.offset
                }
            default: break
            }
        }
        while lower < upper, isSpace(bytes[lower]) { lower += 1 }
        while upper > lower, isSpace(bytes[upper - 1]) { upper -= 1 }
        return lower..<upper
    }

    /// Returns the end of brackets that open at an offset: the bracket that closes them, or the
    /// place where their author forgot it, which is at the latest before a line that begins with a
    /// key and isn't indented deeper.
    func flowEnd(_ bracket: Int) -> FlowEnding {
        var limit = bytes.count
        let line = SourceLine(bytes, at: bracket)
        var last = line.range.upperBound
        var below = line.next
        while let current = below {
            if !current.isBlank {
                if current.indent <= line.indent, !isClosingBracket(byte(current.start)) {
                    limit = last
                    break
                }
                last = current.range.upperBound
            }
            below = current.next
        }
        let close: UInt8 =
            byte(bracket) == UInt8(ascii: "[") ? UInt8(ascii: "]") : UInt8(ascii: "}")
        var scan = FlowScan(bytes: bytes, offset: bracket + 1, end: limit)
        while let byte = scan.next() {
            switch byte {
            case close: return FlowEnding(end: scan.offset - 1, isClosed: true)
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                return FlowEnding(end: scan.offset - 1, isClosed: false)
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "("): scan.skipNested()
            default: break
            }
        }
        return FlowEnding(end: limit, isClosed: false, comment: scan.comment)
    }

    private func isClosingBracket(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
    }

    private func isSpace(_ byte: UInt8) -> Bool {
        isBlank(byte) || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}

/// The end of a list or map with brackets.
struct FlowEnding {
    var end: Int
    var isClosed: Bool
    /// A `#` before the end that may have hidden the closing bracket.
    var comment: Int?
}

/// A scanner for the bytes of a text that skips quoted parts and comments.
struct FlowScan {
    let bytes: [UInt8]
    var offset: Int
    let end: Int
    // A search without result isn't repeated: that keeps the work on a hostile line linear.
    private(set) var comment: Int?
    private var hasUnclosedBracket = false
    private var hasUnclosedQuote = false

    init(bytes: [UInt8], offset: Int, end: Int) {
        self.bytes = bytes
        self.offset = offset
        self.end = end
    }

    /// Returns the next byte outside of quotes.
    mutating func next() -> UInt8? {
        guard offset < end else { return nil }
        let byte = bytes[offset]
        let follows = offset > 0 ? bytes[offset - 1] : UInt8(ascii: " ")
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            // An apostrophe inside a word isn't a quote.
            offset = isWordByte(follows) ? offset + 1 : afterQuotes()
        } else if byte == UInt8(ascii: "#"), startsComment(behind: follows) {
            comment = offset
            while offset < end, lineBreakLength(bytes, at: offset) == 0 { offset += 1 }
        } else {
            offset += 1
        }
        return byte
    }

    /// Skips to the offset after the bracket that closes the one just read; stays in place if no
    /// bracket closes it.
    mutating func skipNested() {
        guard !hasUnclosedBracket else { return }
        let start = offset
        var depth = 1
        while depth > 0, let byte = next() {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "("): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ")"): depth -= 1
            default: break
            }
        }
        if depth > 0 {
            offset = start
            hasUnclosedBracket = true
        }
    }

    private func startsComment(behind byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: "\""),
            UInt8(ascii: "'"):
            true
        default: isBlank(byte)
        }
    }

    private func isWordByte(_ byte: UInt8) -> Bool { isAnchorCharacter(byte) || byte >= 0x80 }

    /// Returns the offset after the closing quote on the same line, or after the opening quote if
    /// no quote closes it.
    private mutating func afterQuotes() -> Int {
        if hasUnclosedQuote { return offset + 1 }
        let quote = bytes[offset]
        var index = offset + 1
        while index < end, lineBreakLength(bytes, at: index) == 0 {
            if bytes[index] == quote { return index + 1 }
            index += bytes[index] == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? 2 : 1
        }
        hasUnclosedQuote = true
        return offset + 1
    }
}
