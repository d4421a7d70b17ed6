internal import CPoprules

/// Reads a stream of Arrow batches as blocks of JSON, a line for each row.
struct ArrowLines {
    private typealias Column = (index: Int, field: ArrowColumn.Field, form: ArrowColumn.TimeForm)

    private let columns: Set<String>
    private let form: (String) -> ArrowColumn.TimeForm

    /// Takes only the columns of these names, and writes times in the form that `form` returns for
    /// a name.
    init(columns: Set<String>, form: @escaping (String) -> ArrowColumn.TimeForm) {
        self.columns = columns
        self.form = form
    }

    /// Passes the rows of all batches to `take`, which may modify a block in any way. Before that,
    /// `check` gets the names of all columns.
    func read(
        _ stream: UnsafeMutablePointer<ArrowArrayStream>,
        check: ([String]) throws(ForeignError) -> Void,
        to take: (inout [UInt8]) throws(ForeignError) -> Void
    ) throws(ForeignError) {
        var schema = unsafe ArrowSchema()
        guard unsafe stream.pointee.get_schema?(stream, &schema) == 0 else {
            throw unsafe Self.failure(of: stream)
        }
        defer { unsafe schema.release?(&schema) }
        let table = unsafe ArrowColumn.Kind(schema)
        guard case .structure(let fields) = table else {
            throw .unreadable("the stream is not a table: it has no columns")
        }
        try check(fields.map { $0.name })
        let wanted = try wanted(of: fields)
        while true {
            var batch = unsafe ArrowArray()
            guard unsafe stream.pointee.get_next?(stream, &batch) == 0 else {
                throw unsafe Self.failure(of: stream)
            }
            guard unsafe batch.release != nil else { return }
            defer { unsafe batch.release?(&batch) }
            if let flaw = unsafe table.flaw(in: batch) {
                throw .unreadable("the table cannot be read: one of its batches has \(flaw)")
            }
            unsafe try Self.read(batch, columns: wanted, to: take)
        }
    }

    private func wanted(of fields: [ArrowColumn.Field]) throws(ForeignError) -> [Column] {
        if let unread = fields.filter({ columns.contains($0.name) }).compactMap(\.unread).first {
            throw .unreadable(
                "column `\(unread.place)` has an unsupported type (Arrow format `\(unread.type)`):"
                    + " cast it to a string or a number")
        }
        return fields.enumerated().filter { columns.contains($0.element.name) }
            .map { (index: $0.offset, field: $0.element, form: form($0.element.name)) }
    }

    private static func read(
        _ batch: ArrowArray, columns: [Column],
        to take: (inout [UInt8]) throws(ForeignError) -> Void
    ) throws(ForeignError) {
        var writer = ArrowWriter()
        var rows = 0
        for row in 0..<Int(unsafe batch.length) {
            unsafe write(row, of: batch, columns: columns, to: &writer)
            if let flaw = writer.flaw {
                throw .unreadable("the table cannot be read: one of its batches has \(flaw)")
            }
            rows += 1
            guard
                rows == ArrowLimits.rowsPerBlock
                    || writer.bytes.count >= ArrowLimits.bytesPerBlock
            else { continue }
            try take(&writer.bytes)
            writer.bytes.removeAll(keepingCapacity: true)
            rows = 0
        }
        try take(&writer.bytes)
    }

    private static func write(
        _ row: Int, of batch: ArrowArray, columns: [Column], to writer: inout ArrowWriter
    ) {
        writer.append("{")
        var isFirst = true
        for (index, field, form) in columns {
            guard let column = unsafe batch.children?[index] else { continue }
            unsafe writer.write(
                field, of: column, row: row + Int(batch.offset), form: form, isFirst: &isFirst)
        }
        writer.append("}\n")
    }

    private static func failure(
        of stream: UnsafeMutablePointer<ArrowArrayStream>
    ) -> ForeignError {
        let words = unsafe stream.pointee.get_last_error?(stream).map { unsafe String(cString: $0) }
        return .unreadable("the table cannot be read: \(words ?? "its stream gives no reason")")
    }
}
