public import PopCEL
public import PopScheduler
internal import PopSource

/// The state of a popup at a point in time, and the reason why it isn't further.
public struct PopupStatus: Sendable, Hashable {
    /// The state of the popup's task; nil if there is no popup with that ID.
    public let state: PopupExplanation.State?
    /// The reason why the popup waits, is absent or is being dismissed; nil while it is chosen or
    /// on the screen.
    public let reason: ReasonCode?
    /// The date at which that ends by itself, when it is known.
    public let until: Timestamp?

    init(_ explanation: PopupExplanation?) {
        state = explanation?.state
        reason = explanation?.reason
        until = explanation?.until
    }

    /// Indicates whether the popup is visible.
    public var isVisible: Bool { state == .showing }
}

extension PopupStatus {
    /// A date that moves by less than this is that of another clock, and no news.
    private static let smallestMove = Duration.seconds(1)

    /// Returns true if the status equals an earlier one, apart from a small move of `until`.
    func isNoNews(after earlier: PopupStatus?) -> Bool {
        guard let earlier, state == earlier.state else { return false }
        guard let until, let before = earlier.until else { return until == earlier.until }
        let move = until.duration(since: before)
        return move < Self.smallestMove && move > .zero - Self.smallestMove
    }
}

/// The status of a popup, and each later status until the engine stops.
///
/// Each value is a separate subscription and is iterated once. A slow reader gets the newest
/// status; no status comes twice in succession.
public struct PopupStatusUpdates: AsyncSequence, Sendable {
    public typealias Element = PopupStatus
    let stream: AsyncStream<PopupStatus>

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var iterator: StreamIterator<PopupStatus>
        private var last: PopupStatus?

        fileprivate init(_ iterator: StreamIterator<PopupStatus>) { self.iterator = iterator }

        public mutating func next() async -> PopupStatus? {
            while let status = await iterator.next() {
                if isNews(status) { return status }
            }
            return nil
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> PopupStatus? {
            while let status = await iterator.next(isolation: actor) {
                if isNews(status) { return status }
            }
            return nil
        }

        private mutating func isNews(_ status: PopupStatus) -> Bool {
            guard !status.isNoNews(after: last) else { return false }
            last = status
            return true
        }
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(StreamIterator(iterator: stream.makeAsyncIterator()))
    }
}

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

    private let state = LockedValue(State())

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

extension EngineCore {
    /// A status that ends by the calendar is looked at no sooner than this.
    private static let shortestLook = Duration.milliseconds(10)

    /// Begins to report popup statuses, because the app subscribed to one.
    func beginTellingStatuses() {
        state.withLock { state in
            state.tellsStatuses = true
            put(.tellStatuses, state: &state)
        }
    }

    /// Schedules a status report after a change, because any change can alter a status.
    func tellStatuses(_ state: inout State) {
        guard state.tellsStatuses else { return }
        state.statusDue = nil
        put(.tellStatuses, state: &state)
    }

    /// Stops the status reports once no subscriber is left.
    func endTellingStatuses(to statuses: StatusBroadcast) {
        state.withLock { if statuses.popups.isEmpty { $0.tellsStatuses = false } }
    }

    /// Returns the statuses of the popups. Wakes the stage when the next status ends by itself.
    func statuses(of popups: Set<String>) -> [String: PopupStatus] {
        let now = clock.now
        let explanations = scheduler.explanations(of: popups.ordered(), at: now)
        var statuses: [String: PopupStatus] = [:]
        for popup in popups { statuses[popup] = PopupStatus(nil) }
        for explanation in explanations {
            statuses[explanation.popup] = PopupStatus(explanation)
        }
        let dates = statuses.values.compactMap(\.until).filter { $0 > now.date }
        if let next = dates.min() {
            let rest = max(next.duration(since: now.date), Self.shortestLook)
            state.withLock { state in
                state.statusDue = now.instant + rest
                armWake(&state)
            }
        }
        return statuses
    }
}

extension PopupEngine {
    /// Returns the status of a popup, a short form of `explain`: the current status immediately,
    /// and then each new one until the engine stops.
    ///
    /// After each change of any input, all popups that have subscribers are explained again, off
    /// the caller's thread and in a time that is linear in the number of popups.
    public func statusUpdates(of id: String) -> PopupStatusUpdates {
        let updates = statuses.subscribe(to: id) { PopupStatus(explain(id)) }
        core.beginTellingStatuses()
        return updates
    }
}
