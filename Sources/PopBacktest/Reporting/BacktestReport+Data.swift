internal import PopFleet
internal import PopReports
internal import PopScheduler
internal import PopSource

extension BacktestReport {
    /// For programs, all that was counted.
    public var json: String {
        let popups = lines.map { JSON.Member(key: $0.id, value: json(of: $0)) }
        let days = tally.days.sorted { $0.key < $1.key }
            .map { JSON.Member(key: dayText($0.key), value: json(of: $0.value)) }
        let head: [JSON.Member] = [
            .init(key: "schemaVersion", value: .int(JSONRenderer.schemaVersion)),
            .init(key: "zone", value: .string(zone)),
            .init(key: "events", value: .int(tally.events)),
            .init(key: "users", value: .int(tally.users)),
        ]
        var counts: [JSON.Member] = [
            .init(key: "sessionsCutShort", value: .int(tally.cutShort)),
            .init(key: "popups", value: .object(popups)), .init(key: "days", value: .object(days)),
            .init(key: "fatigue", value: fatigueJSON), .init(key: "overlaps", value: overlapsJSON),
        ]
        if let comparison { counts.append(.init(key: "against", value: comparison.json)) }
        return JSON.object(head + reading.members + counts).pretty + "\n"
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
        let time = secondsToShow(line.place).map { JSON.int($0) }
        return .object(
            members + [
                JSON.Member(key: "reach", value: .double(reach(line))),
                JSON.Member(key: "medianSecondsToFirst", value: time ?? .null),
            ])
    }

    private func json(of day: Tally.Day) -> JSON {
        .object([
            "users": .int(day.users),
            "popups": .object(
                day.popups.sorted { $0.key < $1.key }
                    .map { JSON.Member(key: popups[$0.key], value: $0.value.json) }),
        ])
    }

    /// A row for each number of a popup on a day: `day,popup,measure,detail,count`.
    public var csv: String {
        var rows = ["day,popup,measure,detail,count"]
        for (day, counts) in tally.days.sorted(by: { $0.key < $1.key }) {
            rows.append("\(dayText(day)),,users,,\(counts.users)")
            for (place, popup) in counts.popups.sorted(by: { $0.key < $1.key }) {
                for (measure, detail, count) in Self.measures(of: popup) {
                    let cells = [dayText(day), popups[place], measure, detail, "\(count)"]
                    rows.append(cells.map { Self.cell($0) }.joined(separator: ","))
                }
            }
        }
        return rows.joined(separator: "\r\n") + "\r\n"
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

    private static func cell(_ text: String) -> String {
        let isPlain = !text.contains { $0 == "," || $0 == "\"" || $0.isNewline }
        return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
