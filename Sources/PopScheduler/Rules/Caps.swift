package import PopCEL

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

extension RuleSet {
    /// Returns the number of dates of one popup's impressions that the caps may need. Each
    /// presentation that may still fail takes one more.
    package func datesPerPopup(atLeast least: Int) -> Int {
        let windows = (caps.flatMap { $0.windows } + sharedCaps).filter { $0.key == nil }
        let most = (windows.map { $0.max }.max() ?? 0).addingReportingOverflow(schedulers.count + 1)
        return max(least, most.overflow ? .max : most.partialValue)
    }
}

extension WindowCap {
    /// The room of a cap for one more impression.
    enum Room: Sendable, Hashable {
        case some
        /// No room before that date; nil for the rest of this session, or for this value of a key.
        case none(opens: Timestamp?)
        /// Only reserved places use up the room; it opens by itself at that date, or never if nil.
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

    /// Returns the date at which the cap allows another impression; nil if it allows one now.
    ///
    /// `dates` are the dates of the impressions, ascending. Dates later than now count too, so that
    /// no cap is exceeded after the calendar was set back. Logarithmic in their number.
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
    /// True if the counts of the period have no dates.
    fileprivate var isUndated: Bool {
        switch self {
        case .session, .value: true
        case .rolling, .calendar: false
        }
    }
}

extension PauseAfterClose {
    /// Returns the date until which the popup is suppressed after the given actions of users; nil
    /// if none of them causes a pause. `declared` contains the actions that its template declares.
    func ends(after done: [String: History.Action], declared: [TemplateRule.Action]) -> Timestamp? {
        var end: Timestamp?
        for (name, action) in done {
            guard let pause = pause(after: name, declared: declared) else { continue }
            let over = action.last.advanced(by: pause)
            end = max(end ?? over, over)
        }
        return end
    }

    private func pause(after name: String, declared: [TemplateRule.Action]) -> Duration? {
        if let pause = actions[name] { return pause }
        let counts =
            name == TemplateRule.Action.close
            || declared.contains { $0.name == name && $0.isRefusal }
        return counts ? close : nil
    }
}

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

/// A selection of popups by scheduler and tag.
public struct PopupSelection: Sendable, Hashable {
    /// The schedulers whose popups are selected; empty for all.
    public var schedulers: [LaneIndex]
    /// The tags of which selected popups have at least one; empty for all.
    public var tags: [String]

    /// Creates a selection of all popups unless schedulers or tags are given.
    public init(schedulers: [LaneIndex] = [], tags: [String] = []) {
        self.schedulers = schedulers
        self.tags = tags
    }
}

extension PopupSelection {
    /// True if all popups are selected, including popups that the rules no longer have.
    var isAll: Bool { schedulers.isEmpty && tags.isEmpty }

    /// Returns true if popups of a scheduler that have these tags are selected.
    package func includes(_ lane: LaneIndex, tags: [String]) -> Bool {
        (schedulers.isEmpty || schedulers.contains(lane))
            && (self.tags.isEmpty || self.tags.contains { tags.contains($0) })
    }

    /// Returns true if all popups of another selection are in this one.
    package func covers(_ other: PopupSelection) -> Bool {
        func covers<Name: Hashable>(_ own: [Name], others: [Name]) -> Bool {
            own.isEmpty || !others.isEmpty && Set(others).isSubset(of: own)
        }
        return covers(schedulers, others: other.schedulers) && covers(tags, others: other.tags)
    }
}

extension RuleSet {
    /// True if there are no more caps than rule files may have.
    package var isWithinBoundsOfCaps: Bool {
        limits.count <= RuleBounds.caps && groups.allSatisfy { $0.caps.count <= RuleBounds.caps }
            && popups.allSatisfy { $0.caps.windows.count <= RuleBounds.caps }
            && selectionSteps <= RuleBounds.selectionSteps
    }

    /// The number of steps to find the popups to which each of `limits` applies: every tag and
    /// scheduler of a limit is compared with every tag of a popup, and with every scheduler.
    package var selectionSteps: Int {
        let ofLimits = limits.reduce(0) {
            $0 + 1 + $1.popups.tags.count + $1.popups.schedulers.count
        }
        guard ofLimits > 0 else { return 0 }
        return ofLimits * popups.reduce(schedulers.count) { $0 + 1 + $1.texts.tags.count }
    }
}

/// The section `quiet`: a part of each day in which only essential popups are shown.
public struct QuietRule: Sendable, Hashable {
    /// The part of the day.
    public var hours: Schedule.Hours
    /// The time zone of the hours.
    public var zone: Zone
    /// The popups that are not shown in these hours.
    public var popups: PopupSelection

    /// Creates quiet hours for all popups, in the time zone of the host, unless others are given.
    public init(
        _ hours: Schedule.Hours, zone: Zone = .local, popups: PopupSelection = PopupSelection()
    ) {
        self.hours = hours
        self.zone = zone
        self.popups = popups
    }
}

/// An entry of `limits`: a cap that the popups of several schedulers share.
public struct LimitRule: Sendable, Hashable {
    /// Counts the impressions of all popups of the limit.
    public var cap: WindowCap
    /// The popups to which the limit applies.
    public var popups: PopupSelection

    /// Creates a cap over all popups unless some are given.
    public init(_ cap: WindowCap, popups: PopupSelection = PopupSelection()) {
        self.cap = cap
        self.popups = popups
    }
}
