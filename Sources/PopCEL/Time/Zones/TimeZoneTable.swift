/// The offsets of one time zone from UTC: the known changes, and the rule that applies from the
/// last change on.
public struct TimeZoneTable: Sendable, Hashable {
    /// The instants at which clocks change, in ascending order, in seconds since
    /// 1970-01-01T00:00:00Z.
    let changes: [Int64]
    /// For each change, the seconds that clocks are ahead of UTC from then on.
    private let offsets: [Int32]
    /// The seconds that clocks are ahead of UTC before the first change.
    private let first: Int32
    private let rule: ZoneRule

    /// Creates a zone whose clocks change as listed, in ascending order; the rule applies from the
    /// last change on.
    init(first: Int32, changes: [Int64], offsets: [Int32], rule: ZoneRule) {
        precondition(changes.count == offsets.count, "every change has an offset")
        self.first = first
        self.changes = changes
        self.offsets = offsets
        self.rule = rule
    }

    /// Returns the seconds that the zone's clocks are ahead of UTC.
    ///
    /// - Parameter seconds: The instant, in seconds since 1970-01-01T00:00:00Z.
    public func offset(at seconds: Int64) -> Int32 {
        guard let last = changes.last, seconds < last else { return rule.offset(at: seconds) }
        var low = 0
        var high = changes.count
        while low < high {
            let middle = low + (high - low) / 2
            if changes[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : offsets[low - 1]
    }
}

// RFC 9636: a block with times of 32 bits, followed from version 2 on by a block with times of 64
// bits and a line with the rule for later times. Files of later versions can be read in the same
// way.
extension TimeZoneTable {
    /// Creates the zone that a TZif file describes, such as those in `/usr/share/zoneinfo`.
    ///
    /// It is nil for anything else, for files beyond `TimeZoneLimits`, and for files that count
    /// leap seconds.
    ///
    /// - Parameter bytes: The file; bytes after its last line are ignored.
    public init?(tzif bytes: [UInt8]) {
        guard bytes.count <= TimeZoneLimits.fileBytes else { return nil }
        do throws(BytesReader.Malformed) {
            var reader = BytesReader(bytes)
            var header = try TZifHeader(&reader)
            let hasLongTimes = header.hasLongTimes
            if hasLongTimes {
                try reader.skip(header.lengthWithShortTimes)
                header = try TZifHeader(&reader)
            }
            try self.init(header, hasLongTimes: hasLongTimes, reader: &reader)
        } catch {
            return nil
        }
    }

    private init(
        _ header: TZifHeader, hasLongTimes: Bool, reader: inout BytesReader
    ) throws(BytesReader.Malformed) {
        try header.check()
        var changes: [Int64] = []
        for _ in 0..<header.changes {
            let time = hasLongTimes ? try reader.int64() : Int64(try reader.int32())
            guard changes.last.map({ $0 < time }) ?? true else { throw .init() }
            changes.append(time)
        }
        let kinds = try reader.bytes(header.changes)
        var types: [Int32] = []
        for _ in 0..<header.types { types.append(try reader.offset(names: header.nameBytes)) }
        var offsets: [Int32] = []
        for kind in kinds {
            guard Int(kind) < types.count else { throw .init() }
            offsets.append(types[Int(kind)])
        }
        try reader.skip(header.nameBytes + header.standardFlags + header.utcFlags)
        let last = offsets.last ?? types[0]
        let rule = hasLongTimes ? try reader.rule() : nil
        self.init(
            first: types[0], changes: changes, offsets: offsets,
            rule: rule ?? ZoneRule(standard: last))
    }
}

private struct TZifHeader {
    let hasLongTimes: Bool
    let utcFlags: Int
    let standardFlags: Int
    let leapSeconds: Int
    let changes: Int
    let types: Int
    let nameBytes: Int

    init(_ reader: inout BytesReader) throws(BytesReader.Malformed) {
        guard try reader.bytes(4).elementsEqual("TZif".utf8) else { throw .init() }
        let version = try reader.bytes(1).first ?? 0
        guard version == 0 || version >= UInt8(ascii: "2") else { throw .init() }
        hasLongTimes = version != 0
        try reader.skip(15)
        utcFlags = try reader.count()
        standardFlags = try reader.count()
        leapSeconds = try reader.count()
        changes = try reader.count()
        types = try reader.count()
        nameBytes = try reader.count()
    }

    /// The number of bytes of the block after the header if its times have 32 bits.
    var lengthWithShortTimes: Int {
        changes * 5 + types * 6 + nameBytes + leapSeconds * 8 + standardFlags + utcFlags
    }

    /// Checks the header. Leap seconds would shift all times: such a file isn't for the time that
    /// computers keep.
    func check() throws(BytesReader.Malformed) {
        guard changes <= TimeZoneLimits.changes, (1...256).contains(types), leapSeconds == 0,
            standardFlags == 0 || standardFlags == types, utcFlags == 0 || utcFlags == types
        else { throw .init() }
    }
}

extension BytesReader {
    /// Reads the number of items that take at least a byte each.
    fileprivate mutating func count() throws(Malformed) -> Int {
        let count = try int32()
        guard count >= 0, count <= TimeZoneLimits.fileBytes else { throw Malformed() }
        return Int(count)
    }

    /// Reads a kind of local time: the seconds that clocks are ahead of UTC, whether it is summer
    /// time, and the start of its name.
    fileprivate mutating func offset(names nameBytes: Int) throws(Malformed) -> Int32 {
        let offset = try int32()
        let rest = try bytes(2)
        guard TimeZoneLimits.offsets.contains(offset), let isSummer = rest.first, isSummer <= 1,
            let name = rest.last, Int(name) < nameBytes
        else { throw Malformed() }
        return offset
    }

    /// Reads the last line, between line breaks; nil if it is empty.
    fileprivate mutating func rule() throws(Malformed) -> ZoneRule? {
        let lineBreak = UInt8(ascii: "\n")
        guard try bytes(1).first == lineBreak else { throw Malformed() }
        let line = rest.prefix { $0 != lineBreak }
        try skip(line.count + 1)
        guard !line.isEmpty else { return nil }
        guard let rule = ZoneRule(parsing: line) else { throw Malformed() }
        return rule
    }
}

/// Reads bytes from the front, and big-endian numbers; never beyond the end.
struct BytesReader {
    struct Malformed: Error {}

    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = ArraySlice(bytes) }

    mutating func bytes(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else { throw Malformed() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func skip(_ count: Int) throws(Malformed) { _ = try bytes(count) }

    mutating func int32() throws(Malformed) -> Int32 {
        Int32(bitPattern: try bytes(4).reduce(0) { $0 << 8 | UInt32($1) })
    }

    mutating func int64() throws(Malformed) -> Int64 {
        Int64(bitPattern: try bytes(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}

/// Limits on the time zone data that is read and cached.
///
/// The longest file of the IANA database has 3,900 bytes and 310 changes of the clocks.
public enum TimeZoneLimits {
    /// Bytes of the file of one zone.
    public static let fileBytes = 65_536
    /// Changes of the clocks in the file of one zone, as in the reference code of the database.
    public static let changes = 2_000
    /// Bytes before the zones in Android's file: the table of their names.
    public static let archiveHeadBytes = 262_144
    /// Bytes of a zone's name.
    public static let nameLength = 64
    /// Zones that are cached, and cached names that aren't zones.
    public static let keptZones = 1_024
    /// Seconds that clocks may be ahead of UTC: RFC 9636, section 3.2.
    public static let offsets: ClosedRange<Int32> = -89_999...93_599
}
