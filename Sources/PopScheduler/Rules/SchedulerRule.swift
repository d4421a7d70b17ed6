/// An entry of `schedulers`: a lane that shows at most one popup at a time.
public struct SchedulerRule: Sendable, Hashable {
    /// The order of waiting tasks.
    public enum Strategy: String, Sendable, Hashable, CaseIterable {
        /// The oldest task comes first; priorities have no effect.
        case fifo
        /// The newest task comes first; priorities have no effect.
        case lifo
        /// The highest priority comes first, then the order of `TieBreak`; the default.
        case priority
    }

    /// The order among equal priorities.
    public enum TieBreak: String, Sendable, Hashable, CaseIterable {
        /// The oldest task comes first; the default.
        case fifo
        /// The newest task comes first.
        case lifo
    }

    /// Unique in the rule set; `main` is the scheduler of popups that name none.
    public var name: String
    /// The order of waiting tasks.
    public var strategy: Strategy
    /// The order among equal priorities; only under the strategy `priority`.
    public var tieBreak: TieBreak
    /// The pause of the scheduler after a dismissal: a new random one each time if the bounds
    /// differ.
    public var gap: ClosedRange<Duration>
    /// The maximum number of waiting tasks; nil for no bound.
    public var maxWaiting: Int?
    /// Counts the impressions of all popups of the scheduler.
    public var cap: WindowCap?

    /// Creates a scheduler that orders by priority, without gap, bound or cap, unless they are
    /// given.
    public init(
        name: String, strategy: Strategy = .priority, tieBreak: TieBreak = .fifo,
        gap: ClosedRange<Duration> = .zero ... .zero, maxWaiting: Int? = nil, cap: WindowCap? = nil
    ) {
        self.name = name
        self.strategy = strategy
        self.tieBreak = tieBreak
        self.gap = gap
        self.maxWaiting = maxWaiting
        self.cap = cap
    }
}
