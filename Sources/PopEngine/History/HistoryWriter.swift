internal import PopScheduler

/// Writes records to a store, and keeps those in memory that it does not take, to try again later.
struct HistoryWriter {
    /// How many records wait for a store that fails; the oldest are given up first.
    static let unsavedLimit = 10_000
    /// How long a store that failed is left alone: one that makes each call wait must not hold up every popup.
    static let pause = Duration.seconds(5)

    enum Outcome: Equatable {
        case asBefore
        case failed(message: String)
        case restored
    }

    private let store: any HistoryStore
    private var unsaved: [(user: String, record: HistoryRecord)] = []
    /// Not before this instant; nil while the store works.
    private var nextAttempt: Duration?

    init(store: any HistoryStore) { self.store = store }

    /// Says when the store begins to fail and when it works again.
    mutating func write(
        _ records: [(user: String, record: HistoryRecord)], at instant: Duration
    ) async -> Outcome {
        unsaved += records
        if let nextAttempt, instant < nextAttempt {
            unsaved.removeFirst(max(0, unsaved.count - Self.unsavedLimit))
            return .asBefore
        }
        return await flush(at: instant)
    }

    /// Writes what waits, whenever the store failed last.
    mutating func flush(at instant: Duration) async -> Outcome {
        let hadFailed = nextAttempt != nil
        do {
            while let user = unsaved.first?.user {
                let batch = unsaved.prefix { $0.user == user }.map(\.record)
                try await store.append(batch, user: user)
                unsaved.removeFirst(batch.count)
            }
            nextAttempt = nil
            return hadFailed ? .restored : .asBefore
        } catch {
            nextAttempt = instant + Self.pause
            return hadFailed ? .asBefore : .failed(message: "\(error)")
        }
    }

    /// What could not be pruned is pruned the next time; a store that fails says so when it is written to.
    func prune(to retention: HistoryRetention) async { try? await store.prune(to: retention) }
}
