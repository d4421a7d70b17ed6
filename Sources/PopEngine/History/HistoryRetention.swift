public import PopCEL
internal import PopScheduler

/// Which dates a history has to keep so that the rules get the same answers. Counts are kept for
/// ever.
public struct HistoryRetention: Sendable, Hashable {
    /// Impressions before this date count for no cap.
    public var impressionsSince: Timestamp
    /// Events before this date count for no condition.
    public var eventsSince: Timestamp
    /// How many dates of one event are kept for one user, the latest ones.
    public var datesPerEvent: Int
    /// How many dates of one popup's impressions are kept for one user, the latest ones.
    public var datesPerPopup: Int

    /// When the dates were worked out; nil if they hold whatever a store has.
    public var date: Timestamp?

    /// Bounds for what a store keeps; both kinds of bound hold.
    public init(
        impressionsSince: Timestamp, eventsSince: Timestamp, datesPerEvent: Int, datesPerPopup: Int
    ) {
        self.impressionsSince = impressionsSince
        self.eventsSince = eventsSince
        self.datesPerEvent = datesPerEvent
        self.datesPerPopup = datesPerPopup
    }

    /// What the rules can ask for at a date or later.
    init(_ rules: RuleSet, at date: Timestamp, limits: SchedulerLimits) {
        let windows = rules.slots.compactMap { $0.window }
        impressionsSince = date.earlier(by: rules.reachOfCaps)
        eventsSince = date.earlier(by: windows.max() ?? .zero)
        datesPerEvent = limits.datesPerEvent
        datesPerPopup = rules.datesPerPopup(atLeast: limits.datesPerPopup)
        self.date = date
    }

    /// The retention at a later date, under the same rules.
    func at(_ later: Timestamp) -> HistoryRetention {
        guard let date, date < later else { return self }
        let difference = later.duration(since: date)
        var next = self
        next.impressionsSince = impressionsSince.later(by: difference)
        next.eventsSince = eventsSince.later(by: difference)
        next.date = later
        return next
    }

    /// What holds if the newest record is of a date: a clock that is ahead at one start doesn't
    /// erase what is needed once it is right.
    public func asOf(newest: Timestamp) -> HistoryRetention {
        guard let date, newest < date else { return self }
        let difference = date.duration(since: newest)
        var earlier = self
        earlier.impressionsSince = impressionsSince.earlier(by: difference)
        earlier.eventsSince = eventsSince.earlier(by: difference)
        earlier.date = newest
        return earlier
    }
}

extension Timestamp {
    fileprivate func earlier(by duration: Duration) -> Timestamp { subtracting(duration) ?? .min }

    /// The earliest date stays: it keeps everything.
    fileprivate func later(by duration: Duration) -> Timestamp {
        self == .min ? self : adding(duration) ?? self
    }
}
