public import PopScheduler

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

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
