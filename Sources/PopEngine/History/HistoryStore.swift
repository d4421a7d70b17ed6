public import PopCEL
public import PopScheduler
internal import PopSource

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

/// Which dates a history has to keep so that the rules get the same answers. Counts are kept for
/// ever.
public struct HistoryRetention: Sendable, Hashable {
    /// Impressions before this date count for no cap.
    public var impressionsSince: Timestamp
    /// Events before this date count for no condition.
    public var eventsSince: Timestamp
    /// The number of dates that are kept per event and user; the latest dates are kept.
    public var datesPerEvent: Int
    /// The number of impression dates that are kept per popup and user; the latest dates are kept.
    public var datesPerPopup: Int

    /// The date for which the bounds were computed; nil if they apply to any store content.
    public var date: Timestamp?

    /// Bounds for what a store keeps; both kinds of bound hold.
    public init(
        impressionsSince: Timestamp, eventsSince: Timestamp, datesPerEvent: Int, datesPerPopup: Int
    ) {
        self.impressionsSince = impressionsSince
        self.eventsSince = eventsSince
        self.datesPerEvent = datesPerEvent
        self.datesPerPopup = datesPerPopup
    }

    /// Creates the retention that keeps all that the rules can ask for at a date or later.
    init(_ rules: RuleSet, at date: Timestamp, limits: SchedulerLimits) {
        let windows = rules.slots.compactMap { $0.window }
        impressionsSince = date.earlier(by: rules.reachOfCaps)
        eventsSince = date.earlier(by: windows.max() ?? .zero)
        datesPerEvent = limits.datesPerEvent
        datesPerPopup = rules.datesPerPopup(atLeast: limits.datesPerPopup)
        self.date = date
    }

    /// The retention at a later date, under the same rules.
    func at(_ later: Timestamp) -> HistoryRetention {
        guard let date, date < later else { return self }
        let difference = later.duration(since: date)
        var next = self
        next.impressionsSince = impressionsSince.later(by: difference)
        next.eventsSince = eventsSince.later(by: difference)
        next.date = later
        return next
    }

    /// Returns the retention moved back if the newest record is older than the date. So a clock
    /// that is ahead at one start doesn't erase records that are needed once the clock is right.
    public func asOf(newest: Timestamp) -> HistoryRetention {
        guard let date, newest < date else { return self }
        let difference = date.duration(since: newest)
        var earlier = self
        earlier.impressionsSince = impressionsSince.earlier(by: difference)
        earlier.eventsSince = eventsSince.earlier(by: difference)
        earlier.date = newest
        return earlier
    }
}

extension Timestamp {
    fileprivate func earlier(by duration: Duration) -> Timestamp { subtracting(duration) ?? .min }

    /// The earliest date stays: it keeps everything.
    fileprivate func later(by duration: Duration) -> Timestamp {
        self == .min ? self : adding(duration) ?? self
    }
}

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

/// A history that ends with the process: for tests, and for apps without caps that outlive a
/// session.
public final class MemoryHistoryStore: HistoryStore {
    private struct State {
        var histories: [String: History]
        var retention: HistoryRetention?
    }

    private let state: LockedValue<State>

    /// Starts with what is known, by user.
    public init(_ histories: [String: History] = [:]) {
        state = LockedValue(State(histories: histories))
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

/// Which engine uses which store object.
enum HistoryStoreRegistry {
    private struct Use { weak var core: EngineCore? }

    private static let uses = LockedValue<[ObjectIdentifier: Use]>([:])

    /// Claims a store for an engine. Returns false if another live engine uses the same object. A
    /// store that isn't an object belongs to no other engine.
    static func claim(_ store: any HistoryStore, for core: EngineCore) -> Bool {
        guard type(of: store) is AnyClass else { return true }
        let object = ObjectIdentifier(store as AnyObject)
        return uses.withLock { uses in
            uses = uses.filter { $0.value.core != nil }
            if let other = uses[object]?.core, !other.isStopped { return false }
            uses[object] = Use(core: core)
            return true
        }
    }
}
