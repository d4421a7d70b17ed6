import PopScheduler

extension Model {
    /// The duration of a draw, written straight from the page that publishes how it is made.
    func drawn(
        _ bounds: ClosedRange<Duration>, _ purpose: String, of name: String, number: Int
    ) -> Duration {
        let span = (bounds.upperBound - bounds.lowerBound) / .milliseconds(1)
        if span == 0 { return bounds.lowerBound }
        var bytes = Array(purpose.utf8) + [0] + eightBytes(seed)
        bytes += Array(user.utf8) + [0] + Array(name.utf8) + [0] + eightBytes(UInt64(number))
        var hash: UInt64 = 14_695_981_039_346_656_037
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        hash ^= hash >> 31
        return bounds.lowerBound + .milliseconds(Int(hash % (UInt64(span) + 1)))
    }

    private func eightBytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// The number of the next draw.
    func nextDraw(_ purpose: String, of name: String, bounds: ClosedRange<Duration>) -> Int {
        if bounds.lowerBound == bounds.upperBound { return 0 }
        draws["\(purpose) \(name)", default: 0] += 1
        return draws["\(purpose) \(name)", default: 0]
    }
}
