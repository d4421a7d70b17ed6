public import PopEngine
public import PopScheduler
internal import PopSource

/// A clock that only moves when a test advances it.
public final class VirtualClock: MomentClock {
    private struct State {
        var now: Moment
        var sleepers: [Int: Sleeper] = [:]
        var sleeperCount = 0
    }

    private struct Sleeper {
        let instant: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let state: LockedValue<State>

    /// Starts at instant zero of a date: 2026-01-01T00:00:00Z unless another is given.
    public init(date: Timestamp = Timestamp(seconds: 1_767_225_600)) {
        state = LockedValue(State(now: Moment(instant: .zero, date: date)))
    }

    public var now: Moment { state.withLock(\.now) }

    public func sleep(until instant: Duration) async throws {
        let id = state.withLock { state in
            state.sleeperCount += 1
            return state.sleeperCount
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Sleeper(instant: instant, continuation: continuation), id: id)
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?
                .continuation.resume(throwing: CancellationError())
        }
    }

    private func add(_ sleeper: Sleeper, id: Int) {
        // A task that is cancelled before it sleeps is noticed here, one that is cancelled later by
        // the handler.
        let isAwake = state.withLock { state in
            guard sleeper.instant > state.now.instant, !Task.isCancelled else { return true }
            state.sleepers[id] = sleeper
            return false
        }
        guard isAwake else { return }
        if Task.isCancelled {
            sleeper.continuation.resume(throwing: CancellationError())
        } else {
            sleeper.continuation.resume()
        }
    }

    /// Moves both clocks forward and wakes the sleepers that are due.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: max(duration, .zero))
            let due = state.sleepers.filter { $0.value.instant <= state.now.instant }
            for id in due.keys { state.sleepers[id] = nil }
            return due.sorted { ($0.value.instant, $0.key) < ($1.value.instant, $1.key) }
        }
        for sleeper in due { sleeper.value.continuation.resume() }
    }

    /// Sets the calendar, as a user can; timers go on.
    public func setDate(_ date: Timestamp) { state.withLock { $0.now.date = date } }
}
