/// An entry of `schedulers`: a lane that shows at most one popup at a time.
public struct SchedulerRule: Sendable, Hashable {
    /// The order of waiting tasks.
    public enum Strategy: String, Sendable, Hashable, CaseIterable {
        /// The task that was made first goes first; priorities have no effect.
        case fifo
        /// The task that was made last goes first; priorities have no effect.
        case lifo
        /// The highest priority goes first, then as `TieBreak` says; the default.
        case priority
    }

    /// The order among equal priorities.
    public enum TieBreak: String, Sendable, Hashable, CaseIterable {
        /// The task that was made first goes first; the default.
        case fifo
        /// The task that was made last goes first.
        case lifo
    }

    /// Unique in the rule set; `main` is the one of popups that name none.
    public var name: String
    /// The order of waiting tasks.
    public var strategy: Strategy
    /// The order among equal priorities; only under the strategy `priority`.
    public var tieBreak: TieBreak
    /// How long the scheduler rests after a dismissal: drawn anew each time when the bounds differ.
    public var gap: ClosedRange<Duration>
    /// How many tasks may wait; nil for no bound.
    public var maxWaiting: Int?
    /// Counts the impressions of all popups of the scheduler.
    public var cap: WindowCap?

    /// By priority, without gap, bound or cap, unless they are given.
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
