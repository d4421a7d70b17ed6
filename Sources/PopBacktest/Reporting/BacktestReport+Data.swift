internal import PopReports
internal import PopScheduler
internal import PopSource

extension BacktestReport {
    /// For programs, all that was counted.
    public var json: String {
        let popups = lines.map { JSON.Member(key: $0.id, value: json(of: $0)) }
        let byDay = tally.days.sorted { $0.key < $1.key }
            .map { JSON.Member(key: dayText($0.key), value: json(of: $0.value)) }
        let head: [JSON.Member] = [
            .init(key: "schemaVersion", value: .int(JSONRenderer.schemaVersion)),
            .init(key: "zone", value: .string(zone)),
            .init(key: "events", value: .int(tally.events)),
            .init(key: "copies", value: .int(tally.copies)),
            .init(key: "users", value: .int(tally.users)),
        ]
        let counts = JSON.object([
            "firstDay": days.map { .string(dayText($0.lowerBound)) },
            "lastDay": days.map { .string(dayText($0.upperBound)) },
            "farDays": .array(daysTogether.far.map { .string(dayText($0)) }),
            "popups": .object(popups),
            "days": .object(byDay), "fatigue": fatigueJSON, "overlaps": overlapsJSON,
            "usersBeyondPairs": .int(tally.usersBeyondPairs),
            "against": comparison?.json, "old": oldJSON,
        ])
        guard case .object(let members) = counts else { return "" }
        return JSON.object(head + reading.members + members).pretty + "\n"
    }

    private var fatigueJSON: JSON {
        .object([
            "userWeeks": .int(tally.userWeeks),
            "userWeeksShowingAtLeast": .array(tally.userWeeksShowing.map { .int($0) }),
            "percentile99": .int(tally.shownPerWeek(atMostIn: 0.99)),
        ])
    }

    private var overlapsJSON: JSON {
        let pairs = overlaps.map { pair -> JSON in
            let popups: JSON = .array([.string(pair.one), .string(pair.other)])
            return .object(["popups": popups, "users": .int(pair.users)])
        }
        return .array(pairs)
    }

    private func json(of line: Line) -> JSON {
        guard case .object(let members) = line.total.json else { return .null }
        // Users, not user days.
        let counted = members.filter { $0.key != "firstUsers" }.map { member in
            member.key == "users"
                ? JSON.Member(key: "users", value: .int(line.total.firstUsers)) : member
        }
        let time = secondsToShow(line.place).map { JSON.int($0) }
        return .object(
            counted + [
                JSON.Member(key: "userDays", value: .int(line.total.users)),
                JSON.Member(key: "reach", value: .double(reach(line))),
                JSON.Member(key: "medianSecondsToFirst", value: time ?? .null),
            ])
    }

    /// The results of the popups by the old rules.
    private var oldJSON: JSON? {
        old.map { old in
            .object(
                oldPopups.enumerated().map { place, id in
                    let total = old.total(of: place)
                    let counts = JSON.object([
                        "eligible": .int(total.eligible), "shown": .int(total.shown),
                        "users": .int(total.firstUsers),
                    ])
                    return JSON.Member(key: id, value: counts)
                })
        }
    }

    private func json(of day: Tally.Day) -> JSON {
        .object([
            "users": .int(day.users),
            "popups": .object(
                day.popups.sorted { $0.key < $1.key }
                    .map { JSON.Member(key: popups[$0.key], value: $0.value.json) }),
        ])
    }

    /// The first line of the CSV.
    public static let csvHead = "day,popup,measure,detail,count"

    /// A row for each number of a popup on a day: `day,popup,measure,detail,count`; then, without a
    /// day, what is compared with the old rules.
    public var csv: String {
        var rows = [Self.csvHead]
        for (day, counts) in tally.days.sorted(by: { $0.key < $1.key }) {
            rows.append("\(dayText(day)),,users,,\(counts.users)")
            for (place, popup) in counts.popups.sorted(by: { $0.key < $1.key }) {
                for (measure, detail, count) in Self.measures(of: popup) {
                    let cells = [dayText(day), popups[place], measure, detail, "\(count)"]
                    rows.append(cells.map { Self.cell($0) }.joined(separator: ","))
                }
            }
        }
        rows += comparisonCells.map { $0.map { Self.cell($0) }.joined(separator: ",") }
        return rows.joined(separator: "\r\n") + "\r\n"
    }

    private var comparisonCells: [[String]] {
        let popups = comparison?.popups.sorted { $0.key < $1.key } ?? []
        return popups.flatMap { id, popup in
            [
                ["", id, "against_gained", "", "\(popup.gained)"],
                ["", id, "against_lost", "", "\(popup.lost)"],
                ["", id, "against_both", "", "\(popup.kept)"],
                ["", id, "against_more", "", "\(popup.more)"],
                ["", id, "against_fewer", "", "\(popup.fewer)"],
                ["", id, "against_impressions", "", "\(popup.impressions)"],
            ]
        }
    }

    private static func measures(of popup: Tally.Popup) -> [(String, String, Int)] {
        var rows = [
            ("eligible", "", popup.eligible), ("shown", "", popup.shown),
            ("users", "", popup.users), ("first_users", "", popup.firstUsers),
        ]
        rows += popup.kept.sorted.map { ("kept_away", $0.reason.rawValue, $0.count) }
        rows += popup.ended.sorted.map { ("ended", $0.reason.rawValue, $0.count) }
        rows += popup.exposures.sorted { $0.key < $1.key }.map { ("exposed", $0.key, $0.value) }
        for (goal, counts) in popup.goals.sorted(by: { $0.key < $1.key }) {
            rows += counts.sorted { $0.key < $1.key }
                .map { ("goal", $0.key.isEmpty ? goal : "\(goal)/\($0.key)", $0.value) }
        }
        return rows
    }

    /// Returns the cell, in quotes if it has a separator, even if a combining mark follows the
    /// separator.
    static func cell(_ text: String) -> String {
        let isPlain = !text.unicodeScalars.contains { ",\"\n\r".unicodeScalars.contains($0) }
        return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
