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
        let caps =
            rules.popups.flatMap(\.caps.windows) + rules.groups.compactMap(\.cap)
            + rules.schedulers.compactMap(\.cap)
        let windows = rules.slots.compactMap { slot in
            if case .eventCount(_, let window) = slot { window } else { nil }
        }
        let longest = caps.map(\.per.longest) + rules.popups.compactMap(\.caps.every)
        impressionsSince = date.earlier(by: longest.max() ?? .zero)
        eventsSince = date.earlier(by: windows.max() ?? .zero)
        datesPerEvent = limits.datesPerEvent
        datesPerPopup = rules.datesPerPopup(atLeast: limits.datesPerPopup)
    }
}

extension WindowCap.Period {
    /// Calendar days and weeks with a day more, for the longest day of a zone and for another zone.
    fileprivate var longest: Duration {
        switch self {
        case .rolling(let duration): duration
        case .calendarDay: .seconds(2 * 24 * 3600)
        case .calendarWeek: .seconds(8 * 24 * 3600)
        }
    }
}

extension Timestamp {
    fileprivate func earlier(by duration: Duration) -> Timestamp { subtracting(duration) ?? .min }
}
