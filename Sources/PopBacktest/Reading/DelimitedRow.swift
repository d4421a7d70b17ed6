internal import PopFleet
internal import PopMapping

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
