internal import PopCEL

extension WindowCap {
    /// The room of a cap for one more impression.
    enum Room: Sendable, Hashable {
        case some
        /// No room before that date; nil for the rest of this session, or for this value of a key.
        case none(opens: Timestamp?)
        /// Only reserved places use up the room; it opens by itself at that date, or never if nil.
        case reserved(opens: Timestamp?)
    }

    func room(for counted: CappedDates, now: Timestamp, calendar: LocalCalendar) -> Room {
        if per.isUndated {
            if counted.inSession >= max { return .none(opens: nil) }
            return counted.inSession + counted.reserved >= max ? .reserved(opens: nil) : .some
        }
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

    /// Returns the date at which the cap allows another impression; nil if it allows one now.
    ///
    /// `dates` are the dates of the impressions, ascending. Dates later than now count too, so that
    /// no cap is exceeded after the calendar was set back. Logarithmic in their number.
    func opens(_ dates: [Timestamp], now: Timestamp, calendar: LocalCalendar) -> Timestamp? {
        guard dates.count >= max else { return nil }
        let deciding = dates[dates.count - max]
        switch per {
        case .rolling(let duration):
            let end = deciding.advanced(by: duration)
            return end > now ? end : nil
        case .calendar(let unit):
            guard deciding >= calendar.start(of: unit, at: now) else { return nil }
            return calendar.nextStart(of: unit, after: now)
        case .session, .value: return nil
        }
    }
}

extension WindowCap.Period {
    /// True if the counts of the period have no dates.
    fileprivate var isUndated: Bool {
        switch self {
        case .session, .value: true
        case .rolling, .calendar: false
        }
    }
}
