/// A hash that is the same on every device and in every version: FNV-1a of 64 bits, whose bits are
/// then mixed by the last step of SplitMix64.
///
/// Sources: Fowler, Noll and Vo, "The FNV Non-Cryptographic Hash Algorithm"
/// (draft-eastlake-fnv-21); Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
/// Generators", 2014.
@usableFromInline package struct StableHash: Sendable {
    @usableFromInline var state: UInt64 = 0xCBF2_9CE4_8422_2325

    @inlinable package init() {}

    @inlinable package mutating func add(byte: UInt8) {
        state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    @inlinable package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte: byte) }
    }

    /// Adds a number as eight bytes, the lowest first.
    @inlinable package mutating func add(number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            add(byte: UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// The hash of what was added.
    @inlinable package var value: UInt64 {
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
