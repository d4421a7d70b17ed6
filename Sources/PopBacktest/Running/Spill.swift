internal import PopFleet
internal import PopScheduler
internal import PopSource

/// Rows of a log, divided by their users into parts that fit into memory, in files.
final class Spill: Sendable {
    let parts: Int
    private let files: [SpillFile]

    /// Empty files: named ones in a folder from which a run can go on, or, without one, such as are
    /// gone with the program.
    init(in folder: String?, parts: Int) throws(BacktestError) {
        self.parts = parts
        var files: [SpillFile] = []
        for part in 0..<parts {
            guard let folder else {
                let folder = SystemPaths.temporaryFolder
                files.append(SpillFile(try SystemFile(temporaryIn: folder), path: folder))
                continue
            }
            let path = Self.path(of: part, in: folder)
            SystemPaths.remove(path)
            files.append(SpillFile(try SystemFile(appendingTo: path), path: path))
        }
        self.files = files
    }

    /// What an earlier run has left in a folder.
    init(leftIn folder: String, parts: Int) {
        self.parts = parts
        files = (0..<parts).map { SpillFile(nil, path: Self.path(of: $0, in: folder)) }
    }

    static func path(of part: Int, in folder: String) -> String { "\(folder)/part-\(part).rows" }

    func append(_ bytes: [UInt8], to part: Int) throws(BacktestError) {
        try files[part].append(bytes)
    }

    /// All that a part has; after that it has nothing more.
    func takeBytes(of part: Int) throws(BacktestError) -> [UInt8] { try files[part].takeBytes() }
}

/// The file of a part, which one thread at a time writes to.
private final class SpillFile: Sendable {
    private let path: String
    /// Nil for what an earlier run has written, and once it is taken.
    private let file: Guarded<SystemFile?>

    init(_ file: SystemFile?, path: String) {
        self.path = path
        self.file = Guarded(file)
    }

    func append(_ bytes: [UInt8]) throws(BacktestError) {
        try file.withLock { file throws(BacktestError) in try file?.write(bytes, path: path) }
    }

    func takeBytes() throws(BacktestError) -> [UInt8] {
        var written = file.withLock { file in
            defer { file = nil }
            return file
        }
        if written == nil { written = try SystemFile(reading: path) }
        guard let written else { return [] }
        let size = written.rewind()
        var bytes: [UInt8] = []
        try written.read(size, path: path, behind: &bytes)
        guard bytes.count == size else { throw .damaged(path) }
        return bytes
    }
}

/// What one thread has for the parts, written in larger pieces.
struct SpillWriter {
    private static let pieceBytes = 1 << 16

    private let spill: Spill
    private var pieces: [[UInt8]]

    init(_ spill: Spill) {
        self.spill = spill
        pieces = Array(repeating: [], count: spill.parts)
    }

    mutating func add(_ row: LogRow, user: Range<Int>, of block: [UInt8]) throws(BacktestError) {
        let part = Int(SpillRecord.hash(of: user, in: block) % UInt64(spill.parts))
        SpillRecord.write(row, user: user, of: block, to: &pieces[part])
        if pieces[part].count >= Self.pieceBytes { try flush(part) }
    }

    mutating func end() throws(BacktestError) {
        for part in pieces.indices where !pieces[part].isEmpty { try flush(part) }
    }

    private mutating func flush(_ part: Int) throws(BacktestError) {
        try spill.append(pieces[part], to: part)
        pieces[part].removeAll(keepingCapacity: true)
    }
}

/// A row as it stands in a part: its length, its reading, its time, the length of the user's name,
/// then what else there is. Numbers are written as this machine has them: the files stay on it.
struct SpillRecord {
    private static let hasOrder: UInt8 = 1
    private static let hasInsertion: UInt8 = 2
    private static let longestUser = 65_535
    /// What stands before the user's name.
    private static let headBytes = 19

    /// Where it begins, and where it ends.
    var range: Range<Int>
    var user: Range<Int>
    private var flags: UInt8
    private var rest: Int

    static func hash(of user: Range<Int>, in block: [UInt8]) -> UInt64 {
        var hash = StableHash()
        for place in user { hash.add(byte: block[place]) }
        return hash.value
    }

    static func write(
        _ row: LogRow, user: Range<Int>, of block: [UInt8], to bytes: inout [UInt8]
    ) {
        let user = user.prefix(longestUser)
        let flags =
            (row.order == 0 ? 0 : hasOrder) | (row.insertion == 0 ? 0 : hasInsertion)
        let extra = (row.order == 0 ? 0 : 8) + (row.insertion == 0 ? 0 : 8)
        let length = headBytes + extra + user.count + row.fields.count
        add(UInt32(length), to: &bytes)
        add(UInt32(row.reading), to: &bytes)
        add(row.time, to: &bytes)
        add(UInt16(user.count), to: &bytes)
        bytes.append(flags)
        bytes += block[user]
        if row.order != 0 { add(row.order, to: &bytes) }
        if row.insertion != 0 { add(row.insertion, to: &bytes) }
        bytes += row.fields
    }

    private static func add(
        _ number: some FixedWidthInteger & BitwiseCopyable, to bytes: inout [UInt8]
    ) {
        unsafe withUnsafeBytes(of: number) { unsafe bytes.append(contentsOf: $0) }
    }

    private static func number<Number: FixedWidthInteger & BitwiseCopyable>(
        at place: Int, in bytes: [UInt8]
    ) -> Number {
        precondition(place + MemoryLayout<Number>.size <= bytes.count, "a record is whole")
        return unsafe bytes.withUnsafeBytes {
            unsafe $0.loadUnaligned(fromByteOffset: place, as: Number.self)
        }
    }

    /// Nil behind the last.
    init?(at place: Int, in bytes: [UInt8]) {
        guard place + Self.headBytes <= bytes.count else { return nil }
        let length = Int(Self.number(at: place, in: bytes) as UInt32)
        guard length >= Self.headBytes, place + length <= bytes.count else { return nil }
        range = place..<place + length
        flags = bytes[place + 18]
        let start = place + Self.headBytes
        user = start..<start + Int(Self.number(at: place + 16, in: bytes) as UInt16)
        rest = user.upperBound
    }

    func event(in bytes: [UInt8]) -> LogEvent {
        var place = rest
        var order: Int64 = 0
        var insertion: UInt64 = 0
        if flags & Self.hasOrder != 0 {
            order = Self.number(at: place, in: bytes)
            place += 8
        }
        if flags & Self.hasInsertion != 0 {
            insertion = Self.number(at: place, in: bytes)
            place += 8
        }
        return LogEvent(
            time: Self.number(at: range.lowerBound + 8, in: bytes), order: order,
            reading: Int(Self.number(at: range.lowerBound + 4, in: bytes) as UInt32),
            insertion: insertion,
            fields: place < range.upperBound ? Array(bytes[place..<range.upperBound]) : [])
    }
}
