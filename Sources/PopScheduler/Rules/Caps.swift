/// A frequency cap: at most `max` impressions per period.
public struct WindowCap: Sendable, Hashable {
    /// The period in which impressions are counted.
    public enum Period: Sendable, Hashable {
        /// The period of this length that ends now.
        case rolling(Duration)
        /// The current unit of the zone's calendar.
        case calendar(CalendarUnit)
        /// The time since the session began.
        case session
        /// All time, for each value of a context key separately; a missing value counts as a value.
        case value(of: KeyIndex)
    }

    /// At least 1.
    public var max: Int
    /// The period in which `max` counts.
    public var per: Period
    /// The zone of the calendar if `per` is a unit of it. Nil for the zone of the popup's schedule,
    /// if all entries have the same, or else UTC.
    public var zone: Zone?

    public init(max: Int, per: Period, zone: Zone? = nil) {
        self.max = max
        self.per = per
        self.zone = zone
    }
}

/// The time for which a popup is suppressed after an action of the user on it.
public struct PauseAfterClose: Sendable, Hashable {
    /// The pause after it was closed, or refused by an action that has no pause of its own.
    public var close: Duration
    /// The pauses after these actions, refusals or not.
    public var actions: [String: Duration]

    /// Creates the same pause after closing and all refusals, unless actions are given.
    public init(_ close: Duration = .zero, actions: [String: Duration] = [:]) {
        self.close = close
        self.actions = actions
    }
}

/// The frequency caps of one popup. They count impressions, and actions of the user on it.
public struct Caps: Sendable, Hashable {
    /// The maximum number of impressions in the whole history.
    public var lifetime: Int?
    /// The maximum number of impressions since the session began.
    public var perSession: Int?
    /// The period within which at most one impression is allowed.
    public var every: Duration?
    /// The maximum number of times that the user may close or refuse it, in the whole history.
    public var closes: Int?
    /// The context key for each of whose values `closes` counts separately; nil for none.
    public var closesPer: KeyIndex?
    /// The time for which it is suppressed after that; nil for none.
    public var afterClose: PauseAfterClose?
    /// Caps per period, all of which hold.
    public var windows: [WindowCap]

    public init(
        lifetime: Int? = nil, perSession: Int? = nil, every: Duration? = nil,
        closes: Int? = nil, afterClose: PauseAfterClose? = nil, windows: [WindowCap] = []
    ) {
        self.lifetime = lifetime
        self.perSession = perSession
        self.every = every
        self.closes = closes
        self.afterClose = afterClose
        self.windows = windows
    }

    /// No caps.
    public init() { windows = [] }

    /// No cap: shown as often as its triggers fire.
    public static let none = Caps()
}

// The parts of a history that caps need.
extension WindowCap.Period {
    /// The maximum time that the cap looks back.
    package var reach: Duration {
        switch self {
        case .rolling(let duration): duration
        case .calendar(let unit): unit.reach
        case .session, .value: .zero
        }
    }
}

extension Caps {
    /// The maximum age at which dates of impressions matter to one of the caps.
    package var reach: Duration {
        max(every ?? .zero, windows.map { $0.per.reach }.max() ?? .zero)
    }
}

extension WindowCap {
    /// The context key whose values the cap counts for; nil if it counts per period.
    package var key: KeyIndex? {
        if case .value(let key) = per { key } else { nil }
    }
}

extension RuleSet {
    /// The maximum age at which dates of impressions matter to a cap of a popup, group or
    /// scheduler.
    package var reachOfCaps: Duration {
        (caps.map { $0.reach } + sharedCaps.map { $0.per.reach }).max() ?? .zero
    }

    /// The caps that popups share: caps of groups, of schedulers, and of `limits`.
    package var sharedCaps: [WindowCap] {
        groups.flatMap { $0.caps } + schedulers.compactMap { $0.cap } + limits.map { $0.cap }
    }
}
