public import PopScheduler
internal import PopSource

/// A history that ends with the process: for tests, and for apps without caps that outlive a
/// session.
public final class MemoryHistoryStore: HistoryStore {
    private struct State {
        var histories: [String: History]
        var retention: HistoryRetention?
    }

    private let state: Guarded<State>

    /// Starts with what is known, by user.
    public init(_ histories: [String: History] = [:]) {
        state = Guarded(State(histories: histories))
    }

    public func history(of user: String) -> History {
        state.withLock { $0.histories[user] ?? History() }
    }

    public func append(_ records: [HistoryRecord], user: String) {
        state.withLock { state in
            for record in records {
                state.histories[user, default: History()].apply(
                    record, keepingPerPopup: state.retention?.datesPerPopup ?? .max,
                    perEvent: state.retention?.datesPerEvent ?? .max)
            }
        }
    }

    public func remove(popup: String, user: String) async {
        state.withLock { $0.histories[user]?.forget(popup: popup) }
    }

    public func remove(user: String) { state.withLock { $0.histories[user] = nil } }

    /// The numbers of dates hold from now on; older ones stay until there are more.
    public func prune(to retention: HistoryRetention) {
        state.withLock { $0.retention = retention }
    }
}
