public import PopCEL
public import PopScheduler

/// What an engine gets from outside, each with a default that suits an app.
public struct EngineOptions: Sendable {
    /// What time it is.
    public var clock: any MomentClock = SystemClock()
    /// Draws gaps that lie between two bounds: the same seed gives the same gaps.
    public var seed = UInt64.random(in: 0...UInt64(Int64.max))
    /// By which schedules, calendar caps and conditions find the offset of a zone.
    public var timeZones: TimeZones = .system
    /// What the scheduler may wait for and remember.
    public var limits = SchedulerLimits.standard
    /// What the engine around it may keep and wait for.
    public var engineLimits = EngineLimits.standard
    /// Sees every event in order, for logs and metrics; runs off the main actor and holds up what
    /// comes next.
    public var observer: (@Sendable (EngineEvent) -> Void)?

    /// The system's clock and zones, a seed drawn anew, and the standard limits.
    public init() {}
}
