/// The file in which Android keeps all zones.
///
/// The file begins with `tzdata` and a version in 12 bytes, then the start of the table of names,
/// the start of the zones, and other data. An entry of the table has a name of up to 40 bytes, the
/// start of the zone, counted from the first zone, its length, and other data.
enum ZoneArchive {
    private static let nameLength = 40

    /// Returns the position of a zone in the file; nil if it isn't in the table, or if the table is
    /// malformed.
    ///
    /// - Parameter head: The file, at least up to the end of its table.
    static func place(of zone: String, in head: [UInt8]) -> (start: Int64, length: Int)? {
        try? find(zone, in: head)
    }

    private static func find(
        _ zone: String, in head: [UInt8]
    ) throws(BytesReader.Malformed) -> (start: Int64, length: Int)? {
        var reader = BytesReader(head)
        guard try reader.bytes(12).starts(with: "tzdata".utf8) else { return nil }
        let table = try reader.int32()
        let zones = try reader.int32()
        guard table >= 0, zones >= table else { return nil }
        reader = BytesReader(head)
        try reader.skip(Int(table))
        let name = Array(zone.utf8)
        for _ in 0..<(zones - table) / 52 {
            let entry = try reader.bytes(nameLength).prefix { $0 != 0 }
            let start = try reader.int32()
            let length = try reader.int32()
            try reader.skip(4)
            guard entry.elementsEqual(name) else { continue }
            guard start >= 0, (0...TimeZoneLimits.fileBytes).contains(Int(length)) else {
                return nil
            }
            return (Int64(zones) + Int64(start), Int(length))
        }
        return nil
    }
}
