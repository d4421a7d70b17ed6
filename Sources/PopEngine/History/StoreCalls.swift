internal import PopSource

/// Makes the calls of a store one after the other, and waits for none longer than the engine's
/// patience.
///
/// A call that was not answered continues. Until its answer comes, no other call is made: until
/// then, it isn't known what was saved.
struct StoreCalls {
    /// Performs work and returns whether it was done in time.
    typealias Wait = @Sendable (@escaping @Sendable () async -> Void) async -> Bool

    private struct Owed {
        let numbers: ClosedRange<Int>?
        /// Returns nil while there is no answer.
        let isDone: @Sendable () -> Bool?
    }

    private final class Answer<Value: Sendable>: Sendable {
        private let state = Guarded<Result<Value, any Error>?>(nil)
        var result: Result<Value, any Error>? { state.withLock { $0 } }
        func take(_ result: Result<Value, any Error>) { state.withLock { $0 = result } }
    }

    private let store: any HistoryStore
    private let silence: Duration
    private let wait: Wait
    private var owed: Owed?

    init(_ store: any HistoryStore, silence: Duration, wait: @escaping Wait) {
        self.store = store
        self.silence = silence
        self.wait = wait
    }

    /// Makes a call that saves the steps with these numbers.
    mutating func make<Value: Sendable>(
        keeping numbers: ClosedRange<Int>? = nil,
        _ call: @escaping @Sendable (any HistoryStore) async throws -> Value
    ) async throws -> Value {
        if owed != nil { throw SilentStore(silence: silence) }
        let answer = Answer<Value>()
        let isAnswered = await wait { [store] in
            do {
                answer.take(.success(try await call(store)))
            } catch {
                answer.take(.failure(error))
            }
        }
        if isAnswered, let result = answer.result { return try result.get() }
        owed = Owed(numbers: numbers) {
            answer.result.map { if case .success = $0 { true } else { false } }
        }
        throw SilentStore(silence: silence)
    }

    /// The numbers of what a call has kept that was answered too late. Throws while it is not.
    mutating func settle() throws -> ClosedRange<Int>? {
        guard let owed else { return nil }
        guard let isDone = owed.isDone() else { throw SilentStore(silence: silence) }
        self.owed = nil
        return isDone ? owed.numbers : nil
    }
}
