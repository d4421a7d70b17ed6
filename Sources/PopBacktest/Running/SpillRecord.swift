internal import PopScheduler

/// A row as it is written in a part: its length, its reading, its time, the length of the user's
/// name, then the rest. Numbers are in the byte order of this machine: the files stay on it.
struct SpillRecord {
    /// The result of looking for a row at a place.
    enum Found {
        case record(SpillRecord)
        /// More bytes have to be read.
        case cut
        /// No row was ever written so.
        case broken
    }

    private static let hasOrder: UInt8 = 1
    private static let hasInsertion: UInt8 = 2
    /// The number of bytes before the user's name.
    private static let headBytes = 21

    /// Where it begins, and where it ends.
    let range: Range<Int>
    let user: Range<Int>
    private let flags: UInt8

    static func hash(of user: Range<Int>, in block: [UInt8]) -> UInt64 {
        var hash = StableHash()
        for place in user { hash.add(byte: block[place]) }
        return hash.value
    }

    static func write(
        _ row: LogRow, user: Range<Int>, of block: [UInt8], to bytes: inout [UInt8]
    ) {
        let flags =
            (row.order == 0 ? 0 : hasOrder) | (row.insertion == 0 ? 0 : hasInsertion)
        let length = headBytes + extraBytes(flags) + user.count + row.fields.count
        add(UInt32(length), to: &bytes)
        add(UInt32(row.reading), to: &bytes)
        add(row.time, to: &bytes)
        add(UInt32(user.count), to: &bytes)
        bytes.append(flags)
        bytes += block[user]
        if row.order != 0 { add(row.order, to: &bytes) }
        if row.insertion != 0 { add(row.insertion, to: &bytes) }
        bytes += row.fields
    }

    private static func extraBytes(_ flags: UInt8) -> Int {
        (flags & hasOrder == 0 ? 0 : 8) + (flags & hasInsertion == 0 ? 0 : 8)
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

    /// Returns the row at a place. Its reading is less than `readings`, and it has at most
    /// `longest` bytes.
    static func find(
        at place: Int, in bytes: [UInt8], readings: Int, longest: Int
    ) -> Found {
        guard place + headBytes <= bytes.count else { return .cut }
        let length = Int(number(at: place, in: bytes) as UInt32)
        let reading = Int(number(at: place + 4, in: bytes) as UInt32)
        let time: Int64 = number(at: place + 8, in: bytes)
        let userBytes = Int(number(at: place + 16, in: bytes) as UInt32)
        let flags = bytes[place + 20]
        guard length <= longest, headBytes + userBytes + extraBytes(flags) <= length,
            flags & ~(hasOrder | hasInsertion) == 0, reading < readings,
            FleetLimits.times.contains(time)
        else { return .broken }
        guard place + length <= bytes.count else { return .cut }
        let start = place + headBytes
        return .record(
            SpillRecord(
                range: place..<place + length, user: start..<start + userBytes, flags: flags))
    }

    func event(in bytes: [UInt8]) -> LogEvent {
        var place = user.upperBound
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
