public import PopCEL
public import PopScheduler

/// How far a popup has come at a moment, and why no further.
public struct PopupStatus: Sendable, Hashable {
    /// How far its task has come; nil when there is no popup of that id.
    public let state: PopupExplanation.State?
    /// Why it waits, is absent or goes; nil while it is chosen or on the screen.
    public let reason: ReasonCode?
    /// The date at which that ends by itself, when it is known.
    public let until: Timestamp?

    init(_ explanation: PopupExplanation?) {
        state = explanation?.state
        reason = explanation?.reason
        until = explanation?.until
    }

    /// Whether it is visible.
    public var isVisible: Bool { state == .showing }
}

extension PopupStatus {
    /// A date that moves by less than this is that of another clock, and no news.
    private static let smallestMove = Duration.seconds(1)

    /// Whether it says what an earlier one did.
    func isNoNews(after earlier: PopupStatus?) -> Bool {
        guard let earlier, state == earlier.state else { return false }
        guard let until, let before = earlier.until else { return until == earlier.until }
        let move = until.duration(since: before)
        return move < Self.smallestMove && move > .zero - Self.smallestMove
    }
}

/// The status of a popup, and each other that it comes to, until the engine stops.
///
/// Each value is a subscription of its own and is iterated once. A slow reader gets the newest
/// status; none comes twice in succession.
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
