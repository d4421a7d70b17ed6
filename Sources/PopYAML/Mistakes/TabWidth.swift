/// What becomes of the lines of a file when each tab in front of them is so many spaces.
struct TabWidth {
    /// The most lines that are looked at.
    private static let limit = 10_000

    let width: Int
    /// Lines that stand below no key: where no map is open, or no deeper than the key that they
    /// belong to.
    private(set) var misplaced = 0
    /// Lines that leave the map of the line above, to one with spaces from one with tabs or the
    /// other way round.
    private(set) var leaving = 0
    /// How deep each line stands.
    private(set) var depths: [Int] = []
    /// The columns of the maps and lists that are open.
    private var open: [Int] = []
    private let bytes: [UInt8]

    /// The width with which the lines stand as they are most likely meant, and whether none other
    /// would do that gives them another place.
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
        // Of texts of several lines and of lists less is known.
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
