internal import PopScheduler
internal import PopSource

/// Numbers the events and hands each to all subscribers.
final class EventBroadcast: Sendable {
    private struct State {
        var count: UInt64 = 0
        var subscriptions: [Int: AsyncStream<EngineEvent>.Continuation] = [:]
        var nextSubscription = 0
        var isFinished = false
    }

    private let state = Guarded(State())
    private let observer: (@Sendable (EngineEvent) -> Void)?

    init(observer: (@Sendable (EngineEvent) -> Void)?) { self.observer = observer }

    func subscribe(buffering limit: Int) -> EngineEvents {
        let (stream, continuation) = AsyncStream.makeStream(
            of: EngineEvent.self, bufferingPolicy: .bufferingNewest(max(1, limit)))
        let isFinished = state.withLock { state in
            guard !state.isFinished else { return true }
            let id = state.nextSubscription
            state.nextSubscription += 1
            state.subscriptions[id] = continuation
            continuation.onTermination = { [weak self] _ in self?.unsubscribe(id) }
            return false
        }
        if isFinished { continuation.finish() }
        return EngineEvents(stream: stream)
    }

    /// Called by one task at a time: events arrive everywhere in the order of their numbers.
    func send(_ kind: EngineEvent.Kind, at moment: Moment) {
        let event = state.withLock { state in
            state.count += 1
            let event = EngineEvent(number: state.count, moment: moment, kind: kind)
            for continuation in state.subscriptions.values { continuation.yield(event) }
            return event
        }
        observer?(event)
    }

    /// Reports that events were left out. Their numbers are skipped too.
    func leaveOut(_ events: Int, at moment: Moment) {
        state.withLock { $0.count += UInt64(events) }
        send(.eventsLeftOut(events), at: moment)
    }

    func finish() {
        let continuations = state.withLock { state in
            state.isFinished = true
            defer { state.subscriptions = [:] }
            return Array(state.subscriptions.values)
        }
        // Outside the lock, because finishing calls back.
        for continuation in continuations { continuation.finish() }
    }

    private func unsubscribe(_ id: Int) {
        // The removed subscription is released outside the lock, because its release may call back.
        _ = state.withLock { $0.subscriptions.removeValue(forKey: id) }
    }
}
