public import PopScheduler
internal import PopSource

/// An event that an engine reports to its app, its logs and its metrics.
public struct EngineEvent: Sendable {
    /// The kind of an event, with its details.
    public enum Kind: Sendable {
        /// The life of a task, or a call that was refused.
        case scheduler(HostEvent)
        /// A call was accepted although it doesn't fit the rules; each remark is reported once.
        case remark(CallRemark)
        /// The history could not be read or written, or its store doesn't answer: popups continue
        /// from memory until it is restored. A damaged history has been started from scratch. The
        /// value is the error that the store threw, or the error for its silence.
        case historyUnavailable(any Error)
        /// The history was written again, and what was kept in memory with it.
        case historyRestored
        /// So many records were given up, because the store took none for too long.
        case historyLost(records: Int)
        /// The store still holds this number of users who were to be forgotten, and the removals
        /// aren't retried: too many removals waited for the store, or the engine has stopped.
        /// Forget the users once more.
        case removalsLost(users: Int)
        /// This number of events was left out here, because the observer or the store is slower
        /// than the calls. The numbers of the events have a gap of the same size.
        case eventsLeftOut(Int)
        /// The main actor has not answered since that moment: the app does not run its main queue,
        /// or something blocks it. No popup can show until it does.
        case mainActorBlocked(since: Moment)
        /// The main actor answers again.
        case mainActorFree
        /// Rules were found to be wrong, and the last good ones stay in force; the message
        /// describes the error.
        case rulesRefused(message: String)
        /// Other rules are in force.
        case rulesReloaded
    }

    /// Counts the events of an engine from 1. A subscriber that was too slow sees a hole.
    public let number: UInt64
    /// The moment at which the event was reported.
    public let moment: Moment
    /// The kind of the event.
    public let kind: Kind
}

extension EngineEvent {
    /// The id of the popup that the event is about.
    public var popup: String? {
        if case .scheduler(let event) = kind { event.popup } else { nil }
    }
}

/// Numbers the events and hands each to all subscribers.
final class EventBroadcast: Sendable {
    private struct State {
        var count: UInt64 = 0
        var subscriptions: [Int: AsyncStream<EngineEvent>.Continuation] = [:]
        var nextSubscription = 0
        var isFinished = false
    }

    private let state = LockedValue(State())
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
