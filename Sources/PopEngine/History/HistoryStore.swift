public import PopScheduler

/// Keeps what users have seen and done beyond the life of the app.
///
/// One engine uses it from one task at a time. What it throws is reported, and popups go on from memory.
public protocol HistoryStore: Sendable {
    /// What is known of a user; an empty history for one that was never seen.
    func history(of user: String) async throws -> History

    /// Keeps the records, all or none, in their order. When this returns they survive a crash.
    func append(_ records: [HistoryRecord], user: String) async throws

    /// May forget the dates that nothing can ask for any more, of all users. Called when rules come into force.
    func prune(to retention: HistoryRetention) async throws
}

extension HistoryStore {
    public func prune(to retention: HistoryRetention) async throws {}
}
