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
        var edges = days == nil ? [] : [0]
        if let hours { edges += [hours.from, hours.until] }
        var candidate = date
        // A week and a day has at most this many edges, and everything repeats after a week.
        for _ in 0..<(3 * 8) {
            let next = edges.map { calendar.next(minuteOfDay: $0, after: candidate) }.min()
            guard let next else { return nil }
            if includes(next, calendar: calendar) != before { return next }
            candidate = next
        }
        return nil
    }
}
