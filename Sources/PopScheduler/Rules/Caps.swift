/// A frequency cap: at most `max` impressions per period.
public struct WindowCap: Sendable, Hashable {
    /// The time in which impressions are counted.
    public enum Period: Sendable, Hashable {
        /// The time that ends now and is this long.
        case rolling(Duration)
        /// The unit of the zone's calendar that it is now.
        case calendar(CalendarUnit)
    }

    /// At least 1.
    public var max: Int
    /// What `max` counts in.
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
    /// Caps per period, all of which hold.
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

    /// No caps.
    public init() { windows = [] }

    /// No cap: shown as often as its triggers fire.
    public static let none = Caps()
}

// What caps ask of a history.
extension WindowCap.Period {
    /// How far back it may look.
    package var reach: Duration {
        switch self {
        case .rolling(let duration): duration
        case .calendar(let unit): unit.reach
        }
    }
}

extension Caps {
    /// How far back the dates of impressions matter to one of them.
    package var reach: Duration {
        max(every ?? .zero, windows.map { $0.per.reach }.max() ?? .zero)
    }
}

extension RuleSet {
    /// How far back the dates of impressions matter to a cap of a popup, group or scheduler.
    package var reachOfCaps: Duration {
        let shared = (groups.compactMap { $0.cap } + schedulers.compactMap { $0.cap }).map {
            $0.per.reach
        }
        return (popups.map { $0.caps.reach } + shared).max() ?? .zero
    }
}
