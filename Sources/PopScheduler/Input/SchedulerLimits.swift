/// What one scheduler may wait for and remember, so that nothing gets stuck or grows without end.
public struct SchedulerLimits: Sendable, Hashable {
    /// How long `present` and `dismiss` may take; after that the scheduler goes on and reports it.
    public var animationTimeout = Duration.seconds(10)
    /// How many dates of one event are kept for `event_count(name, duration)`; the oldest are
    /// forgotten first.
    public var datesPerEvent = 10_000
    /// How many dates of one popup's impressions are kept for its caps, or as many as a cap of the
    /// rules asks for when that is more; the oldest are forgotten first.
    public var datesPerPopup = 10_000
    /// How many hand-made popups may be in the queues at a time.
    public var foreignPopups = 1_000

    /// The standard limits, to change one by one.
    public init() {}

    /// What a scheduler is held to unless it is made with other limits.
    public static let standard = SchedulerLimits()
}
