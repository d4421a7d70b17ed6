package import PopCEL

/// A period of the calendar in which a cap counts; the raw values are the words in rule files and
/// bundles.
public enum CalendarUnit: String, Sendable, Hashable, CaseIterable {
    /// Since midnight of the zone's day.
    case day = "calendar_day"
    /// Since midnight of the zone's Monday.
    case week = "calendar_week"
    /// Since midnight of the first of the zone's month.
    case month = "calendar_month"

    /// The unit without the calendar, such as `day`.
    public var noun: String { String(rawValue.dropFirst("calendar_".count)) }

    /// The number of days in the shortest and the longest such unit.
    package var days: ClosedRange<Int> {
        switch self {
        case .day: 1...1
        case .week: 7...7
        case .month: 28...31
        }
    }

    /// The number of hours in the shortest and the longest such unit: clocks may be put forward or
    /// back within it.
    package var hours: ClosedRange<Int> { days.lowerBound * 24 - 1...days.upperBound * 24 + 1 }

    /// The maximum time to look back: a day more than its days, because of other zones.
    var reach: Duration { .seconds((days.upperBound + 1) * 24 * 3600) }
}

extension LocalCalendar {
    /// Returns the instant at which the unit began that contains an instant.
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
