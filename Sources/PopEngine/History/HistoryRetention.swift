public import PopCEL
internal import PopScheduler

/// Which dates a history has to keep so that the rules get the same answers. Counts are kept for
/// ever.
public struct HistoryRetention: Sendable, Hashable {
    /// Impressions before this date count for no cap.
    public var impressionsSince: Timestamp
    /// Events before this date count for no condition.
    public var eventsSince: Timestamp
    /// The number of dates that are kept per event and user; the latest dates are kept.
    public var datesPerEvent: Int
    /// The number of impression dates that are kept per popup and user; the latest dates are kept.
    public var datesPerPopup: Int

    /// The date for which the bounds were computed; nil if they apply to any store content.
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

    /// Creates the retention that keeps all that the rules can ask for at a date or later.
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

    /// Returns the retention moved back if the newest record is older than the date. So a clock
    /// that is ahead at one start doesn't erase records that are needed once the clock is right.
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
