/// Ranks as sorted ranges that neither overlap nor touch.
struct RankSet: Hashable, Sendable {
    private(set) var ranges: [ClosedRange<Rank>]

    static let none = RankSet([])

    /// Creates a set from ranges, which may be unsorted and may overlap.
    init(_ ranges: [ClosedRange<Rank>]) {
        var merged: [ClosedRange<Rank>] = []
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

    init(_ rank: Rank) { ranges = [rank...rank] }

    /// Creates the ranks from one to another; an empty set if the first is greater.
    init(from lower: Rank, to upper: Rank) { ranges = lower <= upper ? [lower...upper] : [] }

    var isEmpty: Bool { ranges.isEmpty }

    func contains(_ rank: Rank) -> Bool {
        var (lower, upper) = (0, ranges.count)
        while lower < upper {
            let middle = lower + (upper - lower) / 2
            if ranges[middle].upperBound < rank { lower = middle + 1 } else { upper = middle }
        }
        return lower < ranges.count && ranges[lower].contains(rank)
    }

    func union(_ other: RankSet) -> RankSet { RankSet(ranges + other.ranges) }

    func intersection(_ other: RankSet) -> RankSet {
        var common: [ClosedRange<Rank>] = []
        var (one, second) = (0, 0)
        while one < ranges.count, second < other.ranges.count {
            let (range, beside) = (ranges[one], other.ranges[second])
            if range.overlaps(beside) { common.append(range.clamped(to: beside)) }
            if range.upperBound <= beside.upperBound { one += 1 }
            if beside.upperBound <= range.upperBound { second += 1 }
        }
        return RankSet(common)
    }

    /// Returns the ranks of a range that aren't in the set.
    func complement(in whole: ClosedRange<Rank>) -> RankSet {
        var gaps: [ClosedRange<Rank>] = []
        var start = whole.lowerBound
        for range in ranges where range.upperBound >= whole.lowerBound {
            if range.lowerBound > whole.upperBound { break }
            if range.lowerBound > start { gaps.append(start...range.lowerBound.previous) }
            start = range.upperBound.next
        }
        if start <= whole.upperBound { gaps.append(start...whole.upperBound) }
        return RankSet(gaps)
    }

    func shifted(by offset: Rank) -> RankSet {
        RankSet(ranges.map { $0.lowerBound + offset...$0.upperBound + offset })
    }

    /// The ranks with the opposite sign.
    var negated: RankSet { RankSet(ranges.map { -$0.upperBound ... -$0.lowerBound }) }
}
