/// How the clocks of a zone change every year, as the last line of a TZif file says it.
struct ZoneRule: Sendable, Hashable {
    /// The seconds that clocks are ahead of UTC when they are not put forward.
    var standard: Int32
    var summer: Summer?

    /// The time of the year at which clocks are put forward; in Ireland, by law, back in winter.
    struct Summer: Sendable, Hashable {
        /// The seconds that clocks are then ahead of UTC.
        var offset: Int32
        var start: Moment
        var end: Moment
    }

    /// A moment of every year, read on the clocks as they are until then.
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
        /// A month, the number of the week in it, 5 for the last, and a day of the week, 0 for
        /// Sunday.
        case ofMonth(Int, week: Int, weekday: Int)
    }

    /// The calendar, days of the week included, repeats after as many seconds.
    private static let fourCenturies = 146_097 * CivilTime.secondsPerDay

    /// The seconds that clocks are ahead of UTC at an instant in seconds since 1970.
    func offset(at seconds: Int64) -> Int32 {
        guard let summer else { return standard }
        let instant = seconds.flooredRemainder(by: Self.fourCenturies)
        let year = CivilTime(seconds: instant).year
        var offset = standard
        var latest = Int64.min
        // A change may lie up to a week and a day beyond the year that it belongs to. Where the
        // end falls together with the next start, summer time goes on.
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
    /// What the clocks then read, in seconds since 1970 began on them.
    fileprivate func reading(in year: Int) -> Int64 {
        Int64(day.number(in: year)) * CivilTime.secondsPerDay + Int64(time)
    }
}

extension ZoneRule.Day {
    /// The days since 1970-01-01.
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
