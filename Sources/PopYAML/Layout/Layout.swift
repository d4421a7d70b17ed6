/// Writes tokens in the standard layout: every line stays, its indentation and inner spaces are
/// rewritten.
struct Layout {
    /// A block collection that is open.
    struct Block {
        /// The columns in the file and in the new text.
        var old: Int
        var new: Int
        var isSequence: Bool
        /// True for a sequence whose `-` are directly below the key; libyaml only reports its
        /// items.
        var isIndentless = false
    }

    static let step = 2

    let bytes: [UInt8]
    private(set) var text: [UInt8]
    /// The line break, taken from the first line of the file.
    let lineBreak: [UInt8]
    var blocks: [Block] = []
    /// The blocks that were open after the last visible token: comments may belong to them.
    private var blocksBefore: [Block] = []
    private var flowDepth = 0
    /// The distance that the lines of the open brackets move.
    private var flowShift = 0
    /// The last visible token.
    private var last: LayoutToken?
    /// The end of the part of the file that has been written.
    var written: Int
    /// True if the next token is the first of a simple key.
    private var isAtKey = false
    /// True if an empty line is still to be written.
    var hasEmptyLine = false
    /// True if the file ends in a scalar that a line break would change.
    var isOpenEnded = false
    /// The start of the text, after a byte order mark.
    private let start: Int

    init(_ text: CheckedText) {
        bytes = text.bytes
        written = text.start
        start = text.start
        self.text = Array(bytes[..<text.start])
        let end = text.bytes.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? 0
        let isWindows = text.bytes[end...].starts(with: [0x0D, 0x0A])
        lineBreak = isWindows ? [0x0D, 0x0A] : [0x0A]
    }

    mutating func add(_ token: LayoutToken) {
        switch token.kind {
        case .blockMappingStart, .blockSequenceStart: open(token)
        case .blockEnd:
            closeIndentless()
            _ = blocks.popLast()
        case .key where flowDepth == 0:
            closeIndentless()
            isAtKey = !token.isVisible
        case .value where flowDepth == 0: closeIndentless()
        case .blockEntry where blocks.last?.isSequence == false: openIndentless(token)
        case .streamStart, .streamEnd, .directive, .documentStart, .documentEnd, .flowSequenceStart,
            .flowSequenceEnd, .flowMappingStart, .flowMappingEnd, .blockEntry, .flowEntry, .key,
            .value, .alias, .anchor, .tag, .scalar:
            break
        }
        if token.kind == .streamEnd { return end(token) }
        if token.isVisible { write(token) }
    }
}

// Blocks.
extension Layout {
    /// Opens a collection. On a line of its own it is one level deeper; after a `-` it stays where
    /// it is.
    private mutating func open(_ token: LayoutToken) {
        let isFirst = isFirstOnLine(token)
        let new = isFirst ? blocks.last.map { $0.new + Self.step } ?? 0 : column + 1
        blocks.append(
            Block(old: token.column, new: new, isSequence: token.kind == .blockSequenceStart))
    }

    private mutating func openIndentless(_ token: LayoutToken) {
        let new = (blocks.last?.new ?? 0) + Self.step
        blocks.append(Block(old: token.column, new: new, isSequence: true, isIndentless: true))
    }

    private mutating func closeIndentless() {
        if blocks.last?.isIndentless == true { blocks.removeLast() }
    }

    private func isFirstOnLine(_ token: LayoutToken) -> Bool {
        isAtLineStart
            || (written..<token.range.lowerBound).contains { lineBreakLength(bytes, at: $0) > 0 }
    }

    /// True if the line that is being written is empty.
    var isAtLineStart: Bool { text.count == start || text.last == 0x0A }

    /// The column after the written text, in characters.
    var column: Int {
        var count = 0
        for byte in text.reversed() {
            if byte == 0x0A { break }
            if byte & 0xC0 != 0x80 { count += 1 }
        }
        return count
    }
}

// Tokens.
extension Layout {
    private mutating func write(_ token: LayoutToken) {
        let isFirst = isFirstOnLine(token)
        let column = newColumn(of: token)
        let gap = Gap(
            bytes, range: written..<token.range.lowerBound, column: last?.endColumn ?? 0,
            isAtLineStart: isAtLineStart)
        write(gap, before: isFirst ? token : nil, newColumn: column)
        if isFirst {
            indent(to: column)
        } else if let last {
            let wasApart = last.range.upperBound < token.range.lowerBound
            indent(by: Self.spaces(between: last, token, wasApart: wasApart))
        }
        let shift =
            isFirst
            ? column - token.column
            : flowDepth > 0 ? flowShift : blocks.last.map { $0.new - $0.old } ?? 0
        switch token.kind {
        case .flowMappingStart, .flowSequenceStart:
            if flowDepth == 0 { flowShift = shift }
            flowDepth += 1
        case .flowMappingEnd, .flowSequenceEnd: flowDepth -= 1
        case .streamStart, .streamEnd, .directive, .documentStart, .documentEnd,
            .blockSequenceStart, .blockMappingStart, .blockEnd, .blockEntry, .flowEntry, .key,
            .value, .alias, .anchor, .tag, .scalar:
            break
        }
        if token.kind == .scalar {
            writeScalar(token, shift: shift)
        } else {
            text += bytes[token.range]
        }
        last = token
        written = token.range.upperBound
        isAtKey = false
        blocksBefore = blocks
    }

    /// Returns the new column of a token that is the first of its line.
    private func newColumn(of token: LayoutToken) -> Int {
        if flowDepth > 0 { return max(0, token.column + flowShift) }
        switch token.kind {
        case .documentStart, .documentEnd, .directive: return 0
        case .blockEntry, .key, .value: return blocks.last?.new ?? 0
        case .streamStart, .streamEnd, .blockSequenceStart, .blockMappingStart, .blockEnd,
            .flowSequenceStart, .flowSequenceEnd, .flowMappingStart, .flowMappingEnd, .flowEntry,
            .alias, .anchor, .tag, .scalar:
            break
        }
        if isAtKey { return blocks.last?.new ?? 0 }
        return blocks.last.map { $0.new + Self.step } ?? 0
    }

    /// Returns the number of spaces between two tokens on a line.
    private static func spaces(
        between left: LayoutToken, _ right: LayoutToken, wasApart: Bool
    ) -> Int {
        switch (left.kind, right.kind) {
        case (.flowMappingStart, .flowMappingEnd): return 0
        case (.value, .flowEntry), (.value, .flowSequenceEnd), (.key, .flowEntry),
            (.key, .flowSequenceEnd):
            return wasApart ? 1 : 0
        // Characters that may become part of a preceding name stay apart.
        case (.anchor, .flowEntry), (.tag, .flowEntry), (.alias, .flowEntry),
            (.anchor, .flowSequenceEnd), (.tag, .flowSequenceEnd), (.alias, .flowSequenceEnd),
            (.anchor, .value), (.tag, .value), (.alias, .value):
            return wasApart ? 1 : 0
        case (_, .value):
            return [.flowMappingStart, .flowEntry, .key].contains(left.kind) ? 1 : 0
        case (.flowSequenceStart, _), (_, .flowSequenceEnd), (_, .flowEntry): return 0
        case (.streamStart, _), (.streamEnd, _), (.directive, _), (.documentStart, _),
            (.documentEnd, _), (.blockSequenceStart, _), (.blockMappingStart, _), (.blockEnd, _),
            (.flowSequenceEnd, _), (.flowMappingStart, _), (.flowMappingEnd, _), (.blockEntry, _),
            (.flowEntry, _), (.key, _), (.value, _), (.alias, _), (.anchor, _), (.tag, _),
            (.scalar, _):
            return 1
        }
    }

    /// Writes the end of the file: comments that follow the last token, and one line break.
    private mutating func end(_ token: LayoutToken) {
        let gap = Gap(
            bytes, range: written..<bytes.count, column: last?.endColumn ?? 0,
            isAtLineStart: isAtLineStart)
        write(gap, before: nil, newColumn: 0)
        if !isAtLineStart, !isOpenEnded { text += lineBreak }
    }
}

// The content between tokens.
extension Layout {
    /// Writes comments and line breaks; `token` is the next token, on a line of its own.
    private mutating func write(_ gap: Gap, before token: LayoutToken?, newColumn: Int) {
        if let comment = gap.trailing {
            indent(by: max(1, comment.column - column))
            text += bytes[comment.range]
        }
        for line in gap.lines {
            if !isAtLineStart { text += lineBreak }
            guard let comment = line else {
                hasEmptyLine = true
                continue
            }
            indent(to: self.column(of: comment, before: token, newColumn))
            text += bytes[comment.range]
        }
        if token != nil, !isAtLineStart { text += lineBreak }
    }

    /// Returns the new column of a comment, which moves with the line whose column it shares: the
    /// next line, or one of the previous lines.
    private func column(
        of comment: Gap.Comment, before token: LayoutToken?, _ newColumn: Int
    ) -> Int {
        if flowDepth > 0 { return max(0, comment.column + flowShift) }
        if let token, token.column == comment.column { return newColumn }
        var places = blocksBefore.map { (old: $0.old, new: $0.new) }
        if let token { places.append((token.column, newColumn)) }
        let place = places.filter { $0.old <= comment.column }.max { $0.old < $1.old }
        return place?.new ?? 0
    }

    /// Begins a line with that many spaces, after an empty line if one is pending.
    private mutating func indent(to column: Int) {
        if hasEmptyLine, text.count > start { text += lineBreak }
        hasEmptyLine = false
        indent(by: column)
    }

    mutating func indent(by count: Int) {
        text += repeatElement(UInt8(ascii: " "), count: max(0, count))
    }

    mutating func append(_ slice: some Sequence<UInt8>) { text += slice }
}

extension Layout {
    /// Writes a scalar: its first line unchanged, the others moved.
    mutating func writeScalar(_ token: LayoutToken, shift: Int) {
        let first = bytes[token.range.lowerBound]
        if first == UInt8(ascii: "|") || first == UInt8(ascii: ">") {
            writeBlockScalar(token)
        } else {
            writeLines(token, shift: shift)
        }
    }

    /// Writes a scalar with or without quotes: blanks at the starts of its lines aren't part of it.
    private mutating func writeLines(_ token: LayoutToken, shift: Int) {
        let isDoubleQuoted = bytes[token.range.lowerBound] == UInt8(ascii: "\"")
        let floor = blocks.last.map { $0.new + 1 } ?? 0
        for (position, line) in lines(in: token.range).enumerated() {
            let content = line.content.drop { isBlank($0) && position > 0 }
            let blanks = line.content.count - content.count
            if !content.isEmpty {
                if position > 0 { indent(by: max(floor, blanks + shift)) }
                // After a backslash a blank matters.
                append(isDoubleQuoted ? content : content.trimmed)
            }
            append(line.lineBreak)
        }
    }

    /// Writes a scalar below `|` or `>`: its text keeps its own indentation.
    private mutating func writeBlockScalar(_ token: LayoutToken) {
        var lines = lines(in: token.range)[...]
        guard let header = lines.popFirst() else { return }
        append(header.content.trimmed)
        append(header.lineBreak.isEmpty ? lineBreak : header.lineBreak)
        let indicators = header.content.dropFirst().prefix { !isBlank($0) }
        let increment = indicators.first { (0x31...0x39).contains($0) }.map { Int($0) - 0x30 }
        let isKept = indicators.contains(UInt8(ascii: "+"))
        let isStripped = indicators.contains(UInt8(ascii: "-"))

        let (old, new) = indentation(of: lines, increment: increment)
        let isContent: (Line) -> Bool = { line in
            line.content.dropFirst(old).isEmpty == false || line.content.contains { $0 != 0x20 }
        }
        if !isKept,
            let end = lines.lastIndex(where: isContent) ?? lines.indices.first.map({ $0 - 1 })
        {
            hasEmptyLine = end + 1 < lines.endIndex
            lines = lines[...end]
        }
        for line in lines {
            if isContent(line) {
                indent(by: new)
                append(line.content.dropFirst(old))
            }
            append(line.lineBreak)
        }
        if lines.last?.lineBreak.isEmpty == true {
            if isStripped { append(lineBreak) } else { isOpenEnded = true }
        }
    }

    /// Returns the current and the new indentation of the text of a block scalar.
    private func indentation(
        of lines: ArraySlice<Line>, increment: Int?
    ) -> (old: Int, new: Int) {
        let parent = blocks.last
        if let increment {
            return (max(0, parent?.old ?? 0) + increment, max(0, parent?.new ?? 0) + increment)
        }
        let first = lines.first { line in line.content.contains { $0 != 0x20 } }
        let old = first.map { $0.content.prefix { $0 == 0x20 }.count } ?? .max
        return (old, parent.map { $0.new + Self.step } ?? old)
    }
}

extension Layout {
    /// A line of a scalar.
    struct Line {
        var content: ArraySlice<UInt8>
        /// The bytes to write for its line break; empty at the end.
        var lineBreak: [UInt8]
    }

    private func lines(in range: Range<Int>) -> [Line] {
        var lines: [Line] = []
        var start = range.lowerBound
        var offset = start
        while offset < range.upperBound {
            let length = lineBreakLength(bytes, at: offset)
            if length == 0 {
                offset += 1
                continue
            }
            let isPlain = bytes[offset] == 0x0A || bytes[offset] == 0x0D
            lines.append(
                Line(
                    content: bytes[start..<offset],
                    // The other line breaks of YAML 1.1 are part of the text.
                    lineBreak: isPlain ? lineBreak : Array(bytes[offset..<offset + length])))
            offset += length
            start = offset
        }
        if start < range.upperBound || lines.isEmpty {
            lines.append(Line(content: bytes[start..<range.upperBound], lineBreak: []))
        }
        return lines
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without the blanks at the end.
    fileprivate var trimmed: ArraySlice<UInt8> {
        self[..<(lastIndex { !isBlank($0) }.map { $0 + 1 } ?? startIndex)]
    }
}
