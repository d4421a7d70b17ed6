public import PopCEL
public import PopScheduler

/// What an engine gets from outside, each with a default that suits an app.
public struct EngineOptions: Sendable {
    /// What time it is.
    public var clock: any MomentClock = SystemClock()
    /// Draws gaps that lie between two bounds: the same seed gives the same gaps.
    public var seed = UInt64.random(in: .min ... .max)
    public var timeZones: any TimeZones = SystemTimeZones()
    public var limits = SchedulerLimits.standard
    /// Whether the engine calls `start` by itself at the main actor's next turn, so that the code behind its `init` can
    /// fill the context before.
    public var startsByItself = true
    /// Sees every event in order, for logs and metrics; runs off the main actor and holds up what comes next.
    public var observer: (@Sendable (EngineEvent) -> Void)?

    public init() {}
}
