internal import PopScheduler

/// Divides the rows of a part by their users, if they are more than memory has room for: a log that
/// is packed does not say how large it is.
struct Division {
    let readings: Int
    let limits: BacktestLimits

    private struct Piece {
        var bytes = 0
        var hash: UInt64?
        var isOneUser = true
        /// Where the next row is written.
        var end = 0
        var waiting: [UInt8] = []
    }

    /// Returns the same rows, with all rows of a user in the same piece. `divisor` is the number by
    /// which hashes were divided before; all of the rows have the same remainder.
    ///
    /// Reads them twice, and writes them once.
    func divide(_ rows: SpilledRows, divisor: UInt64) throws(BacktestError) -> [SpilledRows] {
        var pieces = Array(repeating: Piece(), count: limits.divisions)
        try rows.forEach(readings: readings, limits: limits) {
            record, bytes throws(BacktestError) in
            let hash = SpillRecord.hash(of: record.user, in: bytes)
            let place = place(of: hash, divisor: divisor)
            pieces[place].bytes += record.range.count
            if pieces[place].hash ?? hash != hash { pieces[place].isOneUser = false }
            pieces[place].hash = hash
        }
        var start = 0
        for place in pieces.indices {
            pieces[place].end = start
            start += pieces[place].bytes
        }
        let folder = SystemPaths.temporaryFolder
        let file = try SystemFile(temporaryIn: folder)
        try rows.forEach(readings: readings, limits: limits) {
            record, bytes throws(BacktestError) in
            let place = place(
                of: SpillRecord.hash(of: record.user, in: bytes), divisor: divisor)
            pieces[place].waiting += bytes[record.range]
            guard pieces[place].waiting.count >= limits.pieceBytes else { return }
            try flush(&pieces[place], to: file, path: folder)
        }
        for place in pieces.indices { try flush(&pieces[place], to: file, path: folder) }
        return pieces.filter { $0.bytes > 0 }.map { piece in
            SpilledRows(
                file: file, path: folder, range: piece.end - piece.bytes..<piece.end,
                isOneUser: piece.isOneUser)
        }
    }

    private func place(of hash: UInt64, divisor: UInt64) -> Int {
        Int(hash / divisor % UInt64(limits.divisions))
    }

    private func flush(
        _ piece: inout Piece, to file: SystemFile, path: String
    ) throws(BacktestError) {
        try file.write(piece.waiting, at: piece.end, path: path)
        piece.end += piece.waiting.count
        piece.waiting.removeAll(keepingCapacity: true)
    }
}
