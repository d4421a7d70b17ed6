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
            "cutShort": .int(cutShort), "days": .array(days),
            "timesToShow": Self.object(timesToShow, named: popups) { times in
                .array(
                    times.steps.sorted { $0.key < $1.key }
                        .map { .array([.int($0.key), .int($0.value)]) })
            },
            "overlaps": Self.object(overlaps, named: popups) { others in
                Self.object(others, named: popups) { .int($0) }
            },
        ])
    }

    /// What `json` has written; nil for anything else.
    package init?(_ json: JSON, popups: [String]) {
        let places = Dictionary(popups.enumerated().map { ($1, $0) }) { first, _ in first }
        guard let users = json["users"]?.index, let events = json["events"]?.index,
            let copies = json["copies"]?.index, let userWeeks = json["userWeeks"]?.index,
            let cutShort = json["cutShort"]?.index
        else { return nil }
        (self.users, self.events, self.userWeeks) = (users, events, userWeeks)
        (self.copies, self.cutShort) = (copies, cutShort)
        let bounds = json["times"]?.items.compactMap { $0.index } ?? []
        if bounds.count == 2 { times = Int64(bounds[0])...Int64(bounds[1]) }
        userWeeksShowing = json["userWeeksShowing"]?.items.compactMap { $0.index } ?? []
        for day in json["days"]?.items ?? [] {
            guard let number = day["day"]?.index else { return nil }
            var counts = Day()
            counts.users = day["users"]?.index ?? 0
            counts.popups = Self.byPlace(day["popups"], places) { Popup($0) }
            days[number] = counts
        }
        timesToShow = Self.byPlace(json["timesToShow"], places) { DurationCounts($0) }
        overlaps = Self.byPlace(json["overlaps"], places) { others in
            Self.byPlace(others, places) { $0.index ?? 0 }
        }
    }

    private static func object<Counts>(
        _ counts: [Int: Counts], named popups: [String], json: (Counts) -> JSON
    ) -> JSON {
        .object(
            counts.sorted { $0.key < $1.key }
                .map { JSON.Member(key: popups[$0.key], value: json($0.value)) })
    }

    private static func byPlace<Counts>(
        _ json: JSON?, _ places: [String: Int], read: (JSON) -> Counts
    ) -> [Int: Counts] {
        var counts: [Int: Counts] = [:]
        for member in json?.members ?? [] {
            if let place = places[member.key] { counts[place] = read(member.value) }
        }
        return counts
    }
}

extension Tally.Popup {
    /// What is counted of the popup.
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

    fileprivate init(_ json: JSON) {
        self.init()
        shown = json["shown"]?.index ?? 0
        users = json["users"]?.index ?? 0
        firstUsers = json["firstUsers"]?.index ?? 0
        kept = ReasonCounts(json["kept"])
        ended = ReasonCounts(json["ended"])
        exposures = json["exposures"]?.counts ?? [:]
        firstExposures = json["firstExposures"]?.counts ?? [:]
        for member in json["goals"]?.members ?? [] { goals[member.key] = member.value.counts }
    }
}

extension ReasonCounts {
    fileprivate var json: JSON {
        .object(sorted.map { JSON.Member(key: $0.reason.rawValue, value: .int($0.count)) })
    }

    fileprivate init(_ json: JSON?) {
        self.init()
        for member in json?.members ?? [] {
            guard let reason = ReasonCode(rawValue: member.key), let count = member.value.index
            else { continue }
            add(reason, times: count)
        }
    }
}

extension DurationCounts {
    fileprivate init(_ json: JSON) {
        self.init()
        for pair in json.items.map({ $0.items.compactMap { $0.index } }) where pair.count == 2 {
            steps[pair[0]] = pair[1]
        }
    }
}

extension [String: Int] {
    fileprivate var json: JSON {
        .object(sorted { $0.key < $1.key }.map { JSON.Member(key: $0.key, value: .int($0.value)) })
    }
}

extension JSON {
    fileprivate var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    fileprivate var counts: [String: Int] {
        Dictionary(members.map { ($0.key, $0.value.index ?? 0) }) { $1 }
    }
}
