internal import PopCEL
internal import PopScheduler
internal import PopSource

/// Reads and writes a store, and keeps records that it doesn't accept in memory, to try again
/// later.
struct HistoryWriter {
    struct Outcome {
        enum Change {
            case asBefore
            case failed(any Error)
            case restored
        }

        /// The change of the store's health: it begins to fail, or it works again.
        var change = Change.asBefore
        /// The number of records that were given up.
        var lost = 0
        /// The number of removals that were given up.
        var lostRemovals = 0
    }

    private enum Step {
        case record(HistoryRecord)
        /// Erases what was kept before.
        case removal
    }

    /// An unsaved step; `number` identifies it and keeps the order of the steps.
    private typealias Unsaved = (number: Int, user: String, step: Step)

    private var calls: StoreCalls
    private let limits: EngineLimits
    private var unsaved: [Unsaved] = []
    private var steps = 0
    /// The error that the store threw when it last failed; nil while it works.
    private(set) var problem: (any Error)?
    /// Indicates whether a reading of the store failed and nothing was written since.
    private var isUnread = false
    /// The instant until which a store that failed isn't called.
    private var nextAttempt = Duration.zero
    private var readings: [Int: Reading] = [:]
    private var readingCount = 0
    /// Which dates the rules that are in force ask for.
    private var retention: HistoryRetention?
    /// The number of records that were written since the last pruning.
    private var unpruned = 0

    init(_ calls: StoreCalls, limits: EngineLimits) {
        self.calls = calls
        self.limits = limits
    }

    /// Writes records. The outcome reports when the store begins to fail and when it works again.
    mutating func write(
        _ records: [(user: String, record: HistoryRecord)], at instant: Duration
    ) async -> Outcome {
        for (user, record) in records { add(.record(record), of: user) }
        var outcome = Outcome()
        if problem == nil || instant >= nextAttempt { outcome = await flush(at: instant) }
        outcome.lost = giveUpOldest()
        return outcome
    }

    private mutating func add(_ step: Step, of user: String) {
        steps += 1
        unsaved.append((steps, user, step))
    }

    /// Writes what waits, whenever the store failed last.
    mutating func flush(at instant: Duration) async -> Outcome {
        do {
            try settle()
            let hasWritten = !unsaved.isEmpty
            while let user = unsaved.first?.user { try await writeFirst(of: user) }
            guard problem != nil || isUnread && hasWritten else { return Outcome() }
            (problem, isUnread) = (nil, false)
            return Outcome(change: .restored)
        } catch {
            return failed(error, at: instant)
        }
    }

    private mutating func failed(_ error: any Error, at instant: Duration) -> Outcome {
        let hadFailed = problem != nil
        problem = error
        nextAttempt = instant + limits.storePause
        return hadFailed ? Outcome() : Outcome(change: .failed(error))
    }

    /// A removal, or the records of one user that follow each other.
    private mutating func writeFirst(of user: String) async throws {
        var records: [HistoryRecord] = []
        for next in unsaved {
            guard next.user == user, case .record(let record) = next.step else { break }
            records.append(record)
        }
        let count = max(1, records.count)
        let numbers = unsaved[0].number...unsaved[count - 1].number
        if records.isEmpty {
            try await calls.make(keeping: numbers) { try await $0.remove(user: user) }
        } else {
            try await calls.make(keeping: numbers) { [records] store in
                try await store.append(records, user: user)
            }
        }
        unsaved.removeFirst(count)
        unpruned += records.count
        noteWrite(of: user)
    }

    /// Removes the steps that a late call has saved after all from the unsaved steps.
    private mutating func settle() throws {
        guard let numbers = try calls.settle() else { return }
        for user in Set(unsaved.filter { numbers.contains($0.number) }.map(\.user)) {
            noteWrite(of: user)
        }
        unsaved.removeAll { numbers.contains($0.number) }
    }

    /// Removals aren't given up for records: `forget` bounds them.
    private mutating func giveUpOldest() -> Int {
        var surplus = unsaved.count - removals - max(1, limits.unsavedRecords)
        guard surplus > 0 else { return 0 }
        let before = unsaved.count
        unsaved.removeAll { next in
            guard surplus > 0, case .record = next.step else { return false }
            surplus -= 1
            return true
        }
        return before - unsaved.count
    }

    /// The number of removals that wait, each of another user.
    private var removals: Int {
        unsaved.count { if case .removal = $0.step { true } else { false } }
    }

    /// Nothing is tried again any more; how many records and removals are lost.
    mutating func giveUp() -> Outcome {
        for reading in readings.values { reading.answer.resume(returning: LoadedHistory()) }
        defer { (readings, unsaved) = ([:], []) }
        let removals = removals
        return Outcome(lost: unsaved.count - removals, lostRemovals: removals)
    }

    /// The retention to prune by, if the store has taken enough records since the last pruning.
    func duePruning(at date: Timestamp) -> HistoryRetention? {
        unpruned < max(1, limits.recordsBetweenPrunings) || problem != nil
            ? nil : retention?.at(date)
    }

    /// Prunes the store. If that fails, the next call of `prune` catches up; a store that fails
    /// reports its error at the next write.
    mutating func prune(to retention: HistoryRetention, at instant: Duration) async -> Outcome {
        (self.retention, unpruned) = (retention, 0)
        do {
            try settle()
            try await calls.make { try await $0.prune(to: retention) }
        } catch let error as SilentStore {
            return failed(error, at: instant)
        } catch {}
        return Outcome()
    }

    /// Erases what is kept about a user and what waits to be kept. If the store fails, the removal
    /// is retried with the next write, unless the maximum number of removals already waits: then
    /// this removal isn't retried, and `problem` reports that.
    mutating func forget(
        _ user: String, at instant: Duration
    ) async -> (outcome: Outcome, problem: (any Error)?) {
        // A removal of the same user that waits is part of this one.
        unsaved.removeAll { $0.user == user }
        add(.removal, of: user)
        let number = steps
        var outcome = await flush(at: instant)
        let limit = max(1, limits.unsavedRemovals)
        guard let problem, removals > limit else { return (outcome, problem) }
        unsaved.removeAll { $0.number == number }
        outcome.lostRemovals = 1
        return (outcome, TooManyRemovals(limit: limit, cause: problem))
    }
}

extension HistoryWriter {
    /// Erases what is kept of a popup and a user, once what waits is written. Gives what kept the
    /// store from it; nothing is tried again.
    mutating func forget(
        _ popup: String, of user: String, at instant: Duration
    ) async -> (any Error)? {
        let outcome = await flush(at: instant)
        if case .failed = outcome.change { return problem }
        if let problem { return problem }
        do {
            try await calls.make { try await $0.remove(popup: popup, user: user) }
            noteWrite(of: user)
            return nil
        } catch {
            return error
        }
    }
}

// MARK: Reading

extension HistoryWriter {
    /// A user whose history is being read while other work continues.
    struct Reading {
        let user: String
        let answer: CheckedContinuation<LoadedHistory, Never>
        /// Indicates whether a record of the user was written since, so that the user has to be
        /// read again.
        var isStale = false
    }

    /// Notes that the store could not be read.
    mutating func noteUnread() { isUnread = true }

    private mutating func noteWrite(of user: String) {
        for (number, reading) in readings where reading.user == user {
            readings[number]?.isStale = true
        }
    }

    /// Writes what waits, and gives the reading that is to begin then a number.
    mutating func beginReading(
        _ user: String, answer: CheckedContinuation<LoadedHistory, Never>, at instant: Duration
    ) async -> (number: Int, outcome: Outcome) {
        let outcome = unsaved.isEmpty ? Outcome() : await flush(at: instant)
        readingCount += 1
        readings[readingCount] = Reading(user: user, answer: answer)
        return (readingCount, outcome)
    }

    /// Answers with the history that was read, together with the records that wait to be written.
    /// If the user has to be read again, returns the user instead.
    mutating func endReading(_ number: Int, loaded: LoadedHistory) -> String? {
        guard let reading = readings[number] else { return nil }
        if reading.isStale, loaded.problem == nil {
            readings[number]?.isStale = false
            return reading.user
        }
        readings[number] = nil
        reading.answer.resume(returning: withUnsaved(loaded, of: reading.user))
        return nil
    }

    private func withUnsaved(_ loaded: LoadedHistory, of user: String) -> LoadedHistory {
        var loaded = loaded
        for next in unsaved where next.user == user {
            switch next.step {
            case .record(let record): loaded.history.apply(record)
            case .removal: loaded.history = History()
            }
        }
        return loaded
    }

    /// Returns the history of a user if another writer has written to the store; nil if none has,
    /// and while the store fails.
    mutating func readIfForeign(
        _ user: String, at instant: Duration
    ) async -> (history: History?, outcome: Outcome) {
        guard problem == nil else { return (nil, Outcome()) }
        do {
            guard try await calls.make({ try await $0.hasForeignChanges() }) else {
                return (nil, Outcome())
            }
            let outcome = unsaved.isEmpty ? Outcome() : await flush(at: instant)
            let history = try await calls.make { try await $0.history(of: user) }
            return (withUnsaved(LoadedHistory(history: history), of: user).history, outcome)
        } catch {
            return (nil, failed(error, at: instant))
        }
    }
}

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
        private let state = LockedValue<Result<Value, any Error>?>(nil)
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
