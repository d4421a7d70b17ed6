/// A frequency cap: at most `max` impressions per period.
public struct WindowCap: Sendable, Hashable {
    /// The time in which impressions are counted.
    public enum Period: Sendable, Hashable {
        /// The time that ends now and is this long.
        case rolling(Duration)
        /// The unit of the zone's calendar that it is now.
        case calendar(CalendarUnit)
        /// The time since the session began.
        case session
        /// All of the time, for each value of a context key by itself; missing is one too.
        case value(of: KeyIndex)
    }

    /// At least 1.
    public var max: Int
    /// What `max` counts in.
    public var per: Period
    /// Whose calendar it is, where `per` is a unit of one; nil is that of the popup's schedule, if
    /// all of it has one, and else UTC.
    public var zone: Zone?

    public init(max: Int, per: Period, zone: Zone? = nil) {
        self.max = max
        self.per = per
        self.zone = zone
    }
}

/// How long a popup stays away after what a person did with it.
public struct PauseAfterClose: Sendable, Hashable {
    /// After it was closed, or refused by an action that has no pause of its own.
    public var close: Duration
    /// After these actions, refusals or not.
    public var actions: [String: Duration]

    /// The same after closing and all refusals, unless actions are given.
    public init(_ close: Duration = .zero, actions: [String: Duration] = [:]) {
        self.close = close
        self.actions = actions
    }
}

/// The frequency caps of one popup. They count impressions, and what people did with it.
public struct Caps: Sendable, Hashable {
    /// Over the whole history.
    public var lifetime: Int?
    /// Since the session began.
    public var perSession: Int?
    /// At most one within this time.
    public var every: Duration?
    /// How often people may close or refuse it, over the whole history.
    public var closes: Int?
    /// The context key for each of whose values that is counted by itself; nil for none.
    public var closesPer: KeyIndex?
    /// How long it stays away after that; nil for not at all.
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

// What caps ask of a history.
extension WindowCap.Period {
    /// How far back it may look.
    package var reach: Duration {
        switch self {
        case .rolling(let duration): duration
        case .calendar(let unit): unit.reach
        case .session, .value: .zero
        }
    }
}

extension Caps {
    /// How far back the dates of impressions matter to one of them.
    package var reach: Duration {
        max(every ?? .zero, windows.map { $0.per.reach }.max() ?? .zero)
    }
}

extension WindowCap {
    /// The context key whose values it counts for; nil for a time.
    package var key: KeyIndex? {
        if case .value(let key) = per { key } else { nil }
    }
}

extension RuleSet {
    /// How far back the dates of impressions matter to a cap of a popup, group or scheduler.
    package var reachOfCaps: Duration {
        (caps.map { $0.reach } + sharedCaps.map { $0.per.reach }).max() ?? .zero
    }

    /// The caps that popups share: of groups, of schedulers, and over several of these.
    package var sharedCaps: [WindowCap] {
        groups.flatMap { $0.caps } + schedulers.compactMap { $0.cap } + limits.map { $0.cap }
    }
}
