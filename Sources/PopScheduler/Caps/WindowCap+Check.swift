internal import PopCEL

extension WindowCap {
    /// Whether a cap has room for one more.
    enum Room: Sendable, Hashable {
        case some
        /// Not before that date.
        case none(opens: Timestamp)
        /// There would be, were places not kept for others; by itself at that date, if at any.
        case reserved(opens: Timestamp?)
    }

    func room(for counted: CappedDates, now: Timestamp, calendar: LocalCalendar) -> Room {
        if let opens = opens(counted.dates, now: now, calendar: calendar) {
            return .none(opens: opens)
        }
        if counted.reserved == 0 { return .some }
        var rest = self
        rest.max -= counted.reserved
        if rest.max <= 0 { return .reserved(opens: nil) }
        let opens = rest.opens(counted.dates, now: now, calendar: calendar)
        return opens.map { .reserved(opens: $0) } ?? .some
    }

    /// The date at which the cap allows another impression; nil when it does so now.
    ///
    /// `dates` are those of the impressions, ascending. Later ones than now count too, so that a
    /// calendar that was set back lets no cap be exceeded. Logarithmic in their number.
    func opens(_ dates: [Timestamp], now: Timestamp, calendar: LocalCalendar) -> Timestamp? {
        guard dates.count >= max else { return nil }
        let deciding = dates[dates.count - max]
        switch per {
        case .rolling(let duration):
            let end = deciding.advanced(by: duration)
            return end > now ? end : nil
        case .calendarDay:
            guard deciding >= calendar.startOfDay(at: now) else { return nil }
            return calendar.next(minuteOfDay: 0, after: now)
        case .calendarWeek:
            guard deciding >= calendar.startOfWeek(at: now) else { return nil }
            return calendar.nextMonday(after: now)
        }
    }
}

extension LocalCalendar {
    fileprivate func nextMonday(after now: Timestamp) -> Timestamp {
        var midnight = now
        for _ in 0..<8 {
            midnight = next(minuteOfDay: 0, after: midnight)
            if civil(at: midnight).dayOfISOWeek == 0 { break }
        }
        return midnight
    }
}
