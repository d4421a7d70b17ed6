/// A small random generator whose numbers follow from its seed alone.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A duration between two bounds, both included, to the millisecond.
    mutating func draw(from range: ClosedRange<Duration>) -> Duration {
        guard range.lowerBound < range.upperBound else { return range.lowerBound }
        let (seconds, attoseconds) = (range.upperBound - range.lowerBound).components
        // Longer gaps than the 24 days that 2^31 milliseconds are, are drawn as though they ended
        // there.
        let milliseconds = min(seconds, 2_147_483) * 1000 + attoseconds / 1_000_000_000_000_000
        return range.lowerBound + .milliseconds(Int64(next() % UInt64(milliseconds + 1)))
    }
}
