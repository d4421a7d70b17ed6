/// One line as its author sees it: indentation, dashes, a key, a value, a comment.
///
/// It is for lines that YAML reads differently, so it assumes the likely meaning: a key is a name
/// or a quoted string before the first `:`, and the content of quotes is protected.
struct SourceLine {
    private let bytes: [UInt8]
    /// The line without the line break.
    let range: Range<Int>
    /// The offset of the first character that is neither space nor tab.
    let start: Int
    /// The start of the line's own content, after the dashes of list items.
    let afterDashes: Int
    let key: Range<Int>?
    /// The text after the key, or after the dashes if there is no key; without comment and trailing
    /// blanks.
    let value: Range<Int>
    let comment: Range<Int>?

    /// Creates the line that contains an offset.
    init(_ bytes: [UInt8], at offset: Int) {
        self.bytes = bytes
        var lower = min(offset, bytes.count)
        while lower > 0, !endsLine(bytes, before: lower) { lower -= 1 }
        var upper = min(offset, bytes.count)
        while upper < bytes.count, lineBreakLength(bytes, at: upper) == 0 { upper += 1 }
        range = min(lower, upper)..<upper
        var scan = LineScan(bytes: bytes, offset: range.lowerBound, end: upper)
        scan.skipBlanks()
        start = scan.offset
        while scan.skipDash() { scan.skipBlanks() }
        afterDashes = scan.offset
        key = scan.scanKey()
        if key != nil { scan.skipBlanks() }
        let content = scan.scanContent()
        value = content.value
        comment = content.comment
    }

    var isBlank: Bool { start == range.upperBound || start == comment?.lowerBound }
    var hasDash: Bool { afterDashes > start }
    /// The indentation of the first character, in bytes.
    var indent: Int { start - range.lowerBound }
    /// The offset of the `:` after the key.
    var colon: Int? {
        guard let key else { return nil }
        var offset = key.upperBound
        while offset < range.upperBound, bytes[offset] != UInt8(ascii: ":") { offset += 1 }
        return offset
    }

    /// Returns true if the first text of a line is a key that is indented with such spaces as
    /// `otherIndentation`. It reads a line only for the first text in it.
    static func hasOtherIndentation(_ bytes: [UInt8], before offset: Int) -> Bool {
        guard otherSpaceLength(bytes, at: offset) > 0 else { return false }
        var lower = offset
        while lower > 0, PopYAML.isBlank(bytes[lower - 1]) { lower -= 1 }
        guard lower == 0 || endsLine(bytes, before: lower) else { return false }
        return SourceLine(bytes, at: offset).otherIndentation != nil
    }

    /// The indentation of a key if it contains spaces that YAML doesn't accept for it, such as
    /// U+00A0; nil for other lines.
    var otherIndentation: Range<Int>? {
        guard let key, key.lowerBound == start else { return nil }
        var end = start
        while end < key.upperBound {
            let length = PopYAML.isBlank(bytes[end]) ? 1 : otherSpaceLength(bytes, at: end)
            if length == 0 { break }
            end += length
        }
        return end > start && end < key.upperBound ? range.lowerBound..<end : nil
    }

    /// The previous line; nil at the start of the file.
    var previous: SourceLine? {
        range.lowerBound > 0 ? SourceLine(bytes, at: range.lowerBound - 1) : nil
    }

    /// The next line; nil at the end of the file.
    var next: SourceLine? {
        let behind = range.upperBound + lineBreakLength(bytes, at: range.upperBound)
        return behind < bytes.count && behind > range.upperBound
            ? SourceLine(bytes, at: behind) : nil
    }

    /// Returns the value if the offset is in it or at its edge.
    func value(at offset: Int) -> Range<Int>? {
        !value.isEmpty && value.lowerBound <= offset && offset <= value.upperBound ? value : nil
    }
}

/// Returns true if the byte before an offset ends a line.
private func endsLine(_ bytes: [UInt8], before offset: Int) -> Bool {
    switch bytes[offset - 1] {
    case UInt8(ascii: "\n"): true
    case UInt8(ascii: "\r"): offset == bytes.count || bytes[offset] != UInt8(ascii: "\n")
    case 0x85: offset >= 2 && bytes[offset - 2] == 0xC2
    case 0xA8, 0xA9: offset >= 3 && bytes[offset - 2] == 0x80 && bytes[offset - 3] == 0xE2
    default: false
    }
}

/// A scanner for one line.
private struct LineScan {
    let bytes: [UInt8]
    var offset: Int
    let end: Int

    mutating func skipBlanks() {
        while offset < end, isBlank(bytes[offset]) { offset += 1 }
    }

    /// Skips the `-` before an item.
    mutating func skipDash() -> Bool {
        guard offset < end, bytes[offset] == UInt8(ascii: "-"),
            offset + 1 == end || isBlank(bytes[offset + 1])
        else { return false }
        offset += 1
        return true
    }

    /// Skips a key with its `:` and returns the key; stays in place if there is no key.
    mutating func scanKey() -> Range<Int>? {
        let start = offset
        var index = offset
        if index < end, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") {
            guard let close = closingQuote(from: index) else { return nil }
            index = close + 1
            let keyEnd = index
            while index < end, isBlank(bytes[index]) { index += 1 }
            return finishKey(start..<keyEnd, colonAt: index)
        }
        while index < end {
            switch bytes[index] {
            case UInt8(ascii: ":") where index + 1 == end || isBlank(bytes[index + 1]):
                return finishKey(start..<index, colonAt: index)
            case UInt8(ascii: "#") where index > start && isBlank(bytes[index - 1]): return nil
            // Keys have these characters only at their start; expressions have them anywhere.
            case UInt8(ascii: "@"), UInt8(ascii: "`"), UInt8(ascii: "%"):
                if index > start { return nil }
                index += 1
            case UInt8(ascii: "\""), UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: "&"),
                UInt8(ascii: "|"), UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "["),
                UInt8(ascii: ">"), UInt8(ascii: "!"), UInt8(ascii: ","):
                return nil
            case UInt8(ascii: "<") where index > start + 1: return nil
            default: index += 1
            }
        }
        return nil
    }

    private mutating func finishKey(_ key: Range<Int>, colonAt index: Int) -> Range<Int>? {
        guard !key.isEmpty, index < end, bytes[index] == UInt8(ascii: ":"),
            index + 1 == end || isBlank(bytes[index + 1])
        else { return nil }
        offset = index + 1
        return key
    }

    /// Returns the rest of the line: a value, then a comment.
    mutating func scanContent() -> (value: Range<Int>, comment: Range<Int>?) {
        let start = offset
        var comment: Range<Int>?
        var index = offset
        var hasUnclosedQuote = false
        while index < end {
            if bytes[index] == UInt8(ascii: "#"),
                index == 0 || isBlank(bytes[index - 1]) || index == start
            {
                comment = index..<end
                break
            }
            let isQuote = bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'")
            if isQuote, !hasUnclosedQuote {
                let close = closingQuote(from: index)
                hasUnclosedQuote = close == nil
                index = close ?? index
            }
            index += 1
        }
        var valueEnd = comment?.lowerBound ?? end
        while valueEnd > start, isBlank(bytes[valueEnd - 1]) { valueEnd -= 1 }
        return (start..<valueEnd, comment)
    }

    /// Returns the quote on this line that closes the one at `index`.
    private func closingQuote(from index: Int) -> Int? {
        let quote = bytes[index]
        var index = index + 1
        while index < end {
            if bytes[index] == quote { return index }
            index += bytes[index] == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? 2 : 1
        }
        return nil
    }
}

/// The indentation of the lines of a file if each leading tab is replaced by the given number of
/// spaces.
struct TabWidth {
    /// The maximum number of lines that are examined.
    private static let limit = 10_000

    let width: Int
    /// The number of lines that aren't below a key: no map is open, or they aren't deeper than
    /// their key.
    private(set) var misplaced = 0
    /// The number of lines that leave the map of the previous line, where one line is indented with
    /// spaces and the other with tabs.
    private(set) var leaving = 0
    /// The depth of each line.
    private(set) var depths: [Int] = []
    /// The columns of the maps and lists that are open.
    private var open: [Int] = []
    private let bytes: [UInt8]

    /// Returns the width that most likely matches the intended indentation, and whether every other
    /// width that fits results in the same depths.
    static func best(in bytes: [UInt8]) -> (width: Int, isCertain: Bool) {
        let all = [2, 4, 6, 8].map { TabWidth($0, in: bytes) }
        let least = all.map(\.misplaced).min() ?? 0
        let fitting = all.filter { $0.misplaced == least }
        let best = fitting.min { $0.leaving < $1.leaving } ?? all[0]
        return (best.width, fitting.allSatisfy { $0.depths == best.depths })
    }

    private init(_ width: Int, in bytes: [UInt8]) {
        self.width = width
        self.bytes = bytes
        var above: SourceLine?
        var line: SourceLine? = SourceLine(bytes, at: 0)
        while let this = line, depths.count < Self.limit {
            if !this.isBlank {
                place(this, below: above)
                above = this
            }
            line = this.next
        }
    }

    private mutating func place(_ line: SourceLine, below above: SourceLine?) {
        let column = column(line.start, of: line)
        while let last = open.last, last > column { open.removeLast() }
        // Less is known about multi-line strings and lists.
        if line.key != nil, !line.hasDash, let above, above.key != nil {
            let former = self.column(above.afterDashes, of: above)
            let isBegun = above.value.isEmpty && column > former
            let isOpen = !above.value.isEmpty && open.last == column
            if !isBegun, !isOpen, startsWithTab(line) || startsWithTab(above) { misplaced += 1 }
            if column < former, startsWithTab(line) != startsWithTab(above) { leaving += 1 }
        }
        if open.last != column { open.append(column) }
        if line.hasDash { open.append(self.column(line.afterDashes, of: line)) }
        depths.append(open.count)
    }

    private func startsWithTab(_ line: SourceLine) -> Bool {
        line.indent > 0 && bytes[line.range.lowerBound] == UInt8(ascii: "\t")
    }

    private func column(_ offset: Int, of line: SourceLine) -> Int {
        bytes[line.range.lowerBound..<offset].reduce(0) {
            $0 + ($1 == UInt8(ascii: "\t") ? width : 1)
        }
    }
}
