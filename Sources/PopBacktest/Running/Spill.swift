internal import PopScheduler
internal import PopSource

/// The rows that were written to a part.
struct SpilledPart: Sendable, Hashable {
    var events = 0
    var bytes = 0
    /// The hash of all bytes, in files that a run can continue from; otherwise 0.
    var hash: UInt64 = 0
}

/// Rows of a log, divided by their users into parts that fit into memory, in files.
final class Spill: Sendable {
    let parts: Int
    private let files: [SpillFile]
    /// The folder from which a run can continue; nil for none.
    private let folder: String?

    /// Creates empty files: with names in a folder from which a run can continue, or, without a
    /// folder, temporary ones that are removed when the program ends.
    init(in folder: String?, parts: Int) throws(BacktestError) {
        self.parts = parts
        self.folder = folder
        var files: [SpillFile] = []
        for part in 0..<parts {
            guard let folder else {
                let folder = SystemPaths.temporaryFolder
                let file = try SystemFile(temporaryIn: folder)
                files.append(SpillFile(file, path: folder, isHashed: false))
                continue
            }
            let path = Self.path(of: part, in: folder)
            SystemPaths.remove(path)
            files.append(SpillFile(try SystemFile(making: path), path: path, isHashed: true))
        }
        self.files = files
    }

    /// Opens the files that an earlier run has left in a folder.
    init(leftIn folder: String, parts: [SpilledPart]) {
        self.parts = parts.count
        self.folder = folder
        files = parts.enumerated().map {
            SpillFile(left: $0.element, path: Self.path(of: $0.offset, in: folder))
        }
    }

    static func path(of part: Int, in folder: String) -> String { "\(folder)/part-\(part).rows" }

    func append(_ bytes: [UInt8], events: Int, to part: Int) throws(BacktestError) {
        try files[part].append(bytes, events: events)
    }

    /// Returns the written parts. In a folder from which a run can continue, all data is on disk
    /// then.
    func finish() throws(BacktestError) -> [SpilledPart] {
        var written: [SpilledPart] = []
        for file in files { written.append(try file.finish(isSynced: folder != nil)) }
        if let folder { try SystemPaths.sync(folder: folder) }
        return written
    }

    /// All that a part has; after that it has nothing more.
    func takeRows(of part: Int) throws(BacktestError) -> SpilledRows {
        try files[part].takeRows()
    }
}

/// The file of a part, which one thread at a time writes to.
private final class SpillFile: Sendable {
    private struct State {
        /// Nil for what an earlier run has written, and once it is taken.
        var file: SystemFile?
        var written: SpilledPart
        var hash = StableHash()
    }

    private let path: String
    private let isHashed: Bool
    private let isLeft: Bool
    private let state: LockedValue<State>

    init(_ file: SystemFile, path: String, isHashed: Bool) {
        self.path = path
        self.isHashed = isHashed
        isLeft = false
        state = LockedValue(State(file: file, written: SpilledPart()))
    }

    init(left written: SpilledPart, path: String) {
        self.path = path
        isHashed = true
        isLeft = true
        state = LockedValue(State(file: nil, written: written))
    }

    func append(_ bytes: [UInt8], events: Int) throws(BacktestError) {
        try state.withLock { state throws(BacktestError) in
            try state.file?.write(bytes, path: path)
            state.written.events += events
            state.written.bytes += bytes.count
            if isHashed { state.hash.add(bytes) }
        }
    }

    func finish(isSynced: Bool) throws(BacktestError) -> SpilledPart {
        try state.withLock { state throws(BacktestError) in
            if isSynced { try state.file?.sync(path: path) }
            if isHashed { state.written.hash = state.hash.value }
            return state.written
        }
    }

    func takeRows() throws(BacktestError) -> SpilledRows {
        let (file, written) = state.withLock { state in
            defer { state.file = nil }
            return (state.file, state.written)
        }
        var opened = file
        if opened == nil { opened = try? SystemFile(regular: path) }
        guard let opened else { throw .damaged(path) }
        let rows = SpilledRows(
            file: opened, path: path, range: 0..<written.bytes,
            hash: isHashed ? written.hash : nil)
        // Before anything is made room for.
        if isLeft, rows.file.size != written.bytes { throw .damaged(path) }
        return rows
    }
}

/// Rows in a file: those of a part, or of some of its users.
struct SpilledRows: Sendable {
    let file: SystemFile
    let path: String
    let range: Range<Int>
    /// The required hash of their bytes; nil for rows that this run has written.
    var hash: UInt64?
    /// Indicates whether all of their users have the same hash, so that it is one user.
    var isOneUser = false

    /// All bytes.
    func bytes() throws(BacktestError) -> [UInt8] {
        var bytes: [UInt8] = []
        try file.read(range.count, at: range.lowerBound, path: path, behind: &bytes)
        guard bytes.count == range.count else { throw .damaged(path) }
        if let hash {
            var found = StableHash()
            found.add(bytes)
            guard found.value == hash else { throw .damaged(path) }
        }
        return bytes
    }

    /// Calls `body` for one row after the other, with one piece of the file in memory at a time.
    func forEach(
        readings: Int, limits: BacktestLimits,
        _ body: (SpillRecord, [UInt8]) throws(BacktestError) -> Void
    ) throws(BacktestError) {
        var found = StableHash()
        var place = range.lowerBound
        var rest: [UInt8] = []
        while place < range.upperBound {
            let known = rest.count
            let wanted = min(limits.blockBytes, range.upperBound - place)
            try file.read(wanted, at: place, path: path, behind: &rest)
            guard rest.count == known + wanted else { throw .damaged(path) }
            if hash != nil { found.add(rest[known...]) }
            place += wanted
            var start = 0
            search: while start < rest.count {
                switch SpillRecord.find(
                    at: start, in: rest, readings: readings, longest: limits.recordBytes)
                {
                case .record(let record):
                    try body(record, rest)
                    start = record.range.upperBound
                case .cut: break search
                case .broken: throw .damaged(path)
                }
            }
            rest.removeFirst(start)
        }
        guard rest.isEmpty, hash == nil || found.value == hash else { throw .damaged(path) }
    }
}

/// The rows of one thread for the parts, written in larger pieces.
struct SpillWriter {
    private let spill: Spill
    private let pieceBytes: Int
    private var pieces: [(bytes: [UInt8], events: Int)]

    /// `memory` is what the pieces of all threads may take together.
    init(_ spill: Spill, memory: Int, jobs: Int, limits: BacktestLimits) {
        self.spill = spill
        let share = memory / (max(jobs, 1) * spill.parts)
        pieceBytes = min(max(share, limits.pieceBytes / 16), limits.pieceBytes)
        pieces = Array(repeating: ([], 0), count: spill.parts)
    }

    mutating func add(_ row: LogRow, user: Range<Int>, of block: [UInt8]) throws(BacktestError) {
        let part = Int(SpillRecord.hash(of: user, in: block) % UInt64(spill.parts))
        SpillRecord.write(row, user: user, of: block, to: &pieces[part].bytes)
        pieces[part].events += 1
        if pieces[part].bytes.count >= pieceBytes { try flush(part) }
    }

    mutating func end() throws(BacktestError) {
        for part in pieces.indices where pieces[part].events > 0 { try flush(part) }
    }

    private mutating func flush(_ part: Int) throws(BacktestError) {
        try spill.append(pieces[part].bytes, events: pieces[part].events, to: part)
        pieces[part].bytes.removeAll(keepingCapacity: true)
        pieces[part].events = 0
    }
}

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
