/// An entry of `schedulers`: a lane that shows at most one popup at a time.
public struct SchedulerRule: Sendable, Hashable {
    /// The order of waiting tasks.
    public enum Strategy: String, Sendable, Hashable, CaseIterable {
        case fifo
        case lifo
        case priority
    }

    /// The order among equal priorities.
    public enum TieBreak: String, Sendable, Hashable, CaseIterable {
        case fifo
        case lifo
    }

    public var name: String
    public var strategy: Strategy
    public var tieBreak: TieBreak
    /// How long the scheduler rests after a dismissal: drawn anew each time when the bounds differ.
    public var gap: ClosedRange<Duration>
    /// How many tasks may wait; nil for no bound.
    public var maxWaiting: Int?
    /// Counts the impressions of all popups of the scheduler.
    public var cap: WindowCap?

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
