/// Writes TZif files for tests.
struct TZifText {
    var version = UInt8(ascii: "2")
    /// When clocks change, and to which of the types.
    var changes: [(time: Int64, type: UInt8)] = []
    /// The offsets of local time from UTC, in seconds.
    var types: [Int32] = [0]
    var rule = ""
    var leapSeconds: Int32 = 0
    var flags: Int32 = 0

    var bytes: [UInt8] {
        guard version != 0 else { return header + block(isLong: false) }
        return header + block(isLong: false) + header + block(isLong: true)
            + Array("\n\(rule)\n".utf8)
    }

    private var header: [UInt8] {
        let counts = [
            flags, flags, leapSeconds, Int32(changes.count), Int32(types.count), 4,
        ]
        return Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
            + counts.flatMap(Self.bytes)
    }

    private func block(isLong: Bool) -> [UInt8] {
        let times = changes.flatMap { change in
            isLong
                ? Self.bytes(change.time) : Self.bytes(Int32(truncatingIfNeeded: change.time))
        }
        let leap = [UInt8](repeating: 0, count: Int(leapSeconds) * (isLong ? 12 : 8))
        return times + changes.map(\.type) + types.flatMap { Self.bytes($0) + [0, 0] }
            + Array("ABC\0".utf8) + leap + [UInt8](repeating: 0, count: Int(flags) * 2)
    }

    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        stride(from: number.bitWidth - 8, through: 0, by: -8)
            .map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
