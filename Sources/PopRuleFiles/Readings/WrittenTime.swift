internal import PopCEL

/// A date, with or without a time of day and an offset, as someone wrote it.
struct WrittenTime: Hashable {
    var year: Int
    var month: Int
    var day: Int
    /// Seconds since midnight; nil without a time of day.
    var second: Int?
    /// With the point, such as `.250`.
    var fraction = ""
    /// Seconds from UTC; nil when none is written.
    var offset: Int?
    /// Letters that abbreviate a zone, if these are written instead.
    var abbreviation: String?
    /// True if no other day can be meant.
    var isCertain = true

    /// True if the calendar has such a day.
    var exists: Bool { Timestamp(parsing: "\(date)T00:00:00Z") != nil }

    /// Such as `2026-01-05`.
    var date: String { "\(padded(year, to: 4))-\(padded(month))-\(padded(day))" }

    /// Such as `5 January 2026`.
    var dateInWords: String {
        let name = monthNames.indices.contains(month - 1) ? monthNames[month - 1] : "\(month)"
        return "\(day) \(name.capitalizedFirst) \(year)"
    }

    /// Such as `18:00` or `18:00:30`; nothing without a time of day.
    var clock: String {
        guard let second else { return "" }
        let text = "\(padded(second / 3600)):\(padded(second / 60 % 60))"
        return second % 60 == 0 && fraction.isEmpty
            ? text : "\(text):\(padded(second % 60))\(fraction)"
    }

    /// By RFC 3339 with an offset in seconds, at midnight when there is no time of day.
    func text(offset: Int) -> String {
        let second = second ?? 0
        let clock = [second / 3600, second / 60 % 60, second % 60].map { padded($0) }
        return "\(date)T\(clock.joined(separator: ":"))\(fraction)\(offsetText(offset))"
    }

    /// The instant, read with an offset in seconds.
    func instant(offset: Int) -> Timestamp? { Timestamp(parsing: text(offset: offset)) }
}

/// `Z`, or such as `+01:00`.
func offsetText(_ seconds: Int) -> String {
    if seconds == 0 { return "Z" }
    let minutes = abs(seconds) / 60
    return "\(seconds < 0 ? "-" : "+")\(padded(minutes / 60)):\(padded(minutes % 60))"
}

func padded(_ number: Int, to length: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, length - digits.count)) + digits
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

/// German, French and Spanish.
private let otherMonths: [String: Int] = wordTable([
    ("januar janvier enero ene", 1), ("februar février fevrier febrero", 2),
    ("märz mrz maerz mars marzo", 3), ("avril abril abr", 4), ("mai mayo", 5), ("juin junio", 6),
    ("juillet julio", 7), ("août aout agosto ago", 8), ("septembre septiembre", 9),
    ("okt oktober octobre octubre", 10), ("novembre noviembre", 11),
    ("dez dezember décembre decembre diciembre dic", 12),
])

private let monthNames = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
]

extension WrittenTime {
    /// Returns the meanings of a string that is a date in another notation; several if day and
    /// month may be swapped.
    static func readings(of text: String) -> [WrittenTime] {
        guard text.utf8.count <= longestReading else { return [] }
        if let moment = sinceEpoch(text) { return [moment] }
        var rest = timeAfterLetter.replaced(in: text.lowercased()) {
            "\($0.output.1) \($0.output.2)"
        }
        var time: TimeBehind?
        if let match = timePattern.firstMatch(in: rest), let found = TimeBehind(match.output) {
            time = found
            rest = String(rest[..<match.range.lowerBound])
        }
        var seen: Set<WrittenTime> = []
        return dates(in: plain(rest)).filter { $0.exists && seen.insert($0).inserted }
            .map { time?.added(to: $0) ?? $0 }
    }

    /// Seconds or milliseconds since 1970, or a date without separators.
    private static func sinceEpoch(_ text: String) -> WrittenTime? {
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int64(text) else {
            return nil
        }
        switch text.count {
        case 8:
            let date = WrittenTime(
                year: Int(number / 10_000), month: Int(number / 100 % 100), day: Int(number % 100))
            return date.exists && (1970...2200).contains(date.year) ? date : nil
        case 10, 13:
            let civil = LocalCalendar.utc.civil(
                at: Timestamp(seconds: text.count == 10 ? number : number / 1_000))
            return WrittenTime(
                year: civil.year, month: civil.month, day: civil.day,
                second: civil.hour * 3600 + civil.minute * 60 + civil.second,
                fraction: text.count == 10 || number % 1_000 == 0
                    ? "" : ".\(padded(Int(number % 1_000), to: 3))", offset: 0)
        default: return nil
        }
    }

    /// Without the day of the week, and without the English words and endings around the numbers of
    /// a date.
    private static func plain(_ text: String) -> String {
        let words = ordinal.replaced(in: text) { "\($0.output.1)" }
            .split { " ,".contains($0) }
            .filter { word in
                word != "of" && word != "the" && word != "at"
                    && weekday(ofWord: word.replacing(".", with: "")) == nil
            }
        return words.joined(separator: " ")
    }

    private static func dates(in text: String) -> [WrittenTime] {
        if let match = yearLeading.wholeMatch(of: text) {
            let (year, a, b) = (
                number(match.output.1), number(match.output.2), number(match.output.3)
            )
            let usual = WrittenTime(year: year, month: a, day: b)
            return usual.exists
                ? [usual] : [WrittenTime(year: year, month: b, day: a, isCertain: false)]
        }
        if let match = yearLast.wholeMatch(of: text) {
            let (a, b) = (number(match.output.1), number(match.output.3))
            let isShort = match.output.4.count == 2
            let last = number(match.output.4)
            let year = last + (isShort ? 2000 : 0)
            let dayFirst = WrittenTime(year: year, month: b, day: a, isCertain: !isShort)
            // With points the day comes first, wherever dates are written so.
            if match.output.2 == ".", dayFirst.exists { return [dayFirst] }
            let others = [WrittenTime(year: year, month: a, day: b, isCertain: !isShort)]
            let yearFirst = WrittenTime(year: a + 2000, month: b, day: last, isCertain: false)
            return [dayFirst] + others + (isShort && a > 12 ? [yearFirst] : [])
        }
        return namedMonth(in: text)
    }

    /// The year and month of a string that names no day.
    static func monthAlone(_ text: String) -> (year: Int, month: Int)? {
        let parts = plain(text.lowercased()).split { "-/. ".contains($0) }
        guard parts.count == 2, let year = parts.first(where: { $0.count == 4 && Int($0) != nil }),
            let other = parts.first(where: { $0 != year }),
            let month = Int(other) ?? month(other), (1...12).contains(month)
        else { return nil }
        return (number(year), month)
    }

    private static func namedMonth(in text: String) -> [WrittenTime] {
        let parts = text.split { "-/. ".contains($0) }
        guard parts.count == 3,
            let position = parts.firstIndex(where: { $0.first?.isLetter == true }),
            let month = month(parts[position])
        else { return [] }
        let others = parts.indices.filter { $0 != position }.map { parts[$0] }
        guard others.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }) else { return [] }
        guard let year = others.first(where: { $0.count == 4 }),
            let day = others.first(where: { $0.count <= 2 })
        else { return [] }
        return [WrittenTime(year: number(year), month: month, day: number(day))]
    }

    /// A string such as `Dec 24` or `24.12.`, which names a day without a year: as `12-24`.
    static func dayWithoutYear(_ text: String) -> String? {
        let parts = plain(text.lowercased()).split { "-/. ".contains($0) }
        guard parts.count == 2 else { return nil }
        let months = parts.map { month($0) }
        let numbers = parts.map { Int($0) }
        // With points the day comes first, wherever dates are written so.
        let isDayFirst = text.contains(".")
        let named = months[0] ?? months[1] ?? (isDayFirst ? numbers[1] : nil)
        let day = months[0] != nil ? numbers[1] : numbers[0]
        guard let number = named, let day,
            WrittenTime(year: 2000, month: number, day: day).exists
        else { return nil }
        return "\(padded(number))-\(padded(day))"
    }

    /// English, and other languages where that is another word.
    private static func month(_ word: Substring) -> Int? {
        guard word.count >= 3 else { return nil }
        if let number = otherMonths[String(word)] { return number }
        if word == "sept" { return 9 }
        return monthNames.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
    }
}

func number(_ digits: Substring) -> Int { Int(digits) ?? 0 }

private let timeAfterLetter = SharedRegex(#/([0-9])t([0-9])/#)
private let ordinal = SharedRegex(#/([0-9])(st|nd|rd|th)\b/#)
private let yearLeading = SharedRegex(#/([0-9]{4})[-/. ]([0-9]{1,2})[-/. ]([0-9]{1,2})/#)
private let yearLast = SharedRegex(#/([0-9]{1,2})([-/. ])([0-9]{1,2})[-/. ]([0-9]{4}|[0-9]{2})/#)

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

/// Returns the possible meanings of a string that is almost a time, as a date or a time by RFC
/// 3339.
///
/// `zone` is the zone of a time without offset; nil if none is written. `takesDates` is true if a
/// bare date is a value too.
package func timeReadings(
    _ text: String, zone: String? = nil, takesDates: Bool = true
) -> [Reading] {
    let written = WrittenTime.readings(of: text)
    if written.isEmpty, takesDates { return endsOfMonth(text) }
    return written.flatMap { time -> [Reading] in
        if let offset = time.offset { return [time.reading(offset: offset)] }
        if let letters = time.abbreviation.flatMap({ ZoneAbbreviation.named($0) }) {
            return readings(of: time, letters)
        }
        guard time.second != nil else {
            return takesDates
                ? [Reading(time.date, meaning: time.dateInWords, isExact: time.isCertain)]
                : [time.midnight]
        }
        guard let zone else {
            return written.count > 1 ? [time.reading(offset: 0)] : clocks(of: time)
        }
        return readings(of: time, in: zone)
    }
}

/// Returns help on a time that cannot be read: its possible meanings, or how times are written.
///
/// `mayNameZone` is true if a zone may be written next to it, `takesDates` if a bare date is a
/// value too.
package func helpWithTime(
    _ text: String, readings: [Reading], zone: String? = nil, mayNameZone: Bool = false,
    takesDates: Bool = true
) -> [String] {
    guard !readings.isEmpty else {
        return [helpWithTime(text, zone: zone, takesDates: takesDates)]
    }
    let written = WrittenTime.readings(of: text)
    if !takesDates, written.allSatisfy({ $0.second == nil }) {
        return ["add the time of day and the offset from UTC; `Z` means UTC"] + readings.help
    }
    let isOpen =
        zone == nil
        && written.contains {
            $0.second != nil && $0.offset == nil && $0.abbreviation == nil
        }
    guard isOpen else { return readings.help }
    let offset = "add the offset from UTC to the time"
    return [mayNameZone ? "\(offset), or add a `zone` next to the time" : offset] + readings.help
        + (mayNameZone
            ? [
                "if you mean the local time of each device, use one of these times without `Z` or"
                    + " the offset, and add `zone: local`"
            ] : [])
}

/// Returns the readings of a time in a time zone, whose clocks may show it twice, or never.
private func readings(of time: WrittenTime, in zone: String) -> [Reading] {
    // In a zone that is not known beforehand, the time is kept as written.
    if LocalCalendar(zone: zone, zones: .system) == nil {
        return [Reading("\(time.date)T\(time.clock)", isExact: time.isCertain)]
    }
    let offsets = offsets(of: time, in: zone)
    let times = ["", ", the first time", ", the second time"]
    return offsets.enumerated().map { index, offset in
        Reading(
            time.text(offset: offset),
            meaning: "\(time.dateInWords), \(time.clock) in the time zone \(zone)"
                + times[offsets.count > 1 ? min(index, 1) + 1 : 0], isExact: time.isCertain)
    }
}

/// Returns the readings of a time with an abbreviation that means one zone and is often used for
/// another, or in another country.
private func readings(of time: WrittenTime, _ letters: ZoneAbbreviation) -> [Reading] {
    let local = ([letters.zone] + letters.others).flatMap { readings(of: time, in: $0) }
    guard let offset = letters.offset else { return local }
    let literal = time.reading(offset: offset)
    return local.contains { $0.text == literal.text } ? local : [literal] + local
}

/// Returns the first day of a month, and the day after its last day, for a month without a day.
private func endsOfMonth(_ text: String) -> [Reading] {
    guard let (year, month) = WrittenTime.monthAlone(text) else { return [] }
    let first = WrittenTime(year: year, month: month, day: 1)
    let next = WrittenTime(
        year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1)
    let name = first.dateInWords.dropFirst(2)
    return [
        Reading(first.date, meaning: "the start of \(name)"),
        Reading(next.date, meaning: "the end of \(name)"),
    ]
}

/// Returns help on a string that no time can be made of.
private func helpWithTime(_ text: String, zone: String?, takesDates: Bool) -> String {
    if let zone, LocalCalendar(zone: zone, zones: .system) != nil,
        let skipped = WrittenTime.readings(of: text).first(where: { $0.second != nil })
    {
        return "choose another time, because the clocks of \(zone) skip \(skipped.clock) on"
            + " \(skipped.date)"
    }
    if let help = helpOnLastDay(text) ?? helpOnClock(text) { return help }
    if !takesDates {
        return "write the date, `T`, the time of day and the offset from UTC (`Z` means UTC), such"
            + " as `2026-11-20T09:00:00Z`"
    }
    if let day = WrittenTime.dayWithoutYear(text) {
        return "add the year, and write the date as year-month-day, such as `2030-\(day)`"
    }
    if timeAtStart.prefixMatch(of: text) != nil {
        return "add the date, such as `2026-11-01T09:00:00+01:00`; for the same part of each day,"
            + " use `hours` instead, such as `hours: 09:00-21:00`"
    }
    return "write a date as year-month-day; for a time, add the time of day and the offset from"
        + " UTC, such as `2026-11-01T09:00:00+01:00`"
}

/// Returns help on a date after the last day of its month; nil for other strings.
func helpOnLastDay(_ text: String) -> String? {
    guard let match = dateAtStart.prefixMatch(of: text), let year = Int(match.output.1),
        let month = Int(match.output.2), (1...12).contains(month), let day = Int(match.output.3)
    else { return nil }
    let last = WrittenTime.lastDay(year: year, month: month)
    if day <= last { return nil }
    let name = WrittenTime(year: year, month: month, day: 1).dateInWords.dropFirst(2)
    return "use a day from 1 to \(last), because \(name) has \(last) days"
}

/// Returns the last day of a month for a date after that day, such as `2027-11-31`; nil for other
/// strings.
func lastDayInstead(of text: String) -> Reading? {
    guard helpOnLastDay(text) != nil, let match = dateAtStart.wholeMatch(of: text) else {
        return nil
    }
    let (year, month) = (number(match.output.1), number(match.output.2))
    let last = WrittenTime.lastDay(year: year, month: month)
    // No month has more days, so a larger number isn't the end of a month.
    guard number(match.output.3) <= 31 else { return nil }
    let day = WrittenTime(year: year, month: month, day: last)
    return Reading(day.date, meaning: day.dateInWords, isExact: false)
}

/// Returns help on a date with a time of day that no clock shows; nil for other strings.
private func helpOnClock(_ text: String) -> String? {
    guard let match = clockBehindDate.prefixMatch(of: text) else { return nil }
    let parts = [match.output.1, match.output.2].map { number($0) }
    if parts[0] > 24 || parts[0] == 24 && parts[1] > 0 {
        return "use an hour from 00 to 23, because no day has the time"
            + " \(match.output.1):\(match.output.2)"
    }
    return parts[1] > 59 ? "use minutes from 00 to 59 instead of \(match.output.2)" : nil
}

/// A time of day without a zone: the author has to choose.
private func clocks(of time: WrittenTime) -> [Reading] {
    [("UTC", "UTC"), ("Europe/Berlin", "Berlin"), ("America/New_York", "New York")]
        .compactMap { zone, city in
            offsets(of: time, in: zone).first.map { offset in
                Reading(
                    time.text(offset: offset), meaning: "\(time.clock) in \(city)", isExact: false)
            }
        }
}

/// The offsets from UTC with which the clocks of a zone show a time: two when they show it twice,
/// none when they skip it.
func offsets(of time: WrittenTime, in zone: String) -> [Int] {
    guard let calendar = LocalCalendar(zone: zone, zones: .system),
        let reading = time.instant(offset: 0)?.seconds
    else { return [] }
    // No clock is as much as a day and a half away from UTC.
    let around = [-129_600, 0, 129_600].map {
        calendar.offset(at: Timestamp(seconds: reading + $0))
    }
    return Set(around).filter { offset in
        calendar.offset(at: Timestamp(seconds: reading - Int64(offset))) == offset
    }.sorted(by: >)
}

extension LocalCalendar {
    /// Returns the offset from UTC at an instant, in seconds.
    func offset(at instant: Timestamp) -> Int {
        let civil = civil(at: instant)
        let ofDay = civil.hour * 3600 + civil.minute * 60 + civil.second
        return Int(Int64(civil.dayNumber) * 86_400 + Int64(ofDay) - instant.seconds)
    }
}

extension WrittenTime {
    /// The time with an offset that is certain.
    fileprivate func reading(offset: Int) -> Reading {
        Reading(
            text(offset: offset),
            meaning: "\(dateInWords), \(clock)\(offset == 0 ? " in UTC" : "")",
            isExact: isCertain)
    }

    /// A bare date if a time is required.
    fileprivate var midnight: Reading {
        Reading(
            text(offset: 0), meaning: "midnight in UTC at the start of \(dateInWords)",
            isExact: false)
    }

    fileprivate static func lastDay(year: Int, month: Int) -> Int {
        (28...31).last { WrittenTime(year: year, month: month, day: $0).exists } ?? 31
    }
}

private let dateAtStart = SharedRegex(#/([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})/#)
private let clockBehindDate = SharedRegex(
    #/[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}[Tt ]([0-9]{2}):([0-9]{2})/#)
private let timeAtStart = SharedRegex(#/[0-9]{1,2}:[0-9]{2}/#)
