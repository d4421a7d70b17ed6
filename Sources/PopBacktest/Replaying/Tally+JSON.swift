internal import PopScheduler
package import PopSource

extension Tally {
    /// All counts, popups by their ids: what runs that are taken up again, and other languages, add
    /// up.
    package func json(popups: [String]) -> JSON {
        let days = days.sorted { $0.key < $1.key }.map { number, day in
            JSON.object([
                "day": .int(number), "users": .int(day.users),
                "popups": Self.object(day.popups, named: popups) { $0.json },
            ])
        }
        return .object([
            "users": .int(users), "events": .int(events), "copies": .int(copies),
            "times": times.map { .array([.int($0.lowerBound), .int($0.upperBound)]) },
            "userWeeks": .int(userWeeks),
            "userWeeksShowing": .array(userWeeksShowing.map { .int($0) }),
            "days": .array(days),
            "timesToShow": Self.object(timesToShow, named: popups) { times in
                .array(
                    times.steps.sorted { $0.key < $1.key }
                        .map { .array([.int($0.key), .int($0.value)]) })
            },
            "overlaps": Self.object(overlaps, named: popups) { others in
                Self.object(others, named: popups) { .int($0) }
            }, "usersBeyondPairs": .int(usersBeyondPairs),
        ])
    }

    /// Reads the JSON that `json` has written; nil for anything else, such as counts that can't be
    /// so high.
    package init?(_ json: JSON, popups: [String]) {
        do throws(CountReader.Flaw) {
            var reader = CountReader()
            try self.init(json, popups: popups, &reader)
        } catch {
            return nil
        }
    }

    private init(
        _ json: JSON, popups: [String], _ reader: inout CountReader
    ) throws(CountReader.Flaw) {
        let places = Dictionary(popups.enumerated().map { ($1, $0) }) { first, _ in first }
        users = try reader.count(json["users"])
        events = try reader.count(json["events"])
        copies = try reader.count(json["copies"])
        userWeeks = try reader.count(json["userWeeks"])
        usersBeyondPairs = try reader.count(json["usersBeyondPairs"])
        times = try Self.times(json["times"], events: events)
        userWeeksShowing = try reader.list(json["userWeeksShowing"])
        for day in try reader.items(json["days"]) {
            let number = try reader.number(day["day"], in: FleetLimits.days)
            guard days[number] == nil else { throw CountReader.Flaw() }
            var counts = Day()
            counts.users = try reader.count(day["users"])
            counts.popups = try Self.byPlace(day["popups"], places, &reader) {
                json, reader throws(CountReader.Flaw) in try Popup(json, &reader)
            }
            days[number] = counts
        }
        timesToShow = try Self.byPlace(json["timesToShow"], places, &reader) {
            json, reader throws(CountReader.Flaw) in try DurationCounts(json, &reader)
        }
        overlaps = try Self.byPlace(json["overlaps"], places, &reader) {
            others, reader throws(CountReader.Flaw) in
            try Self.byPlace(others, places, &reader) { json, reader throws(CountReader.Flaw) in
                try reader.count(json)
            }
        }
        try checkFirstUsers()
    }

    private static func times(
        _ json: JSON?, events: Int
    ) throws(CountReader.Flaw) -> ClosedRange<Int64>? {
        guard let json else {
            if events > 0 { throw CountReader.Flaw() }
            return nil
        }
        let bounds = json.items.compactMap { $0.index }.map { Int64($0) }
        guard bounds.count == 2, bounds[0] <= bounds[1],
            bounds.allSatisfy({ FleetLimits.times.contains($0) })
        else { throw CountReader.Flaw() }
        return bounds[0]...bounds[1]
    }

    /// Everybody sees a popup for the first time once.
    private func checkFirstUsers() throws(CountReader.Flaw) {
        var first: [Int: Int] = [:]
        for day in days.values {
            guard day.users <= users else { throw CountReader.Flaw() }
            for (popup, counts) in day.popups { first[popup, default: 0] += counts.firstUsers }
        }
        guard first.values.allSatisfy({ $0 <= users }) else { throw CountReader.Flaw() }
    }

    private static func object<Counts>(
        _ counts: [Int: Counts], named popups: [String], json: (Counts) -> JSON
    ) -> JSON {
        .object(
            counts.sorted { $0.key < $1.key }
                .map { JSON.Member(key: popups[$0.key], value: json($0.value)) })
    }

    private static func byPlace<Counts>(
        _ json: JSON?, _ places: [String: Int], _ reader: inout CountReader,
        read: (JSON, inout CountReader) throws(CountReader.Flaw) -> Counts
    ) throws(CountReader.Flaw) -> [Int: Counts] {
        var counts: [Int: Counts] = [:]
        for member in try reader.members(json) {
            guard let place = places[member.key] else { throw CountReader.Flaw() }
            counts[place] = try read(member.value, &reader)
        }
        return counts
    }
}

extension Tally.Popup {
    /// The counts of the popup.
    package var json: JSON {
        .object([
            "eligible": .int(eligible), "shown": .int(shown), "users": .int(users),
            "firstUsers": .int(firstUsers), "kept": kept.json, "ended": ended.json,
            "exposures": exposures.json, "firstExposures": firstExposures.json,
            "goals": .object(
                goals.sorted { $0.key < $1.key }
                    .map { JSON.Member(key: $0.key, value: $0.value.json) }),
        ])
    }

    fileprivate init(_ json: JSON, _ reader: inout CountReader) throws(CountReader.Flaw) {
        self.init()
        shown = try reader.count(json["shown"])
        users = try reader.count(json["users"])
        firstUsers = try reader.count(json["firstUsers"])
        kept = try ReasonCounts(json["kept"], &reader)
        ended = try ReasonCounts(json["ended"], &reader)
        exposures = try reader.counts(json["exposures"])
        firstExposures = try reader.counts(json["firstExposures"])
        for member in try reader.members(json["goals"]) {
            goals[member.key] = try reader.counts(member.value)
        }
    }
}

extension ReasonCounts {
    fileprivate var json: JSON {
        .object(sorted.map { JSON.Member(key: $0.reason.rawValue, value: .int($0.count)) })
    }

    fileprivate init(_ json: JSON?, _ reader: inout CountReader) throws(CountReader.Flaw) {
        self.init()
        for (key, count) in try reader.counts(json) {
            guard let reason = ReasonCode(rawValue: key) else { throw CountReader.Flaw() }
            add(reason, times: count)
        }
    }
}

extension DurationCounts {
    fileprivate init(_ json: JSON, _ reader: inout CountReader) throws(CountReader.Flaw) {
        self.init()
        for pair in try reader.items(json).map({ $0.items }) {
            guard pair.count == 2 else { throw CountReader.Flaw() }
            let step = try reader.number(pair[0], in: Self.possibleSteps)
            guard steps[step] == nil else { throw CountReader.Flaw() }
            steps[step] = try reader.count(pair[1])
        }
    }
}

extension [String: Int] {
    fileprivate var json: JSON {
        .object(sorted { $0.key < $1.key }.map { JSON.Member(key: $0.key, value: .int($0.value)) })
    }
}

/// Reads counts from a file that may be damaged or written by hand: none is negative, and their sum
/// is at most `FleetLimits.counts`, so that sums never overflow.
package struct CountReader {
    /// The error for data that no program has counted.
    package struct Flaw: Error {
        package init() {}
    }

    private var rest = FleetLimits.standard.counts

    package init() {}

    /// A count.
    package mutating func count(_ json: JSON?) throws(Flaw) -> Int {
        let count = try number(json, in: 0...rest)
        rest -= count
        return count
    }

    /// Returns a number that isn't a count; throws if it isn't in the range.
    package func number(_ json: JSON?, in range: ClosedRange<Int>) throws(Flaw) -> Int {
        guard let number = json?.index, range.contains(number) else { throw Flaw() }
        return number
    }

    /// The values of a list.
    package func items(_ json: JSON?) throws(Flaw) -> [JSON] {
        guard case .array(let items)? = json else { throw Flaw() }
        return items
    }

    /// The members of an object.
    package func members(_ json: JSON?) throws(Flaw) -> [JSON.Member] {
        guard case .object(let members)? = json else { throw Flaw() }
        return members
    }

    /// A list of counts.
    package mutating func list(_ json: JSON?) throws(Flaw) -> [Int] {
        var counts: [Int] = []
        for item in try items(json) { counts.append(try count(item)) }
        return counts
    }

    /// Counts by name.
    package mutating func counts(_ json: JSON?) throws(Flaw) -> [String: Int] {
        var counts: [String: Int] = [:]
        for member in try members(json) { counts[member.key] = try count(member.value) }
        return counts
    }
}
