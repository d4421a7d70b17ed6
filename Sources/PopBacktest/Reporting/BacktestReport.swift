internal import PopCEL
internal import PopReports
internal import PopScheduler

/// The results of rules that are played for the users of a log.
public struct BacktestReport: Sendable {
    /// The ids of the popups; the tally names them by their places.
    public let popups: [String]
    /// The results of the rules.
    public let tally: Tally
    /// The ids of the popups of the old rules.
    public let oldPopups: [String]
    /// The results of the old rules; nil without old rules.
    public let old: Tally?
    /// The users gained and lost; nil without old rules.
    public let comparison: ReplayComparison?
    let reading: ReadingSummary
    /// Whose days are counted.
    let zone: String
    /// Indicates whether the mapping says in which zone times without a zone are.
    let hasTimeZone: Bool
    /// The popups and templates whose replies seem to be fractions instead of percentages.
    let repliesOfFractions: [String]

    /// The first and the last day on which there are events, counted from 1970-01-01; nil for none.
    var days: ClosedRange<Int>? {
        let calendar = LocalCalendar(zone: zone, zones: .system) ?? .utc
        return tally.times.map { times in
            let days = [times.lowerBound, times.upperBound].map { time in
                calendar.civil(at: Timestamp(seconds: time / 1_000_000_000)).dayNumber
            }
            return days[0]...days[1]
        }
    }

    /// The days that are close together, and the days that are far from them, such as those of a
    /// wrong clock.
    ///
    /// The gap between them is longer than 300 days, and longer than the span from the first to the
    /// last of the days that are close together, which are on the side of the gap with more users.
    var daysTogether: (near: ArraySlice<Int>, far: [Int]) {
        let all = tally.days.keys.sorted()
        var near = all[...]
        while let gap = zip(near.indices, near.indices.dropFirst())
            .max(by: { near[$0.1] - near[$0.0] < near[$1.1] - near[$1.0] })
        {
            let (left, right) = (near[...gap.0], near[gap.1...])
            let (before, after) = (users(on: left), users(on: right))
            let larger = before > after ? left : right
            let length = (larger.last ?? 0) - (larger.first ?? 0)
            guard before != after, near[gap.1] - near[gap.0] > max(300, length) else { break }
            near = larger
        }
        return (near, Array(all[..<near.startIndex] + all[near.endIndex...]))
    }

    private func users(on days: ArraySlice<Int>) -> Int {
        days.reduce(0) { $0 + (tally.days[$1]?.users ?? 0) }
    }

    /// A warning about days far from the rest; nil if there are no such days.
    var farDaysText: String? {
        let far = daysTogether.far
        guard let first = far.first, let last = far.last else { return nil }
        let range = first == last ? dayText(first) : "from \(dayText(first)) to \(dayText(last))"
        let verb = far.count == 1 ? "is" : "are"
        return "\(countText(far.count, "day")) \(verb) far from the others: \(range)."
            + " Check the times."
    }

    /// The line above all numbers.
    var summary: String {
        let range = days.map { days in
            days.count == 1
                ? ", \(dayText(days.lowerBound)) (\(zone))"
                : ", \(dayText(days.lowerBound)) to \(dayText(days.upperBound)) (\(zone))"
        }
        let copies = tally.copies
        return "\(countText(tally.events, "event")) of \(usersText(tally.users))"
            + (copies == 0
                ? "" : " (and \(numberText(copies)) \(copies == 1 ? "copy" : "copies"))")
            + (range ?? "")
    }

    /// Further remarks about the log and how it was played.
    var remarks: [String] {
        reading.lines + [farDaysText, zoneText, copiesText].compactMap { $0 }
            + repliesOfFractions.prefix(8).map { name in
                "The replies to `\(name)` are only 1 % of the impressions. If they are fractions,"
                    + " multiply them by 100."
            }
    }

    /// A remark about times without a zone; nil if they are as the mapping says.
    private var zoneText: String? {
        guard reading.hasTimeWithoutZone, !hasTimeZone, zone != "UTC" else { return nil }
        return "Times without a zone are read as UTC. If they are local times, set"
            + " `time: { zone: \(zone) }` in the mapping; if not, `time: { zone: UTC }`."
    }

    /// A remark about more copies than events; nil if there are fewer.
    private var copiesText: String? {
        guard tally.copies > tally.events else { return nil }
        return "Most rows count as copies, because another row has the same `insert_id`. If they"
            + " are different events, name a column in `insert_id` that is different for each of"
            + " them."
    }

    /// The number of popups that users see in a week.
    var fatigue: String {
        let usual = numberText(tally.shownPerWeek(atMostIn: 0.99))
        let most = numberText(tally.userWeeksShowing.count)
        return "Popups per user and week: at most \(most)"
            + (usual == most ? "." : ", and at most \(usual) in 99 % of the weeks.")
    }

    /// A popup, with all its days together.
    struct Line {
        var place: Int
        var id: String
        var total: Tally.Popup
    }

    /// The popups with the most impressions first, then in the order of the rules.
    var lines: [Line] {
        let totals = popups.indices.map { Line(place: $0, id: popups[$0], total: Tally.Popup()) }
        var lines = totals
        for day in tally.days.values {
            for (place, counts) in day.popups { lines[place].total.add(counts) }
        }
        return lines.sorted { ($1.total.shown, $0.place) < ($0.total.shown, $1.place) }
    }

    /// Returns the share of the users who saw a popup.
    func reach(_ line: Line) -> Double {
        tally.users == 0 ? 0 : Double(line.total.firstUsers) / Double(tally.users)
    }

    /// Returns the time since their first session within which half of the users who saw it did so.
    func timeToShow(_ place: Int) -> String? {
        guard let time = tally.timesToShow[place]?.quantile(0.5) else { return nil }
        // From eight seconds on it is known to an eighth only.
        return timeText(time).split(separator: " ").prefix(2).joined(separator: " ")
    }

    /// The same in seconds.
    func secondsToShow(_ place: Int) -> Int64? {
        tally.timesToShow[place]?.quantile(0.5)?.components.seconds
    }

    /// Pairs of popups that the same users saw, the most frequent first.
    var overlaps: [(one: String, other: String, users: Int)] {
        let pairs = tally.overlaps.flatMap { one, others in
            others.map { (one: popups[one], other: popups[$0.key], users: $0.value) }
        }
        return pairs.sorted { ($1.users, $0.one, $0.other) < ($0.users, $1.one, $1.other) }
    }
}

/// A day as `2026-03-01`.
func dayText(_ day: Int) -> String {
    String("\(Timestamp(seconds: Int64(day) * 86_400))".prefix(10))
}

/// A share in percent, with one decimal.
func percentText(_ share: Double) -> String {
    let thousandths = Int((share * 1_000).rounded())
    return "\(thousandths / 10).\(thousandths % 10) %"
}

/// Returns a number of users in words.
func usersText(_ number: Int) -> String { countText(number, "user") }

/// Returns a number with a noun that takes an `s` in the plural.
func countText(_ number: Int, _ noun: String) -> String {
    "\(numberText(number)) \(noun)\(number == 1 ? "" : "s")"
}

/// A number with commas between thousands.
func numberText(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = ""
    for (place, digit) in digits.enumerated() {
        if place > 0, (digits.count - place).isMultiple(of: 3) { text += "," }
        text.append(digit)
    }
    return (number < 0 ? "-" : "") + text
}

extension BacktestReport {
    /// Rows for human readers, in any format.
    struct Section {
        var title: String
        var head: [String]
        var rows: [[String]]
        /// Indicates whether the columns can't be understood without their names.
        var needsHead = false
        /// The lines below the rows.
        var rest: [String] = []
    }

    /// A row for each popup.
    var popupTable: Section {
        Section(
            title: "Popups",
            head: [
                "popup", "eligible", "shown", "users", "reach", "median time to first view",
                "suppressed",
            ],
            rows: lines.map { line in
                [
                    line.id, numberText(line.total.eligible), numberText(line.total.shown),
                    numberText(line.total.firstUsers), percentText(reach(line)),
                    timeToShow(line.place) ?? "-", numberText(line.total.kept.total),
                ]
            })
    }

    /// All other sections that have rows.
    var sections: [Section] {
        [reasons, exposures, goals, overlapping, compared].compactMap { $0 }
            .filter { !$0.rows.isEmpty }
    }

    private var reasons: Section {
        let rows = lines.filter { !$0.total.kept.counts.isEmpty }.map { line in
            let reasons = line.total.kept.sorted.map { reason, count in
                "\(reason.rawValue) \(numberText(count))"
            }
            return [line.id, reasons.joined(separator: ", ")]
        }
        return Section(title: "Suppressed, by reason", head: ["popup", "reasons"], rows: rows)
    }

    private var exposures: Section {
        let rows = lines.flatMap { line in
            line.total.exposures.sorted { $0.key < $1.key }.map { arm, count in
                let users = line.total.firstExposures[arm] ?? 0
                return [line.id, arm, "\(numberText(count)) (\(usersText(users)))"]
            }
        }
        return Section(title: "Exposures", head: ["popup", "variant", "exposures"], rows: rows)
    }

    private var goals: Section {
        let rows = lines.flatMap { line in
            line.total.goals.sorted { $0.key < $1.key }.flatMap { goal, counts in
                counts.sorted { $0.key < $1.key }.map { arm, count in
                    [line.id, goal, arm.isEmpty ? "-" : arm, numberText(count)]
                }
            }
        }
        return Section(
            title: "Goals", head: ["popup", "goal", "variant", "times reached"], rows: rows)
    }

    /// The maximum number of pairs in text for human readers; data has all pairs.
    private static let mostOverlaps = 10

    private var overlapping: Section {
        let pairs = overlaps
        let more = pairs.count - Self.mostOverlaps
        return Section(
            title: "Seen by the same users", head: ["popup", "popup", "users"],
            rows: pairs.prefix(Self.mostOverlaps).map { [$0.one, $0.other, usersText($0.users)] },
            rest: (more > 0 ? ["and \(countText(more, "more pair"))"] : [])
                + [beyondPairs].compactMap(\.self))
    }

    private var beyondPairs: String? {
        guard tally.usersBeyondPairs > 0 else { return nil }
        let most = FleetLimits.standard.popupsInPairs
        return
            "\(usersText(tally.usersBeyondPairs)) saw more than \(most) popups; for each of them, only"
            + " pairs of the first \(most) popups are counted"
    }

    private var compared: Section? {
        guard let comparison else { return nil }
        let rows = comparison.popups.sorted { $0.key < $1.key }
            .filter { !$0.value.isUnchanged }
            .map { id, popup in
                [
                    id, examples(popup.gained, popup.gainers), examples(popup.lost, popup.losers),
                    numberText(popup.kept), numberText(popup.more), numberText(popup.fewer),
                    (popup.impressions > 0 ? "+" : "") + numberText(popup.impressions),
                ]
            }
        let title = "Compared with the old rules"
        if rows.isEmpty {
            let words = "every user sees the same popups, equally often"
            return Section(title: title, head: [], rows: [[words]])
        }
        return Section(
            title: title,
            head: [
                "popup", "users gained", "users lost", "seen with both", "more often", "less often",
                "change in impressions",
            ],
            rows: rows, needsHead: true)
    }

    private func examples(_ count: Int, _ users: [String]) -> String {
        let names = users.prefix(3).joined(separator: ", ")
        return numberText(count) + (names.isEmpty ? "" : " (\(names)\(count > 3 ? ", …" : ""))")
    }
}

extension BacktestReport {
    /// The report as text, safe for a terminal.
    public var text: String {
        var lines = [summary] + remarks
        lines += [""] + table([popupTable.head] + popupTable.rows)
        lines += ["", fatigue]
        for section in sections {
            let head = section.needsHead ? [section.head] : []
            lines += ["", section.title.lowercased()]
            lines += (table(head + section.rows) + section.rest).map { "  " + $0 }
        }
        return lines.map { escapedForTerminal($0) + "\n" }.joined()
    }

    /// Returns cells aligned in columns; numbers are right-aligned.
    private func table(_ rows: [[String]]) -> [String] {
        let cells = rows.map { $0.map { TerminalText($0) } }
        let columns = cells.map { $0.count }.max() ?? 0
        let widths = (0..<columns).map { column in
            cells.map { column < $0.count ? $0[column].width : 0 }.max() ?? 0
        }
        return cells.map { row in
            let padded = row.enumerated().map { column, cell in
                let blanks = String(repeating: " ", count: widths[column] - cell.width)
                if column > 0, cell.text.first?.isNumber == true, !cell.text.contains("(") {
                    return blanks + cell.text
                }
                return column == row.count - 1 ? cell.text : cell.text + blanks
            }
            return padded.joined(separator: "  ")
        }
    }
}
