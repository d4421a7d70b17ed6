internal import PopCEL
public import PopFleet
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
        return "\(countText(far.count, "day")) \(verb) far from the rest: \(range)."
            + " Are all times right?"
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
        reading.lines + [farDaysText].compactMap { $0 }
    }

    /// The number of popups that users see in a week.
    var fatigue: String {
        "99 % of user-weeks had at most"
            + " \(countText(tally.shownPerWeek(atMostIn: 0.99), "popup")) (maximum"
            + " \(numberText(tally.userWeeksShowing.count)))."
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
