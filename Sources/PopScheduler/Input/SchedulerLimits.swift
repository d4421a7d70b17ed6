/// The limits on what one scheduler waits for and remembers, so that nothing gets stuck or grows
/// without end.
public struct SchedulerLimits: Sendable, Hashable {
    /// The maximum time for `present` and `dismiss`; after that the scheduler continues and reports
    /// it.
    public var animationTimeout = Duration.seconds(10)
    /// The number of dates of one event that are kept for `event_count(name, duration)`; the oldest
    /// are removed first.
    public var datesPerEvent = 10_000
    /// The number of dates of one popup's impressions that are kept for its caps, or as many as a
    /// cap of the rules needs if that is more; the oldest are removed first.
    public var datesPerPopup = 10_000
    /// The maximum number of hand-made popups in the queues at a time.
    public var foreignPopups = 1_000

    /// The standard limits, to change one by one.
    public init() {}

    /// The limits of a scheduler that is made without other limits.
    public static let standard = SchedulerLimits()
}
