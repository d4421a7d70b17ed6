internal import PopCEL
public import PopFleet
internal import PopScheduler

/// What rules would have done to the users of a log.
public struct BacktestReport: Sendable {
    /// The ids of the popups; the tally names them by their places.
    public let popups: [String]
    /// What happened.
    public let tally: Tally
    /// The ids of the popups of the old rules.
    public let oldPopups: [String]
    /// What happened by the old rules; nil where there are none.
    public let old: Tally?
    /// Who gains and who loses; nil without old rules.
    public let comparison: ReplayComparison?
    let reading: ReadingSummary
    /// Whose days are counted.
    let zone: String

    /// The days on which users were there, counted from 1970-01-01.
    var days: [Int] { tally.days.keys.sorted() }

    /// A popup, with all its days together.
    struct Line {
        var place: Int
        var id: String
        var total: Tally.Popup
    }

    /// Those that showed most first, then in the order of the rules.
    var lines: [Line] {
        let totals = popups.indices.map { Line(place: $0, id: popups[$0], total: Tally.Popup()) }
        var lines = totals
        for day in tally.days.values {
            for (place, counts) in day.popups { lines[place].total.add(counts) }
        }
        return lines.sorted { ($1.total.shown, $0.place) < ($0.total.shown, $1.place) }
    }

    /// Users who saw a popup.
    func reach(_ line: Line) -> Double {
        tally.users == 0 ? 0 : Double(line.total.firstUsers) / Double(tally.users)
    }

    /// Half of the users who saw it did so within that time after their first session.
    func timeToShow(_ place: Int) -> String? {
        guard let time = tally.timesToShow[place]?.quantile(0.5) else { return nil }
        // It is known to an eighth only.
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

/// How many users.
func usersText(_ number: Int) -> String {
    numberText(number) + (number == 1 ? " user" : " users")
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
