/// The events of an engine from the moment of subscribing on, until the engine stops.
///
/// Each value is a subscription of its own and is iterated once. When its reader is slow, the
/// oldest events are lost.
public struct EngineEvents: AsyncSequence, Sendable {
    public typealias Element = EngineEvent
    let stream: AsyncStream<EngineEvent>

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var iterator: StreamIterator<EngineEvent>

        public mutating func next() async -> EngineEvent? { await iterator.next() }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> EngineEvent? { await iterator.next(isolation: actor) }
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iterator: StreamIterator(iterator: stream.makeAsyncIterator()))
    }
}

/// Asks a stream for its next element on the actor of the caller.
struct StreamIterator<Element: Sendable> {
    var iterator: AsyncStream<Element>.AsyncIterator

    mutating func next() async -> Element? {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            return await iterator.next(isolation: #isolation)
        }
        // A stream may be asked from anywhere, and the copy refers to the same one.
        nonisolated(unsafe) var iterator = iterator
        return unsafe await iterator.next()
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
        await iterator.next(isolation: actor)
    }
}
