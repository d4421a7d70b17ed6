internal import PopCEL

extension WindowCap {
    /// Whether a cap has room for one more.
    enum Room: Sendable, Hashable {
        case some
        /// Not before that date; nil for not in this session, or for this value of a key.
        case none(opens: Timestamp?)
        /// There would be, were places not kept for others; by itself at that date, if at any.
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
        case .calendar(let unit):
            guard deciding >= calendar.start(of: unit, at: now) else { return nil }
            return calendar.nextStart(of: unit, after: now)
        case .session, .value: return nil
        }
    }
}

extension WindowCap.Period {
    /// Whether nothing that is counted has a date.
    fileprivate var isUndated: Bool {
        switch self {
        case .session, .value: true
        case .rolling, .calendar: false
        }
    }
}
