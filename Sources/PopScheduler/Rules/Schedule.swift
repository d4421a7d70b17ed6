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

/// Shows a popup to a part of the users: always the same users for the same salt.
public struct Rollout: Sendable, Hashable {
    /// A part of the users from a date on.
    public struct Step: Sendable, Hashable {
        /// Included.
        public var begins: Timestamp
        /// 0 to 100.
        public var percent: Double

        /// A part of the users from a date on; nothing is checked.
        public init(begins: Timestamp, percent: Double) {
            self.begins = begins
            self.percent = percent
        }
    }

    /// The part of all users who see the popup.
    public enum Share: Sendable, Hashable {
        /// A part of the hundred percent of all users, its upper bound not included.
        case range(Range<Double>)
        /// The first part of the users, of the given percentages, by dates in ascending order; no
        /// user before the first date.
        case steps([Step])
    }

    /// The part of the users who see the popup.
    public var share: Share
    /// The context key whose value identifies the user.
    public var key: KeyIndex
    /// Another salt assigns other users.
    public var salt: String

    /// Creates a share of the users, identified by a context key; nothing is checked.
    public init(share: Share, key: KeyIndex, salt: String) {
        self.share = share
        self.key = key
        self.salt = salt
    }
}
