public import PopCEL
public import PopScheduler

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The options of an engine, each with a default that suits an app.
public struct EngineOptions: Sendable {
    /// The clock of the engine.
    public var clock: any MomentClock = SystemClock()
    /// The seed for gaps between two bounds: the same seed gives the same gaps.
    public var seed = UInt64.random(in: 0...UInt64(Int64.max))
    /// The time zones in which schedules, calendar caps and conditions look up the offset of a
    /// zone.
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

/// The limits of what one engine may keep and how long it waits, so that nothing grows without
/// bound or hangs silently.
public struct EngineLimits: Sendable, Hashable {
    /// The maximum number of events and presenter calls that wait for a slow observer, store or
    /// main actor. Beyond it, events that don't concern a popup on the screen are left out, and
    /// that is reported.
    public var waitingWork = 10_000
    /// The maximum number of records that wait for a store that is slow or fails; the oldest are
    /// given up first, and that is reported.
    public var unsavedRecords = 10_000
    /// The number of records between two prunings of a store, which remove the dates that no rule
    /// needs anymore. A store is also pruned when rules come into force.
    public var recordsBetweenPrunings = 4_000
    /// Users whose removal waits for a store that fails; `forget` of one more throws
    /// `TooManyRemovals`, which is reported as an event too.
    public var unsavedRemovals = 10_000
    /// The maximum number of calls that wait while rules are loaded or the user is switched;
    /// further callers are blocked until that is done.
    public var waitingCalls = 10_000
    /// The pause after a failure of the store in which it isn't called: a store whose calls are
    /// slow must not delay every popup.
    public var storePause = Duration.seconds(5)
    /// The number of former users who are kept in memory; the histories of others are read from the
    /// store again.
    public var formerUsers = 32
    /// The time that the main actor and the store have to answer a question, and the app to call
    /// `start`, before a problem is reported. Popups then continue without the store, and if it
    /// doesn't answer for a user, the user begins with an empty history.
    public var silence = Duration.seconds(10)
    /// The least time by which an answer `postpone` delays a popup, even if it is zero or negative:
    /// if it were asked again immediately, one popup would block all others of its scheduler.
    public var shortestPostponement = Duration.milliseconds(100)
    /// The maximum nesting depth of lists and maps, in the context and in payloads.
    public var valueDepth = 64
    /// The maximum number of times that a change of the context is retried because of a concurrent
    /// change.
    public var contextAttempts = 1_000
    /// The maximum number of scheduler inputs that a recording keeps; it counts the others.
    public var recordedInputs = 10_000
    /// The maximum number of different remarks on calls that are reported; each is reported once.
    public var remarks = 1_000

    /// The standard limits, to change one by one.
    public init() {}

    /// The limits of an engine unless its options set others.
    public static let standard = EngineLimits()
}

/// Provides an engine with the time, and wakes it.
public protocol MomentClock: Sendable {
    /// Its `instant` never goes back. Asked while the engine is locked: it must not call the
    /// engine.
    var now: Moment { get }

    /// Returns when the instant of `now` has come. Throws when the task is cancelled.
    func sleep(until instant: Duration) async throws
}

/// The clocks of the system: a clock that continues while the machine sleeps for timers, the
/// calendar for dates.
public struct SystemClock: MomentClock {
    private let start = ContinuousClock.now
    /// Longer sleeps are split into parts: a cancelled sleep may keep its memory until its time is
    /// over.
    private static let longestSleep = Duration.seconds(300)

    /// Counts instants from now on, on a clock that continues while the device sleeps.
    public init() {}

    public var now: Moment {
        Moment(instant: start.duration(to: .now), date: Timestamp(Date.now))
    }

    public func sleep(until instant: Duration) async throws {
        while true {
            let rest = instant - start.duration(to: .now)
            guard rest > .zero else { return }
            try await Task.sleep(for: min(rest, Self.longestSleep), clock: .continuous)
        }
    }
}
