/// The place of a value among those of its kind: a whole number of 128 bits.
///
/// Whole numbers stand for themselves, points in time for their nanoseconds, durations for their
/// attoseconds, and doubles for their bits in order.
struct Rank: Hashable, Sendable {
    /// The upper half, with the sign.
    let high: Int64
    let low: UInt64

    init(high: Int64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(_ number: Int64) { self.init(high: number < 0 ? -1 : 0, low: UInt64(bitPattern: number)) }

    init(_ number: UInt64) { self.init(high: 0, low: number) }

    init(_ number: Int) { self.init(Int64(number)) }

    /// The product of two numbers.
    init(_ left: Int64, times right: Int64) {
        let product = left.multipliedFullWidth(by: right)
        self.init(high: product.high, low: product.low)
    }

    static let zero = Rank(0)

    /// As a number of 64 bits; nil out of range.
    var int: Int64? {
        let number = Int64(bitPattern: low)
        return high == (number < 0 ? -1 : 0) ? number : nil
    }

    /// The same without a sign.
    var uint: UInt64? { high == 0 ? low : nil }

    /// Divided by a positive number, rounded down, and what is left; nil when the quotient has more
    /// than 64 bits.
    func divided(by divisor: Int64) -> (quotient: Int64, remainder: Int64)? {
        if high >= 0 {
            guard high.magnitude < divisor.magnitude else { return nil }
            let (quotient, remainder) = divisor.magnitude.dividingFullWidth((UInt64(high), low))
            guard quotient <= Int64.max else { return nil }
            return (Int64(quotient), Int64(remainder))
        }
        // -n for n > 0 is -(n - 1) - 1, and n - 1 has no sign.
        guard let (quotient, remainder) = Rank(high: ~high, low: ~low).divided(by: divisor) else {
            return nil
        }
        return (-quotient - 1, divisor - 1 - remainder)
    }
}

extension Rank: Comparable {
    static func < (left: Rank, right: Rank) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}

// Numbers that are added come from 64 bits times a billion billions at most, and a few are added:
// nothing overflows.
extension Rank {
    static func + (left: Rank, right: Rank) -> Rank {
        let (low, carry) = left.low.addingReportingOverflow(right.low)
        return Rank(high: left.high &+ right.high &+ (carry ? 1 : 0), low: low)
    }

    static prefix func - (rank: Rank) -> Rank { Rank(high: ~rank.high, low: ~rank.low) + Rank(1) }

    static func - (left: Rank, right: Rank) -> Rank { left + -right }

    var next: Rank { self + Rank(1) }
    var previous: Rank { self - Rank(1) }

    /// Between two numbers, rounded down.
    static func middle(_ left: Rank, _ right: Rank) -> Rank {
        let distance = right - left
        let half = Rank(
            high: distance.high >> 1,
            low: distance.low >> 1 | UInt64(bitPattern: distance.high) << 63)
        return left + half
    }
}
