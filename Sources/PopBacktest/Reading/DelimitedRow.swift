internal import PopFleet
internal import PopMapping

/// Finds values in rows of columns: of CSV (RFC 4180), or between tabs.
struct DelimitedRow {
    private let separator: UInt8
    private let isQuoted: Bool
    /// By column, the node of the tree that it is.
    private let nodes: [Int?]
    private(set) var json: JSONRow
    private let tree: PathTree

    init(_ tree: PathTree, layout: RowLayout) {
        self.tree = tree
        json = JSONRow(tree)
        separator = layout.separator
        isQuoted = layout.format == .csv
        nodes = layout.header.map { column in
            let name = Array(column.utf8)
            return tree.child(of: 0, named: name.indices, in: name)
        }
    }

    var found: [FoundValue] { json.found }

    /// Looks for the values of the row that begins at a place, and goes behind it.
    mutating func read(_ place: inout Int, end: Int, in block: inout [UInt8]) -> Bool {
        json.clear()
        var column = 0
        while true {
            guard let (value, isLast) = next(&place, end: end, in: &block) else { return false }
            if column < nodes.count, let node = nodes[column], value.start < value.end {
                if tree.isLeaf(node) {
                    if let path = tree.nodes[node].path { json.note(value, as: path) }
                } else {
                    json.read(value.start..<value.end, below: node, in: &block)
                }
            }
            if isLast { return true }
            column += 1
        }
    }

    /// The values of a row as texts.
    static func texts(
        _ place: inout Int, end: Int, layout: RowLayout, in block: inout [UInt8]
    ) -> [String] {
        let reader = DelimitedRow(PathTree([]), layout: layout)
        var texts: [String] = []
        while let (value, isLast) = reader.next(&place, end: end, in: &block) {
            texts.append(String(decoding: block[value.start..<value.end], as: UTF8.self))
            if isLast { break }
        }
        return texts
    }

    private func next(
        _ place: inout Int, end: Int, in block: inout [UInt8]
    ) -> (FoundValue, isLast: Bool)? {
        if isQuoted, place < end, block[place] == UInt8(ascii: "\"") {
            return quoted(&place, end: end, in: &block)
        }
        let start = place
        while place < end, block[place] != separator, !isLineEnd(block[place]) { place += 1 }
        let last = place
        return (
            FoundValue(start: start, end: last, isText: true), leave(&place, end: end, in: block)
        )
    }

    private func quoted(
        _ place: inout Int, end: Int, in block: inout [UInt8]
    ) -> (FoundValue, isLast: Bool)? {
        var start = place + 1
        var hasQuotes = false
        place += 1
        while place < end {
            if block[place] == UInt8(ascii: "\"") {
                guard place + 1 < end, block[place + 1] == UInt8(ascii: "\"") else { break }
                hasQuotes = true
                place += 1
            }
            place += 1
        }
        guard place < end else { return nil }
        var last = place
        if hasQuotes {
            let written = start..<last
            start = block.count
            var isSecond = false
            for index in written {
                let byte = block[index]
                isSecond = byte == UInt8(ascii: "\"") && !isSecond
                if !isSecond { block.append(byte) }
            }
            last = block.count
        }
        place += 1
        guard place >= end || isLineEnd(block[place]) || block[place] == separator else {
            return nil
        }
        return (
            FoundValue(start: start, end: last, isText: true), leave(&place, end: end, in: block)
        )
    }

    /// Goes behind what stands behind a value; says whether the row ends there.
    private func leave(_ place: inout Int, end: Int, in block: [UInt8]) -> Bool {
        let isLast = place >= end || isLineEnd(block[place])
        place = isLast ? behindLineEnd(place, in: block) : place + 1
        return isLast
    }
}
