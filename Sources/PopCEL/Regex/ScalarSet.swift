internal import PopSource

/// A set of Unicode scalars as sorted ranges that neither overlap nor touch.
struct ScalarSet: Sendable, Hashable {
    private(set) var ranges: [ClosedRange<UInt32>]

    /// Every scalar; surrogates are included too but never occur in a text.
    static let all = ScalarSet(0...0x10FFFF)

    init() { ranges = [] }

    init(_ range: ClosedRange<UInt32>) { ranges = [range] }

    init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

    /// Creates a set; the ranges may be in any order and overlap.
    init(_ ranges: [ClosedRange<UInt32>]) {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.ordered(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
                let upper = max(last.upperBound, range.upperBound)
                merged[merged.count - 1] = last.lowerBound...upper
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
    }

    var isEmpty: Bool { ranges.isEmpty }

    /// The scalars that are not in the set.
    var inverted: ScalarSet {
        var gaps: [ClosedRange<UInt32>] = []
        var start: UInt32 = 0
        for range in ranges {
            if range.lowerBound > start { gaps.append(start...(range.lowerBound - 1)) }
            start = range.upperBound + 1
        }
        if start <= 0x10FFFF { gaps.append(start...0x10FFFF) }
        return ScalarSet(gaps)
    }

    mutating func formUnion(_ other: ScalarSet) { self = ScalarSet(ranges + other.ranges) }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar.value) }
    }
}
