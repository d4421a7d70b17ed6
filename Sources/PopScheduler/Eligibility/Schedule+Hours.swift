package import PopCEL

extension Schedule {
    /// Returns true if a date is on the days and in the hours of the schedule.
    package func includes(_ date: Timestamp, calendar: LocalCalendar) -> Bool {
        if days == nil, hours == nil { return true }
        let civil = calendar.civil(at: date)
        let today = civil.dayOfISOWeek
        guard let hours else { return includes(day: today) }
        let minute = civil.minuteOfDay
        if hours.from < hours.until {
            return minute >= hours.from && minute < hours.until && includes(day: today)
        }
        // The part of the night after midnight belongs to the day before.
        return minute >= hours.from && includes(day: today)
            || minute < hours.until && includes(day: (today + 6) % 7)
    }

    private func includes(day: Int) -> Bool {
        guard let days else { return true }
        return Weekday(rawValue: day).map(days.contains) ?? false
    }

    /// Returns the first later date at which `includes` changes; nil if it never changes.
    package func nextChange(after date: Timestamp, calendar: LocalCalendar) -> Timestamp? {
        if days == nil, hours == nil { return nil }
        let before = includes(date, calendar: calendar)
        let edges = hours.map { [$0.from, $0.until] } ?? [0]
        let today = calendar.civil(at: date).dayNumber
        // From yesterday, whose clock times may occur again, to the same weekday in two weeks:
        // everything repeats after a week, and clocks may skip a day.
        for day in (today - 1)...(today + 15) where mayChange(onDay: day) {
            var first = Timestamp.max
            for edge in edges {
                for change in calendar.dates(minuteOfDay: edge, onDay: day)
                where change > date && change < first
                    && includes(change, calendar: calendar) != before
                {
                    first = change
                }
            }
            if first < .max { return first }
        }
        return nil
    }

    /// Returns true if `includes` may change on a day, given in days since 1970-01-01.
    private func mayChange(onDay day: Int) -> Bool {
        // Hours that begin on the day before may last until a time of this day.
        let weekday = CivilTime.dayOfISOWeek(ofDay: day)
        return includes(day: weekday) || includes(day: (weekday + 6) % 7)
    }
}
