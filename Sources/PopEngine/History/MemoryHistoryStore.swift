public import PopScheduler

/// A history that ends with the process: for tests, and for apps without caps that outlive a session.
public final class MemoryHistoryStore: HistoryStore {
    private let histories: Guarded<[String: History]>

    /// Starts with what is known, by user.
    public init(_ histories: [String: History] = [:]) { self.histories = Guarded(histories) }

    public func history(of user: String) -> History { histories.withLock { $0[user] ?? History() } }

    public func append(_ records: [HistoryRecord], user: String) {
        histories.withLock { histories in
            for record in records { histories[user, default: History()].apply(record) }
        }
    }
}
