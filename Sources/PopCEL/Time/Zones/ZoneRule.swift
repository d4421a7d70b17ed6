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
