package import PopSource

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

extension ReplayComparison {
    /// All that was found, popups by their ids.
    package var json: JSON {
        .object(
            popups.sorted { $0.key < $1.key }
                .map { JSON.Member(key: $0.key, value: $0.value.json) })
    }

    /// Reads the JSON that `json` has written; nil for anything else.
    package init?(_ json: JSON, popups names: [String]) {
        do throws(CountReader.Flaw) {
            var reader = CountReader()
            let known = Set(names)
            for member in try reader.members(json) {
                guard known.contains(member.key) else { return nil }
                popups[member.key] = try Popup(member.value, &reader)
            }
        } catch {
            return nil
        }
    }
}

extension ReplayComparison.Popup {
    fileprivate var json: JSON {
        .object([
            "gained": .int(gained), "lost": .int(lost), "kept": .int(kept),
            "more": .int(more), "fewer": .int(fewer),
            "impressions": .int(impressions),
            "gainers": .array(gainers.map { .string($0) }),
            "losers": .array(losers.map { .string($0) }),
        ])
    }

    fileprivate init(_ json: JSON, _ reader: inout CountReader) throws(CountReader.Flaw) {
        gained = try reader.count(json["gained"])
        lost = try reader.count(json["lost"])
        kept = try reader.count(json["kept"])
        more = try reader.count(json["more"])
        fewer = try reader.count(json["fewer"])
        let most = FleetLimits.standard.counts
        impressions = try reader.number(json["impressions"], in: -most...most)
        gainers = try Self.names(json["gainers"], reader)
        losers = try Self.names(json["losers"], reader)
    }

    private static func names(
        _ json: JSON?, _ reader: CountReader
    ) throws(CountReader.Flaw) -> [String] {
        let items = try reader.items(json)
        let names = items.compactMap { $0.text }
        guard names.count == items.count, names.count <= ReplayComparison.mostExamples else {
            throw CountReader.Flaw()
        }
        return names
    }
}
