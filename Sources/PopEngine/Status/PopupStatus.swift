public import PopCEL
public import PopScheduler

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
