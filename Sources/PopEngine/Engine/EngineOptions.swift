public import PopCEL
public import PopScheduler

/// The options of an engine, each with a default that suits an app.
public struct EngineOptions: Sendable {
    /// The clock of the engine.
    public var clock: any MomentClock = SystemClock()
    /// The seed for gaps between two bounds: the same seed gives the same gaps.
    public var seed = UInt64.random(in: 0...UInt64(Int64.max))
    /// By which schedules, calendar caps and conditions find the offset of a zone.
    public var timeZones: TimeZones = .system
    /// The limits of what the scheduler may wait for and remember.
    public var limits = SchedulerLimits.standard
    /// The limits of what the engine around the scheduler may keep and wait for.
    public var engineLimits = EngineLimits.standard
    /// Sees every event in order, for logs and metrics; runs off the main actor and holds up what
    /// comes next.
    public var observer: (@Sendable (EngineEvent) -> Void)?

    /// Creates options with the system's clock and zones, a random seed, and the standard limits.
    public init() {}
}
