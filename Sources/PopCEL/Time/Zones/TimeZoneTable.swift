/// The offsets of one time zone from UTC: the known changes, and the rule that applies from the
/// last change on.
public struct TimeZoneTable: Sendable, Hashable {
    /// The instants at which clocks change, in ascending order, in seconds since
    /// 1970-01-01T00:00:00Z.
    let changes: [Int64]
    /// For each change, the seconds that clocks are ahead of UTC from then on.
    private let offsets: [Int32]
    /// The seconds that clocks are ahead of UTC before the first change.
    private let first: Int32
    private let rule: ZoneRule

    /// Creates a zone whose clocks change as listed, in ascending order; the rule applies from the
    /// last change on.
    init(first: Int32, changes: [Int64], offsets: [Int32], rule: ZoneRule) {
        precondition(changes.count == offsets.count, "every change has an offset")
        self.first = first
        self.changes = changes
        self.offsets = offsets
        self.rule = rule
    }

    /// Returns the seconds that the zone's clocks are ahead of UTC.
    ///
    /// - Parameter seconds: The instant, in seconds since 1970-01-01T00:00:00Z.
    public func offset(at seconds: Int64) -> Int32 {
        guard let last = changes.last, seconds < last else { return rule.offset(at: seconds) }
        var low = 0
        var high = changes.count
        while low < high {
            let middle = low + (high - low) / 2
            if changes[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : offsets[low - 1]
    }
}
