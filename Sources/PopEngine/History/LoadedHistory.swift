internal import PopScheduler

/// The history of a user, and the problem that prevented the store from returning it.
struct LoadedHistory: Sendable {
    var history = History()
    var problem: (any Error)?
}

/// A store has not answered a call; what it does with it is not known.
struct SilentStore: Error, CustomStringConvertible {
    let silence: Duration
    var description: String { "the history store has not responded for \(silence)" }
}

extension LoadedHistory {
    /// Reads the history of a user from a store, unless the store is silent for too long.
    ///
    /// It runs in separate tasks: if the caller is cancelled, the user must not be mistaken for one
    /// who has seen nothing.
    static func read(
        _ user: String, from store: any HistoryStore, silence: Duration, clock: any MomentClock
    ) async -> LoadedHistory {
        await Task { () -> LoadedHistory in
            let (answers, answer) = AsyncStream.makeStream(of: LoadedHistory.self)
            let due = clock.now.instant + silence
            Task { answer.yield(await LoadedHistory(of: user, in: store)) }
            let waiting = Task {
                try? await clock.sleep(until: due)
                guard !Task.isCancelled else { return }
                answer.yield(LoadedHistory(problem: SilentStore(silence: silence)))
            }
            defer { waiting.cancel() }
            for await first in answers { return first }
            return LoadedHistory()
        }.value
    }

    private init(of user: String, in store: any HistoryStore) async {
        do {
            history = try await store.history(of: user)
        } catch {
            problem = error
        }
    }
}
