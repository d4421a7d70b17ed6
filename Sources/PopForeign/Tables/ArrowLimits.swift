/// The limits of tables.
enum ArrowLimits {
    /// The most rows of a batch that is given out.
    static let rowsPerBatch = 65_536
    /// The bytes of the strings of a column in such a batch, unless a single string has more: far
    /// below what offsets of 32 bits reach.
    static let textBytesPerBatch = 16 << 20
    /// The most bytes of one text that is given out.
    static let textBytes = Int(Int32.max)
    /// The number of rows of a read batch that are written at a time.
    static let rowsPerBlock = 4_096
    /// The maximum number of bytes that are written at a time, unless a single row has more.
    static let bytesPerBlock = 4 << 20
    /// The most bytes that one row may have as JSON: lists that repeat each other's items can have
    /// more than any machine holds.
    static let bytesPerRow = 64 << 20
    /// The most rows of a batch that is read: 16 TiB of numbers.
    static let rows = 1 << 41
    /// The most buffers of a column.
    static let buffers: Int64 = 1 << 31
    /// The deepest that types are nested.
    static let levels = 64
    /// The most columns of a table, or members of a value.
    static let fields = 65_536
}

/// Divides columns into batches.
enum ArrowBatches {
    /// Returns the end of a batch that begins with a row: as many rows as `ArrowLimits` allows in
    /// every column. Nil for a row with a string that is too long for any batch.
    static func end(from start: Int, columns: [ArrowExport.Column]) -> Int? {
        var end = start + ArrowLimits.rowsPerBatch
        for column in columns {
            end = min(end, column.values.count)
            guard case .texts(let texts) = column.values else { continue }
            var bytes = 0
            for row in start..<max(end, start) {
                let count = texts[row]?.utf8.count ?? 0
                if count > ArrowLimits.textBytes { return row == start ? nil : row }
                bytes += count
                if bytes > ArrowLimits.textBytesPerBatch, row > start {
                    end = row
                    break
                }
            }
        }
        return max(end, start)
    }
}
