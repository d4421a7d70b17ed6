internal import PopCEL

typealias TimeMatch = (
    Substring, Substring, Substring?, Substring?, Substring?, Substring?, Substring?
)

/// A time of day after a date: hours, minutes, seconds, fraction, half of the day, offset.
let timePattern = SharedRegex<TimeMatch>(
    #/[ ,]+(?:at |um )?([0-9]{1,2})(?:[:.]([0-9]{2}))?(?:[:.]([0-9]{2}))?(\.[0-9]+)? ?(am|pm|a\.m\.|p\.m\.|h|uhr)? ?([a-z]{1,5}|(?:utc|gmt)?[+-][0-9]{1,2}(?::?[0-9]{2})?)?$/#
)

/// A time of day that follows a date.
struct TimeBehind {
    var second: Int
    var fraction: String
    var offset: Int?
    var abbreviation: String?

    /// Nil for a number that isn't a time of day.
    init?(_ match: TimeMatch) {
        let half = match.5.map { $0.filter { $0 != "." } }
        guard match.2 != nil || half != nil,
            let hour = hour(number(match.1), half: half.map { String($0) })
        else { return nil }
        let minute = match.2.map { number($0) } ?? 0
        let rest = match.3.map { number($0) } ?? 0
        guard minute < 60, rest < 60, hour < 24 || minute + rest == 0 else { return nil }
        second = hour * 3600 + minute * 60 + rest
        fraction = match.4.map { String($0) } ?? ""
        if let written = match.6 {
            offset = writtenOffset(String(written))
            if offset == nil {
                guard ZoneAbbreviation.named(String(written)) != nil else { return nil }
                abbreviation = String(written)
            }
        }
    }

    func added(to date: WrittenTime) -> WrittenTime {
        var time = date
        time.fraction = fraction
        time.offset = offset
        time.abbreviation = abbreviation
        if second == 86_400, let midnight = date.instant(offset: 0) {
            let next = LocalCalendar.utc.civil(at: Timestamp(seconds: midnight.seconds + 86_400))
            (time.year, time.month, time.day) = (next.year, next.month, next.day)
            time.second = 0
        } else {
            time.second = second
        }
        return time
    }
}

/// The hour of a day that has 24, from one that may be of a half day; nil when there is no such
/// hour.
func hour(_ number: Int, half: String?) -> Int? {
    switch half {
    case "am": (1...12).contains(number) ? number % 12 : nil
    case "pm":
        (1...12).contains(number) ? number % 12 + 12 : (13...23).contains(number) ? number : nil
    default: number <= 24 ? number : nil
    }
}

/// Returns the seconds of an offset such as `+1`, `+0100`, `UTC+01:00` or `Z`; nil if the text
/// isn't an offset.
func writtenOffset(_ text: String) -> Int? {
    let lower = text.lowercased()
    if ["z", "utc", "gmt", "zulu"].contains(lower) { return 0 }
    guard
        let match = offsetForm.wholeMatch(of: lower),
        let hours = Int(match.output.2), hours <= 14
    else { return nil }
    let minutes = match.output.3.flatMap { Int($0) } ?? 0
    guard minutes < 60 else { return nil }
    return (match.output.1 == "+" ? 1 : -1) * (hours * 3600 + minutes * 60)
}

private let offsetForm = SharedRegex(#/(?:utc|gmt)? ?([+\-−])([0-9]{1,2})(?::?([0-9]{2}))?/#)
