/// The users who see more and who see less by new rules than by old ones, over the same log.
public struct ReplayComparison: Sendable, Hashable {
    /// The changes of one popup, by its ID.
    public struct Popup: Sendable, Hashable {
        /// The number of users who saw it only by the new rules.
        public var gained = 0
        /// The number of users who saw it only by the old rules.
        public var lost = 0
        /// The number of users who saw it by both.
        public var kept = 0
        /// The number of users among `kept` who saw it more often by the new rules.
        public var more = 0
        /// The number of users among `kept` who saw it less often by the new rules.
        public var fewer = 0
        /// The difference in impressions: by the new rules, minus by the old rules.
        public var impressions = 0
        /// Some of the gained users, the first by their names.
        public var gainers: [String] = []
        /// Some of the lost users, the first by their names.
        public var losers: [String] = []

        /// Nobody saw it.
        public init() {}

        /// Indicates whether every user saw it as often as before.
        public var isUnchanged: Bool { gained + lost + more + fewer == 0 }
    }

    /// The maximum number of users who are named as examples.
    public static let mostExamples = 5

    /// By the popup's id.
    public var popups: [String: Popup] = [:]

    /// Nobody was looked at.
    public init() {}

    /// Adds one user, with how often each popup showed by both rules.
    public mutating func add(user: String, old: [String: Int], new: [String: Int]) {
        for id in Set(old.keys).union(new.keys) {
            let (before, after) = (old[id] ?? 0, new[id] ?? 0)
            var popup = popups[id] ?? Popup()
            popup.impressions += after - before
            switch (before > 0, after > 0) {
            case (true, true):
                popup.kept += 1
                if after > before { popup.more += 1 }
                if after < before { popup.fewer += 1 }
            case (false, true):
                popup.gained += 1
                popup.gainers = Self.first(popup.gainers + [user])
            case (true, false):
                popup.lost += 1
                popup.losers = Self.first(popup.losers + [user])
            case (false, false): break
            }
            popups[id] = popup
        }
    }

    /// Adds what was found of other users.
    public mutating func add(_ other: ReplayComparison) {
        for (id, found) in other.popups {
            var popup = popups[id] ?? Popup()
            popup.gained += found.gained
            popup.lost += found.lost
            popup.kept += found.kept
            popup.more += found.more
            popup.fewer += found.fewer
            popup.impressions += found.impressions
            popup.gainers = Self.first(popup.gainers + found.gainers)
            popup.losers = Self.first(popup.losers + found.losers)
            popups[id] = popup
        }
    }

    private static func first(_ users: [String]) -> [String] {
        Array(users.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(mostExamples))
    }
}
