internal import CPoprules

extension ArrowColumn.Kind {
    /// Returns the flaw of an array of this kind that has to have `rows` values; nil if there is
    /// none.
    ///
    /// It finds impossible numbers and missing pointers: offsets, indexes and lengths in the memory
    /// that they refer to are checked by `ArrowWriter` when they are read.
    func flaw(in array: ArrowArray, rows: Int = 0) -> String? {
        guard let length = unsafe Int(exactly: array.length),
            let offset = unsafe Int(exactly: array.offset), length >= 0, offset >= 0,
            length <= ArrowLimits.rows, offset <= ArrowLimits.rows
        else { return "an impossible length or offset" }
        guard unsafe (-1...array.length).contains(array.null_count) else {
            return "an impossible null count"
        }
        guard length >= rows else { return "fewer values than rows" }
        let end = length + offset
        let buffers = dataBuffers
        guard unsafe array.n_buffers >= Int64(buffers.count + buffers.lowerBound),
            unsafe array.n_buffers == 0 || array.buffers != nil
        else { return "too few buffers" }
        guard unsafe array.n_buffers <= ArrowLimits.buffers else { return "too many buffers" }
        if hasBitmap, unsafe array.null_count > 0,
            unsafe array.n_buffers == 0 || array.buffers?[0] == nil
        {
            return "nulls, but no validity bitmap"
        }
        if end > 0, buffers.contains(where: { unsafe array.buffers?[$0] == nil }) {
            return "a missing buffer"
        }
        return unsafe flawInside(array, end: end)
    }

    /// Indicates whether the array has a bitmap with one validity bit per value.
    private var hasBitmap: Bool {
        switch self {
        case .null, .other: false
        case .bool, .integer, .double, .float, .text, .textView, .binary, .binaryView,
            .fixedBinary, .decimal, .time, .date, .structure, .list, .fixedList, .map, .dictionary:
            true
        }
    }

    /// The places of the buffers without which no value is read. The bytes of strings may be
    /// missing if all are empty.
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
        case .null, .bool, .integer, .double, .float, .text, .binary, .decimal, .time, .date,
            .other:
            return nil
        case .fixedBinary(let count):
            return end.multipliedReportingOverflow(by: count).overflow
                ? "an impossible length" : nil
        case .textView, .binaryView:
            // The last buffer, after the views and their data, has the lengths of the data buffers.
            guard unsafe array.n_buffers >= 3 else { return "too few buffers" }
            let lengths = unsafe array.buffers?[Int(array.n_buffers) - 1]
            return unsafe array.n_buffers > 3 && lengths == nil ? "a missing buffer" : nil
        case .structure(let fields):
            return unsafe Self.flaw(ofChildren: fields.map(\.kind), in: array, rows: end)
        case .list(_, let item):
            return unsafe Self.flaw(ofChildren: [item], in: array, rows: 0)
        case .fixedList(let count, let item):
            let (rows, isTooMany) = end.multipliedReportingOverflow(by: count)
            return isTooMany
                ? "an impossible length"
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
            return "a different number of columns or fields than its schema"
        }
        for (index, kind) in kinds.enumerated() {
            guard let child = unsafe array.children?[index] else {
                return "no data for one of its columns"
            }
            if let flaw = unsafe kind.flaw(in: child.pointee, rows: rows) { return flaw }
        }
        return nil
    }
}
