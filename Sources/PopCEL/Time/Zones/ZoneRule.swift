/// The yearly clock changes of a zone, as the last line of a TZif file defines them.
struct ZoneRule: Sendable, Hashable {
    /// The seconds that clocks are ahead of UTC while they aren't put forward.
    var standard: Int32
    var summer: Summer?

    /// The time of the year while clocks are put forward; in Ireland, by law, while they are put
    /// back in winter.
    struct Summer: Sendable, Hashable {
        /// The seconds that clocks are ahead of UTC during that time.
        var offset: Int32
        var start: Moment
        var end: Moment
    }

    /// A yearly point in time, on the clocks before the change.
    struct Moment: Sendable, Hashable {
        var day: Day
        /// Seconds from the day's midnight, from a week before it to a week after it.
        var time: Int32
    }

    enum Day: Sendable, Hashable {
        /// 1 to 365, without the leap day.
        case ofCommonYear(Int)
        /// 0 to 365, with the leap day.
        case ofYear(Int)
        /// A month, the number of the week in it (5 for the last), and a day of the week (0 for
        /// Sunday).
        case ofMonth(Int, week: Int, weekday: Int)
    }

    /// The number of seconds after which the calendar repeats, including days of the week.
    private static let fourCenturies = 146_097 * CivilTime.secondsPerDay

    /// Returns the seconds that clocks are ahead of UTC at an instant in seconds since 1970.
    func offset(at seconds: Int64) -> Int32 {
        guard let summer else { return standard }
        let instant = seconds.flooredRemainder(by: Self.fourCenturies)
        let year = CivilTime(seconds: instant).year
        var offset = standard
        var latest = Int64.min
        // A change may be up to a week and a day outside of the year that it belongs to. If the end
        // coincides with the next start, summer time continues.
        for year in (year - 1)...(year + 1) {
            let start = summer.start.reading(in: year) - Int64(standard)
            if start <= instant, start >= latest { (latest, offset) = (start, summer.offset) }
            let end = summer.end.reading(in: year) - Int64(summer.offset)
            if end <= instant, end > latest { (latest, offset) = (end, standard) }
        }
        return offset
    }
}

extension ZoneRule.Moment {
    /// Returns the local time of the change, in seconds since the local start of 1970.
    fileprivate func reading(in year: Int) -> Int64 {
        Int64(day.number(in: year)) * CivilTime.secondsPerDay + Int64(time)
    }
}

extension ZoneRule.Day {
    /// Returns the days since 1970-01-01.
    fileprivate func number(in year: Int) -> Int {
        func first(ofMonth month: Int) -> Int {
            CivilTime(year: year, month: month, day: 1).dayNumber
        }
        switch self {
        case .ofYear(let day): return first(ofMonth: 1) + day
        case .ofCommonYear(let day):
            let leapDays = day > 59 ? CivilTime.days(inMonth: 2, of: year) - 28 : 0
            return first(ofMonth: 1) + day - 1 + leapDays
        case .ofMonth(let month, let week, let weekday):
            let first = first(ofMonth: month)
            // The first of January 1970 was a Thursday, the day with the number 4.
            let days = (weekday - 4 - first).flooredRemainder(by: 7) + (week - 1) * 7
            let exists = days < CivilTime.days(inMonth: month, of: year)
            return first + days - (exists ? 0 : 7)
        }
    }
}

// POSIX, "Environment Variables", TZ, with the longer times of RFC 9636, section 3.3.1, such as
// `CET-1CEST,M3.5.0,M10.5.0/3`: standard time and summer time, each with a name and, against
// intuition, the hours that clocks are behind UTC; then the days and times of the changes.
extension ZoneRule {
    /// Creates the rule that a text defines; nil if it defines none.
    init?(parsing text: some Sequence<UInt8>) {
        var reader = RuleReader(rest: ArraySlice(Array(text)))
        guard let rule = reader.rule(), reader.rest.isEmpty else { return nil }
        self = rule
    }
}

private struct RuleReader {
    var rest: ArraySlice<UInt8>

    mutating func rule() -> ZoneRule? {
        guard skipName(), let standard = offset() else { return nil }
        guard !rest.isEmpty else { return ZoneRule(standard: standard) }
        guard skipName() else { return nil }
        let isPlain = rest.first == UInt8(ascii: ",")
        guard let offset = isPlain ? standard + 3600 : offset(), skip(","), let start = moment(),
            skip(","), let end = moment()
        else { return nil }
        let summer = ZoneRule.Summer(offset: offset, start: start, end: end)
        return ZoneRule(standard: standard, summer: summer)
    }

    /// Skips a name: at least three letters, or with digits and signs between angle brackets.
    private mutating func skipName() -> Bool {
        let isQuoted = skip("<")
        let name = rest.prefix {
            $0.isLetter || isQuoted && ($0.digit != nil || "+-".utf8.contains($0))
        }
        rest = rest.dropFirst(name.count)
        return name.count >= 3 && (!isQuoted || skip(">"))
    }

    /// Reads an offset, negated to the seconds that clocks are ahead of UTC.
    private mutating func offset() -> Int32? { time(hours: 0...24).map { -$0 } }

    private mutating func moment() -> ZoneRule.Moment? {
        guard let day = day() else { return nil }
        guard skip("/") else { return ZoneRule.Moment(day: day, time: 7200) }
        return time(hours: 0...167).map { ZoneRule.Moment(day: day, time: $0) }
    }

    private mutating func day() -> ZoneRule.Day? {
        if skip("J") { return number(in: 1...365).map { .ofCommonYear(Int($0)) } }
        guard skip("M") else { return number(in: 0...365).map { .ofYear(Int($0)) } }
        guard let month = number(in: 1...12), skip("."), let week = number(in: 1...5), skip("."),
            let weekday = number(in: 0...6)
        else { return nil }
        return .ofMonth(Int(month), week: Int(week), weekday: Int(weekday))
    }

    /// Reads hours, and optional minutes and seconds, in seconds.
    private mutating func time(hours: ClosedRange<Int32>) -> Int32? {
        let sign: Int32 = skip("-") ? -1 : 1
        if sign > 0 { _ = skip("+") }
        guard var seconds = number(in: hours).map({ $0 * 3600 }) else { return nil }
        for unit: Int32 in [60, 1] where skip(":") {
            guard let count = number(in: 0...59) else { return nil }
            seconds += count * unit
        }
        return sign * seconds
    }

    private mutating func number(in range: ClosedRange<Int32>) -> Int32? {
        let digits = rest.prefix(3).prefix { $0.digit != nil }
        rest = rest.dropFirst(digits.count)
        let number = digits.reduce(Int32(0)) { $0 * 10 + ($1.digit ?? 0) }
        return !digits.isEmpty && range.contains(number) ? number : nil
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        let lowercase = self | 0x20
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercase)
    }

    fileprivate var digit: Int32? {
        let value = self &- UInt8(ascii: "0")
        return value < 10 ? Int32(value) : nil
    }
}
