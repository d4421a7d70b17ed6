public import PopScheduler

/// Counts by reason: in a list, because a popup has few reasons.
public struct ReasonCounts: Sendable {
    /// A reason and how often it was.
    public private(set) var counts: [(reason: ReasonCode, count: Int)] = []

    /// Nothing happened.
    public init() {}

    /// Counts a reason a number of times.
    public mutating func add(_ reason: ReasonCode, times: Int = 1) {
        if let place = counts.firstIndex(where: { $0.reason == reason }) {
            counts[place].count += times
        } else {
            counts.append((reason, times))
        }
    }

    /// Adds what was counted elsewhere.
    public mutating func add(_ other: ReasonCounts) {
        for (reason, count) in other.counts { add(reason, times: count) }
    }

    /// Returns the sum of the counts of some reasons.
    public func count(where isWanted: (ReasonCode) -> Bool) -> Int {
        counts.reduce(0) { $0 + (isWanted($1.reason) ? $1.count : 0) }
    }

    /// All together.
    public var total: Int { count { _ in true } }

    /// The most frequent reasons first; equally frequent ones by their names.
    public var sorted: [(reason: ReasonCode, count: Int)] {
        counts.sorted { ($1.count, $0.reason.rawValue) < ($0.count, $1.reason.rawValue) }
    }
}

extension ReasonCounts: Hashable {
    private var byName: [String: Int] {
        Dictionary(uniqueKeysWithValues: counts.map { ($0.reason.rawValue, $0.count) })
    }

    public static func == (left: Self, right: Self) -> Bool { left.byName == right.byName }

    public func hash(into hasher: inout Hasher) { hasher.combine(byName) }
}
