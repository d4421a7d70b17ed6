public import PopCEL

/// A period of the calendar in which a popup may show; with several, it may show while one is open.
public struct Schedule: Sendable, Equatable {
    /// The days of the week, Monday first.
    public enum Weekday: Int, Sendable, Hashable, CaseIterable {
        /// Raw values are the days after Monday, 0 to 6.
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }

    /// A part of the day, in minutes since midnight on the zone's clock. If it ends before it
    /// starts, it spans midnight.
    public struct Hours: Sendable, Hashable {
        /// 0 to 1439.
        public var from: Int
        /// 1 to 1440, not included.
        public var until: Int

        /// A part of the day, in minutes; nothing is checked.
        public init(from: Int, until: Int) {
            self.from = from
            self.until = until
        }
    }

    /// A point in time as written.
    public enum Bound: Sendable, Hashable {
        /// The same point in time in every zone.
        case moment(Timestamp)
        /// The midnight that begins a day on the clocks of the zone, in days since 1970-01-01.
        case day(Int)
        /// A clock time of the zone, in seconds since the clock time 1970-01-01T00:00:00.
        case reading(Int64)
    }

    /// Included; nil for always until then.
    public var from: Bound?
    /// Not included; nil for always from then on.
    public var until: Bound?
    /// Nil for every day. A part of the day that spans midnight belongs to the day on which it
    /// starts.
    public var days: Set<Weekday>?
    /// Nil for the whole day.
    public var hours: Hours?
    /// The time zone of bounds, days and hours.
    public var zone: Zone
    /// An additional condition that must be true; nil for none.
    public var when: Condition?

    /// Creates a schedule that is always open, in UTC, unless bounds are given.
    public init(
        from: Bound? = nil, until: Bound? = nil, days: Set<Weekday>? = nil,
        hours: Hours? = nil, zone: Zone = .utc, when: Condition? = nil
    ) {
        self.from = from
        self.until = until
        self.days = days
        self.hours = hours
        self.zone = zone
        self.when = when
    }
}

/// The time zone by which a time is read.
public enum Zone: Sendable, Hashable {
    /// An IANA name such as `Europe/Berlin`, or an offset such as `+02:00`.
    case named(String)
    /// The host's zone, set by `Event.zoneChanged`; UTC until then.
    case local
    /// The zone named by the value of a context key; the host's while the value isn't the name of a
    /// zone.
    case key(KeyIndex)

    /// The zone if none is named.
    public static let utc = Zone.named("UTC")
}

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

/// A time in which quiet hours neither begin nor end. It is kept for all checks within it, because
/// looking up quiet hours in a time zone takes longer than most verdicts.
struct QuietSpan: Sendable {
    let begins: Timestamp
    /// Not included; nil if quiet hours never change.
    let ends: Timestamp?
    /// True if the span is within quiet hours.
    let isQuiet: Bool

    func includes(_ date: Timestamp) -> Bool {
        begins <= date && ends.map { date < $0 } ?? true
    }
}
