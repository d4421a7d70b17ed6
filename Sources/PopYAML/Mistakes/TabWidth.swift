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
