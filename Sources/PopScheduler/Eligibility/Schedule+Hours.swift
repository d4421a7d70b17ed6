package import PopCEL

extension Schedule {
    /// Whether a date lies on the days and in the hours.
    package func includes(_ date: Timestamp, calendar: LocalCalendar) -> Bool {
        if days == nil, hours == nil { return true }
        let civil = calendar.civil(at: date)
        let today = civil.dayOfISOWeek
        guard let hours else { return includes(day: today) }
        let minute = civil.minuteOfDay
        if hours.from < hours.until {
            return minute >= hours.from && minute < hours.until && includes(day: today)
        }
        // The part of the night behind midnight belongs to the day before.
        return minute >= hours.from && includes(day: today)
            || minute < hours.until && includes(day: (today + 6) % 7)
    }

    private func includes(day: Int) -> Bool {
        guard let days else { return true }
        return Weekday(rawValue: day).map(days.contains) ?? false
    }

    /// The first date after another at which `includes` changes; nil when it never does.
    package func nextChange(after date: Timestamp, calendar: LocalCalendar) -> Timestamp? {
        if days == nil, hours == nil { return nil }
        let before = includes(date, calendar: calendar)
        let edges = hours.map { [$0.from, $0.until] } ?? [0]
        let today = calendar.civil(at: date).dayNumber
        // From yesterday, whose readings may come again, to the same day of the week after next:
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

    /// Whether it may begin or end on a day, given in days since 1970-01-01.
    private func mayChange(onDay day: Int) -> Bool {
        // Hours that begin on the day before may last until a time of this day.
        let weekday = CivilTime.dayOfISOWeek(ofDay: day)
        return includes(day: weekday) || includes(day: (weekday + 6) % 7)
    }
}
