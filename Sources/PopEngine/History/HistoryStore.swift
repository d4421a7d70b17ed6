public import PopScheduler

/// A store that keeps the history of users beyond the life of the app.
///
/// It serves one engine, which makes one call after the other; only `history(of:)` may be called
/// while another call runs, so that a user whose read is slow blocks nothing. Its errors are
/// reported, and popups continue from memory. The same happens if a call is not answered within
/// `EngineLimits.silence`; no other call is made until it is answered.
///
/// A call must not wait for the engine's `flush`, `stop`, `forget` or `switchUser`, which wait for
/// it.
public protocol HistoryStore: Sendable {
    /// Returns the history of a user; an empty history for a user who was never seen.
    func history(of user: String) async throws -> History

    /// Keeps the records, all or none, in their order. When this returns they survive a crash.
    func append(_ records: [HistoryRecord], user: String) async throws

    /// Erases everything about a user. When this returns it cannot be read again.
    func remove(user: String) async throws

    /// Erases everything about a popup and a user. For debugging; a store that does not say how
    /// throws `PopupStays`.
    func remove(popup: String, user: String) async throws

    /// May forget the dates that nothing can ask for any more, of all users. Called when rules come
    /// into force, and again each time that the store has taken
    /// `EngineLimits.recordsBetweenPrunings` records.
    func prune(to retention: HistoryRetention) async throws

    /// Returns true if another writer, such as another process, has written since the last call or
    /// the last read of a history. The engine calls this before each popup and, if true, reads the
    /// history again, so that caps hold across all writers.
    func hasForeignChanges() async throws -> Bool
}

extension HistoryStore {
    public func remove(popup: String, user: String) async throws { throw PopupStays() }
    public func prune(to retention: HistoryRetention) async throws {}
    public func hasForeignChanges() async throws -> Bool { false }
}

/// The reason why a popup can't be erased: the store can only erase a whole user.
public struct PopupStays: Error, Hashable, CustomStringConvertible {
    public let description = "the history store cannot erase a single popup"
}

/// The error of a user who isn't forgotten by the store: it has failed for so long that the maximum
/// number of removals already waits for it. Call `forget` again once the history is restored.
public struct TooManyRemovals: Error, CustomStringConvertible {
    /// The maximum number of waiting removals.
    public let limit: Int
    /// The error that the store threw when it last failed.
    public let cause: any Error

    public var description: String {
        "the removals of \(limit) users already wait for the history store, which fails (\(cause)):"
            + " forget this user again when the store works"
    }
}
