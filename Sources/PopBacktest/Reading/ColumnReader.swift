/// Finds the fields of rows of columns, of CSV (RFC 4180) or between tabs, and the ends of rows.
///
/// It is the only reader of such rows: blocks are cut at the row ends that it finds, and values are
/// the fields that it finds between separators. So a file means the same however it is compressed,
/// and whatever the size of the blocks is.
///
/// A `"` opens quotes only at the beginning of a field; anywhere else it is an ordinary character.
/// A row whose quotes end too early, or never, is broken: it is left out with its first line, and
/// the next line begins another row.
struct ColumnReader: Sendable {
    /// The reason why a field ends.
    enum Stop {
        /// Another field follows.
        case column
        /// The row is over.
        case row
        /// There is text after the quotes, or the bytes end between them.
        case broken
    }

    /// A field, without its quotes.
    struct Field {
        var value: Range<Int>
        /// Indicates whether it has doubled `"` that each mean one.
        var hasDoubledQuotes = false
        var stop: Stop
    }

    let separator: UInt8
    let isQuoted: Bool
    /// The place at which a row that was broken was noticed to be. At each line end before it that
    /// row was between quotes: so a row that begins before it, and is not over with its first line,
    /// would be read as that one was, and is broken, too. Each byte is read twice at most.
    private(set) var brokenUntil = 0

    init(separator: UInt8, isQuoted: Bool) {
        self.separator = separator
        self.isQuoted = isQuoted
    }

    /// Begins with another block, of which another reader has read what comes before it.
    mutating func begin(brokenUntil: Int) { self.brokenUntil = brokenUntil }

    /// Continues in a block that begins this number of bytes later.
    mutating func move(by count: Int) { brokenUntil = max(brokenUntil - count, 0) }

    /// Notes that a row is broken that was read up to a place.
    mutating func noteBroken(until place: Int) { brokenUntil = max(brokenUntil, place) }

    /// Returns up to where a row that begins at `start` may be read: up to the end of its first
    /// line if more of it would be broken.
    func limit(of start: Int, end: Int, in block: [UInt8]) -> Int {
        if start >= brokenUntil { return end }
        let line = lineEnd(from: start, to: end, in: block)
        return line < brokenUntil ? min(behindLineEnd(line, in: block), end) : end
    }

    /// Returns the field at a place, and moves the place past its end; for a broken field, to where
    /// the error was noticed.
    func next(_ place: inout Int, end: Int, in block: [UInt8]) -> Field {
        if isQuoted, place < end, block[place] == UInt8(ascii: "\"") {
            return quoted(&place, end: end, in: block)
        }
        let start = place
        while place < end, block[place] != separator, !isLineEnd(block[place]) { place += 1 }
        let value = start..<place
        return Field(value: value, stop: leave(&place, end: end, in: block))
    }

    private func quoted(_ place: inout Int, end: Int, in block: [UInt8]) -> Field {
        let start = place + 1
        var hasDoubledQuotes = false
        place = start
        while true {
            place = PopBacktest.place(of: UInt8(ascii: "\""), from: place, to: end, in: block)
            guard place + 1 < end, block[place + 1] == UInt8(ascii: "\"") else { break }
            hasDoubledQuotes = true
            place += 2
        }
        guard place < end else { return Field(value: start..<end, stop: .broken) }
        let value = start..<place
        place += 1
        guard place >= end || isLineEnd(block[place]) || block[place] == separator else {
            return Field(value: value, stop: .broken)
        }
        let stop = leave(&place, end: end, in: block)
        return Field(value: value, hasDoubledQuotes: hasDoubledQuotes, stop: stop)
    }

    private func leave(_ place: inout Int, end: Int, in block: [UInt8]) -> Stop {
        let isLast = place >= end || isLineEnd(block[place])
        place = isLast ? min(behindLineEnd(place, in: block), end) : place + 1
        return isLast ? .row : .column
    }
}

// MARK: Where rows end

extension ColumnReader {
    /// The result of the search for the end of a row.
    enum RowEnd: Equatable {
        /// The row, or the first line of a broken one, ends before this place.
        case behind(Int)
        /// More has to be read to know.
        case unknown
        /// The row has too many bytes, of several lines.
        case tooManyLines
        /// Its first line has too many bytes.
        case lineTooLong
    }

    /// Returns the end of the row that begins at `start`. `isAtEnd` indicates whether nothing
    /// follows the block, and `longest` is the maximum number of bytes of a row.
    ///
    /// A row of several lines with more bytes is broken, as though its quotes never ended.
    mutating func rowEnd(
        from start: Int, isAtEnd: Bool, longest: Int, in block: [UInt8]
    ) -> RowEnd {
        let end = block.count
        let line = lineEnd(from: start, to: end, in: block)
        if line - start > longest { return .lineTooLong }
        // A carriage return may be the first half of a line end.
        guard isAtEnd || line + (block[clamped: line] == UInt8(ascii: "\r") ? 1 : 0) < end else {
            return .unknown
        }
        let behindLine = min(behindLineEnd(line, in: block), end)
        guard isQuoted else { return .behind(behindLine) }
        let limit = limit(of: start, end: end, in: block)
        var place = start
        var field = next(&place, end: limit, in: block)
        while field.stop == .column { field = next(&place, end: limit, in: block) }
        let isKnown = limit < end || isAtEnd
        switch field.stop {
        case .column, .row:
            if content(until: place, in: block) - start > longest { return .tooManyLines }
            let isWhole =
                isKnown || place < end || block[clamped: end - 1] == UInt8(ascii: "\n")
            return isWhole ? .behind(place) : unknownOrTooLong(start, longest, end)
        case .broken:
            // Within its first line, or because another row was, before this one.
            if limit < end { return .behind(behindLine) }
            if min(place, end) - start > longest { return .tooManyLines }
            guard isAtEnd || place < end else { return unknownOrTooLong(start, longest, end) }
            noteBroken(until: place)
            return .behind(behindLine)
        }
    }

    private func unknownOrTooLong(_ start: Int, _ longest: Int, _ end: Int) -> RowEnd {
        // The last byte may be the first half of a line end.
        end - start > longest + 1 ? .tooManyLines : .unknown
    }

    /// Returns the end of the content before a line end.
    private func content(until place: Int, in block: [UInt8]) -> Int {
        var end = place
        if end > 0, block[end - 1] == UInt8(ascii: "\n") { end -= 1 }
        if end > 0, block[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return end
    }
}

extension [UInt8] {
    fileprivate subscript(clamped place: Int) -> UInt8 {
        indices.contains(place) ? self[place] : 0
    }
}

/// Finds values in rows of columns.
struct DelimitedRow {
    private var columns: ColumnReader
    /// By column, the node of the tree that it is.
    private let nodes: [Int?]
    private(set) var json: JSONRow
    private let tree: PathTree

    init(_ tree: PathTree, layout: RowLayout) {
        self.tree = tree
        json = JSONRow(tree)
        columns = layout.columns
        nodes = layout.header.map { column in
            let name = Array(column.utf8)
            return tree.child(of: 0, named: name.indices, in: name)
        }
    }

    var found: [FoundValue] { json.found }

    /// Begins with another block, of which a row from before it is broken up to a place.
    mutating func begin(brokenUntil: Int) { columns.begin(brokenUntil: brokenUntil) }

    /// Finds the values of the row that begins at a place, and moves the place past the row;
    /// returns false for a broken row.
    mutating func read(_ place: inout Int, end: Int, in block: inout [UInt8]) -> Bool {
        json.clear()
        let limit = columns.limit(of: place, end: end, in: block)
        var column = 0
        while true {
            let field = columns.next(&place, end: limit, in: block)
            if field.stop == .broken {
                if limit == end { columns.noteBroken(until: place) }
                return false
            }
            if column < nodes.count, let node = nodes[column], !field.value.isEmpty {
                let value = Self.value(of: field, in: &block)
                if tree.isLeaf(node) {
                    if let path = tree.nodes[node].path { json.note(value, as: path) }
                } else {
                    json.read(value.start..<value.end, below: node, in: &block)
                }
            }
            if field.stop == .row { return true }
            column += 1
        }
    }

    /// Returns the values of the row in a range as strings.
    static func texts(_ row: Range<Int>, layout: RowLayout, in block: [UInt8]) -> [String] {
        let columns = layout.columns
        var block = block
        var place = row.lowerBound
        var texts: [String] = []
        while true {
            let field = columns.next(&place, end: row.upperBound, in: block)
            if field.stop == .broken { return texts }
            let value = value(of: field, in: &block)
            texts.append(String(decoding: block[value.start..<value.end], as: UTF8.self))
            if field.stop == .row { return texts }
        }
    }

    /// Returns the value, written after the end of the block if it has doubled quotes.
    private static func value(
        of field: ColumnReader.Field, in block: inout [UInt8]
    ) -> FoundValue {
        guard field.hasDoubledQuotes else {
            let value = field.value
            return FoundValue(start: value.lowerBound, end: value.upperBound, isText: true)
        }
        let start = block.count
        var isSecond = false
        for index in field.value {
            let byte = block[index]
            isSecond = byte == UInt8(ascii: "\"") && !isSecond
            if !isSecond { block.append(byte) }
        }
        return FoundValue(start: start, end: block.count, isText: true)
    }
}
