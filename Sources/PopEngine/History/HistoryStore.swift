public import PopScheduler

/// Keeps what users have seen and done beyond the life of the app.
///
/// It serves one engine, which makes one call after the other; only `history(of:)` may be called
/// while another call runs, so that a user who is slow to read holds up nothing. What it throws is
/// reported, and popups go on from memory. So they do when a call is not answered in the time of
/// `EngineLimits.silence`; none other is made until it is.
///
/// A call must not wait for the engine's `flush`, `stop`, `forget` or `switchUser`, which wait for
/// it.
public protocol HistoryStore: Sendable {
    /// What is known of a user; an empty history for one that was never seen.
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

    /// Whether anybody else, such as another process, has written since this was asked or a history
    /// was read last. Asked before each popup: the history is then read again, so that caps hold
    /// for all together.
    func hasForeignChanges() async throws -> Bool
}

extension HistoryStore {
    public func remove(popup: String, user: String) async throws { throw PopupStays() }
    public func prune(to retention: HistoryRetention) async throws {}
    public func hasForeignChanges() async throws -> Bool { false }
}

/// Why a popup cannot be erased: the store knows only how to erase a user.
public struct PopupStays: Error, Hashable, CustomStringConvertible {
    public let description = "the history store cannot erase a single popup"
}

/// Why a user isn't forgotten by the store: it has failed for so long that as many removals wait
/// for it as may. Call `forget` again once the history is restored.
public struct TooManyRemovals: Error, CustomStringConvertible {
    /// How many may wait.
    public let limit: Int
    /// What the store said when it failed last.
    public let cause: any Error

    public var description: String {
        "the removals of \(limit) users wait for the history store already, which fails (\(cause)):"
            + " forget this user again once it works"
    }
}
