public import PopCEL

/// When a popup may show, by the calendar.
public struct Schedule: Sendable, Hashable {
    /// The days of the week, Monday first.
    public enum Weekday: Int, Sendable, Hashable, CaseIterable {
        /// Raw values are the days after Monday, 0 to 6.
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }

    /// A part of the day, in minutes since midnight on the zone's clock. One that ends before it
    /// starts spans midnight.
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

    /// Included.
    public var from: Timestamp?
    /// Not included.
    public var until: Timestamp?
    /// Nil for every day. A part of the day that spans midnight belongs to the day on which it
    /// starts.
    public var days: Set<Weekday>?
    /// Nil for the whole day.
    public var hours: Hours?
    /// An IANA zone name or an offset such as `+02:00`; nil for UTC. Also the zone of calendar
    /// caps.
    public var zone: String?

    /// Always, in UTC, unless bounds are given.
    public init(
        from: Timestamp? = nil, until: Timestamp? = nil, days: Set<Weekday>? = nil,
        hours: Hours? = nil, zone: String? = nil
    ) {
        self.from = from
        self.until = until
        self.days = days
        self.hours = hours
        self.zone = zone
    }
}

/// Shows a popup to a part of the users: always the same ones for the same salt.
public struct Rollout: Sendable, Hashable {
    /// 0 to 100.
    public var percent: Double
    /// The context key whose value tells users apart.
    public var key: KeyIndex
    /// Changing it draws other users.
    public var salt: String

    /// A share of the users, told apart by a context key; nothing is checked.
    public init(percent: Double, key: KeyIndex, salt: String) {
        self.percent = percent
        self.key = key
        self.salt = salt
    }
}
