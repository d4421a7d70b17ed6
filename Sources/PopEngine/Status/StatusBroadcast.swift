internal import PopScheduler
internal import PopSource

/// The subscribers to popup statuses, each with the popup that it follows.
final class StatusBroadcast: Sendable {
    private struct Subscription {
        let popup: String
        let continuation: AsyncStream<PopupStatus>.Continuation
        var last: PopupStatus?
    }

    private struct State {
        var subscriptions: [Int: Subscription] = [:]
        var nextSubscription = 0
        var isFinished = false
    }

    private let state = Guarded(State())

    /// Adds a subscription. If the broadcast has finished, the subscriber gets only `last`.
    func subscribe(to popup: String, last: () -> PopupStatus) -> PopupStatusUpdates {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PopupStatus.self, bufferingPolicy: .bufferingNewest(1))
        let isFinished = state.withLock { state in
            guard !state.isFinished else { return true }
            let id = state.nextSubscription
            state.nextSubscription += 1
            state.subscriptions[id] = Subscription(popup: popup, continuation: continuation)
            continuation.onTermination = { [weak self] _ in self?.unsubscribe(id) }
            return false
        }
        if isFinished {
            continuation.yield(last())
            continuation.finish()
        }
        return PopupStatusUpdates(stream: stream)
    }

    /// The popups that are followed.
    var popups: Set<String> { state.withLock { Set($0.subscriptions.values.map(\.popup)) } }

    /// Sends each subscriber the status that is new to it. Called by one task at a time.
    func send(_ statuses: [String: PopupStatus]) {
        state.withLock { state in
            for (id, subscription) in state.subscriptions {
                guard let status = statuses[subscription.popup],
                    !status.isNoNews(after: subscription.last)
                else { continue }
                state.subscriptions[id]?.last = status
                subscription.continuation.yield(status)
            }
        }
    }

    func finish() {
        let continuations = state.withLock { state in
            state.isFinished = true
            defer { state.subscriptions = [:] }
            return state.subscriptions.values.map(\.continuation)
        }
        // Outside the lock, because finishing calls back.
        for continuation in continuations { continuation.finish() }
    }

    private func unsubscribe(_ id: Int) {
        // The removed subscription is released outside the lock, because its release may call back.
        _ = state.withLock { $0.subscriptions.removeValue(forKey: id) }
    }
}
