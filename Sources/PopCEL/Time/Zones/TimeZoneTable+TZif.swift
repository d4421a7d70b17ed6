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
