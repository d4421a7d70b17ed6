/// A frequency cap: at most `max` impressions per period.
public struct WindowCap: Sendable, Hashable {
    public enum Period: Sendable, Hashable {
        /// The time that ends now and is this long.
        case rolling(Duration)
        /// Since midnight of the zone's day.
        case calendarDay
        /// Since midnight of the zone's Monday.
        case calendarWeek
    }

    /// At least 1.
    public var max: Int
    public var per: Period

    public init(max: Int, per: Period) {
        self.max = max
        self.per = per
    }
}

/// The frequency caps of one popup. They count impressions.
public struct Caps: Sendable, Hashable {
    /// Over the whole history.
    public var lifetime: Int?
    /// Since the session began.
    public var perSession: Int?
    /// At most one within this time.
    public var every: Duration?
    public var windows: [WindowCap]

    public init(
        lifetime: Int? = nil, perSession: Int? = nil, every: Duration? = nil,
        windows: [WindowCap] = []
    ) {
        self.lifetime = lifetime
        self.perSession = perSession
        self.every = every
        self.windows = windows
    }

    public static let none = Caps()
}
