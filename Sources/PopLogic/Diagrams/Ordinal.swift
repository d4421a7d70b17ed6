/// The position of a value among the values of its kind: an integer of 128 bits.
///
/// The rank of an integer is the integer itself, of a point in time its nanoseconds, of a duration
/// its attoseconds, and of a double its bits in order.
struct Ordinal: Hashable, Sendable {
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

    /// Creates the product of two numbers.
    init(_ left: Int64, times right: Int64) {
        let product = left.multipliedFullWidth(by: right)
        self.init(high: product.high, low: product.low)
    }

    static let zero = Ordinal(0)

    /// The number as 64 bits with a sign; nil if it is out of range.
    var int: Int64? {
        let number = Int64(bitPattern: low)
        return high == (number < 0 ? -1 : 0) ? number : nil
    }

    /// The number as 64 bits without a sign; nil if it is out of range.
    var uint: UInt64? { high == 0 ? low : nil }

    /// Returns the quotient by a positive number, rounded down, and the remainder; nil if the
    /// quotient has more than 64 bits.
    func divided(by divisor: Int64) -> (quotient: Int64, remainder: Int64)? {
        if high >= 0 {
            guard high.magnitude < divisor.magnitude else { return nil }
            let (quotient, remainder) = divisor.magnitude.dividingFullWidth((UInt64(high), low))
            guard quotient <= Int64.max else { return nil }
            return (Int64(quotient), Int64(remainder))
        }
        // -n for n > 0 is -(n - 1) - 1, and n - 1 has no sign.
        guard let (quotient, remainder) = Ordinal(high: ~high, low: ~low).divided(by: divisor)
        else {
            return nil
        }
        return (-quotient - 1, divisor - 1 - remainder)
    }
}

extension Ordinal: Comparable {
    static func < (left: Ordinal, right: Ordinal) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}

// Added numbers are at most a 64-bit number times a billion billions, and only a few are added, so
// that nothing overflows.
extension Ordinal {
    static func + (left: Ordinal, right: Ordinal) -> Ordinal {
        let (low, carry) = left.low.addingReportingOverflow(right.low)
        return Ordinal(high: left.high &+ right.high &+ (carry ? 1 : 0), low: low)
    }

    static prefix func - (rank: Ordinal) -> Ordinal {
        Ordinal(high: ~rank.high, low: ~rank.low) + Ordinal(1)
    }

    static func - (left: Ordinal, right: Ordinal) -> Ordinal { left + -right }

    var next: Ordinal { self + Ordinal(1) }
    var previous: Ordinal { self - Ordinal(1) }

    /// Returns the middle of two numbers, rounded down.
    static func middle(_ left: Ordinal, _ right: Ordinal) -> Ordinal {
        let distance = right - left
        let half = Ordinal(
            high: distance.high >> 1,
            low: distance.low >> 1 | UInt64(bitPattern: distance.high) << 63)
        return left + half
    }
}

/// Ranks as sorted ranges that neither overlap nor touch.
struct IntervalSet: Hashable, Sendable {
    private(set) var ranges: [ClosedRange<Ordinal>]

    static let none = IntervalSet([])

    /// Creates a set from ranges, which may be unsorted and may overlap.
    init(_ ranges: [ClosedRange<Ordinal>]) {
        var merged: [ClosedRange<Ordinal>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound.next {
                let upper = max(last.upperBound, range.upperBound)
                merged[merged.count - 1] = last.lowerBound...upper
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
    }

    init(_ rank: Ordinal) { ranges = [rank...rank] }

    /// Creates the ranks from one to another; an empty set if the first is greater.
    init(from lower: Ordinal, to upper: Ordinal) { ranges = lower <= upper ? [lower...upper] : [] }

    var isEmpty: Bool { ranges.isEmpty }

    func contains(_ rank: Ordinal) -> Bool {
        var (lower, upper) = (0, ranges.count)
        while lower < upper {
            let middle = lower + (upper - lower) / 2
            if ranges[middle].upperBound < rank { lower = middle + 1 } else { upper = middle }
        }
        return lower < ranges.count && ranges[lower].contains(rank)
    }

    func union(_ other: IntervalSet) -> IntervalSet { IntervalSet(ranges + other.ranges) }

    func intersection(_ other: IntervalSet) -> IntervalSet {
        var common: [ClosedRange<Ordinal>] = []
        var (one, second) = (0, 0)
        while one < ranges.count, second < other.ranges.count {
            let (range, beside) = (ranges[one], other.ranges[second])
            if range.overlaps(beside) { common.append(range.clamped(to: beside)) }
            if range.upperBound <= beside.upperBound { one += 1 }
            if beside.upperBound <= range.upperBound { second += 1 }
        }
        return IntervalSet(common)
    }

    /// Returns the ranks of a range that aren't in the set.
    func complement(in whole: ClosedRange<Ordinal>) -> IntervalSet {
        var gaps: [ClosedRange<Ordinal>] = []
        var start = whole.lowerBound
        for range in ranges where range.upperBound >= whole.lowerBound {
            if range.lowerBound > whole.upperBound { break }
            if range.lowerBound > start { gaps.append(start...range.lowerBound.previous) }
            start = range.upperBound.next
        }
        if start <= whole.upperBound { gaps.append(start...whole.upperBound) }
        return IntervalSet(gaps)
    }

    func shifted(by offset: Ordinal) -> IntervalSet {
        IntervalSet(ranges.map { $0.lowerBound + offset...$0.upperBound + offset })
    }

    /// The ranks with the opposite sign.
    var negated: IntervalSet { IntervalSet(ranges.map { -$0.upperBound ... -$0.lowerBound }) }
}
