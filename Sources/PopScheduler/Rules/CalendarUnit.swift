package import PopCEL

/// A period of the calendar in which a cap counts, by the word that rule files and bundles write.
public enum CalendarUnit: String, Sendable, Hashable, CaseIterable {
    /// Since midnight of the zone's day.
    case day = "calendar_day"
    /// Since midnight of the zone's Monday.
    case week = "calendar_week"
    /// Since midnight of the first of the zone's month.
    case month = "calendar_month"

    /// The unit without the calendar, such as `day`.
    public var noun: String { String(rawValue.dropFirst("calendar_".count)) }

    /// The days that the shortest and the longest of them have.
    package var days: ClosedRange<Int> {
        switch self {
        case .day: 1...1
        case .week: 7...7
        case .month: 28...31
        }
    }

    /// The hours that the shortest and the longest of them have: clocks may be put forward or back
    /// in it.
    package var hours: ClosedRange<Int> { days.lowerBound * 24 - 1...days.upperBound * 24 + 1 }

    /// How far back one may look: a day further than its days, for another zone.
    var reach: Duration { .seconds((days.upperBound + 1) * 24 * 3600) }
}

extension LocalCalendar {
    /// The instant at which the unit began that an instant lies in.
    package func start(of unit: CalendarUnit, at instant: Timestamp) -> Timestamp {
        switch unit {
        case .day: startOfDay(at: instant)
        case .week: startOfWeek(at: instant)
        case .month: startOfMonth(at: instant)
        }
    }

    /// The instant at which the next unit begins.
    func nextStart(of unit: CalendarUnit, after instant: Timestamp) -> Timestamp {
        var midnight = instant
        for _ in 0...unit.days.upperBound {
            midnight = next(minuteOfDay: 0, after: midnight)
            if start(of: unit, at: midnight) > instant { break }
        }
        return midnight
    }
}
