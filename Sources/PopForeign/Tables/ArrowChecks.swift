internal import CPoprules

extension ArrowColumn.Kind {
    /// What is wrong with an array of the kind that is to have `rows` values; nil for nothing.
    ///
    /// Numbers that cannot be and pointers that are missing: what the memory behind them holds is
    /// left to whoever hands it over.
    func flaw(in array: ArrowArray, rows: Int = 0) -> String? {
        guard let length = unsafe Int(exactly: array.length),
            let offset = unsafe Int(exactly: array.offset), length >= 0, offset >= 0,
            length <= Self.mostRows, offset <= Self.mostRows
        else { return "a length or an offset that cannot be" }
        guard length >= rows else { return "fewer values than rows" }
        let end = length + offset
        let buffers = dataBuffers
        guard unsafe array.n_buffers >= Int64(buffers.count + buffers.lowerBound),
            unsafe array.n_buffers == 0 || array.buffers != nil
        else { return "too few buffers" }
        if end > 0, buffers.contains(where: { unsafe array.buffers?[$0] == nil }) {
            return "a buffer that is missing"
        }
        return unsafe flawInside(array, end: end)
    }

    /// Of rows, so many at most: 16 TiB of numbers.
    private static let mostRows = 1 << 41

    /// The places of the buffers without which no value is read. The bytes of texts may be missing
    /// where all are empty.
    private var dataBuffers: Range<Int> {
        switch self {
        case .null, .other: 0..<0
        case .structure, .fixedList: 1..<1
        case .bool, .integer, .double, .float, .text, .textView, .binary, .binaryView,
            .fixedBinary, .decimal, .time, .date, .list, .map, .dictionary:
            1..<2
        }
    }

    private func flawInside(_ array: ArrowArray, end: Int) -> String? {
        switch self {
        case .null, .bool, .integer, .double, .float, .text, .textView, .binary, .binaryView,
            .fixedBinary, .decimal, .time, .date, .other:
            return nil
        case .structure(let fields):
            return unsafe Self.flaw(ofChildren: fields.map(\.kind), in: array, rows: end)
        case .list(_, let item):
            return unsafe Self.flaw(ofChildren: [item], in: array, rows: 0)
        case .fixedList(let count, let item):
            let (rows, isTooMany) = end.multipliedReportingOverflow(by: count)
            return isTooMany
                ? "a length that cannot be"
                : unsafe Self.flaw(ofChildren: [item], in: array, rows: rows)
        case .map(let fields):
            return unsafe Self.flaw(ofChildren: [.structure(fields)], in: array, rows: 0)
        case .dictionary(_, _, let values):
            guard let items = unsafe array.dictionary else { return "no dictionary" }
            return unsafe values.flaw(in: items.pointee)
        }
    }

    private static func flaw(ofChildren kinds: [Self], in array: ArrowArray, rows: Int) -> String? {
        guard unsafe array.n_children == Int64(kinds.count) else {
            return "another number of columns or members than its schema"
        }
        for (index, kind) in kinds.enumerated() {
            guard let child = unsafe array.children?[index] else {
                return "a column that is missing"
            }
            if let flaw = unsafe kind.flaw(in: child.pointee, rows: rows) { return flaw }
        }
        return nil
    }
}
