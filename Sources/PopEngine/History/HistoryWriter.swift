internal import PopScheduler

/// Reads and writes a store, and keeps what it does not take in memory, to try again later.
struct HistoryWriter {
    struct Outcome: Equatable {
        enum Change: Equatable {
            case asBefore
            case failed(message: String)
            case restored
        }

        /// Whether the store begins to fail or works again.
        var change: Change
        /// How many records were given up.
        var lost = 0
    }

    private enum Step {
        case record(HistoryRecord)
        /// Erases what was kept before.
        case removal
    }

    private let store: any HistoryStore
    private let limits: EngineLimits
    private var unsaved: [(user: String, step: Step)] = []
    /// What the store said when it failed last; nil while it works.
    private(set) var problem: (any Error)?
    /// A store that failed is left alone until this instant.
    private var nextAttempt = Duration.zero

    init(store: any HistoryStore, limits: EngineLimits) {
        self.store = store
        self.limits = limits
    }

    /// Says when the store begins to fail and when it works again.
    mutating func write(
        _ records: [(user: String, record: HistoryRecord)], at instant: Duration
    ) async -> Outcome {
        unsaved += records.map { ($0.user, .record($0.record)) }
        var outcome = Outcome(change: .asBefore)
        if problem == nil || instant >= nextAttempt { outcome = await flush(at: instant) }
        outcome.lost = giveUpOldest()
        return outcome
    }

    /// Writes what waits, whenever the store failed last.
    mutating func flush(at instant: Duration) async -> Outcome {
        let hadFailed = problem != nil
        do {
            while let user = unsaved.first?.user { try await writeFirst(of: user) }
            problem = nil
            return Outcome(change: hadFailed ? .restored : .asBefore)
        } catch {
            problem = error
            nextAttempt = instant + limits.storePause
            return Outcome(change: hadFailed ? .asBefore : .failed(message: "\(error)"))
        }
    }

    /// A removal, or the records of one user that follow each other.
    private mutating func writeFirst(of user: String) async throws {
        var records: [HistoryRecord] = []
        for (other, step) in unsaved {
            guard other == user, case .record(let record) = step else { break }
            records.append(record)
        }
        if records.isEmpty {
            try await store.remove(user: user)
            unsaved.removeFirst()
        } else {
            try await store.append(records, user: user)
            unsaved.removeFirst(records.count)
        }
    }

    /// Removals are never given up.
    private mutating func giveUpOldest() -> Int {
        var surplus = unsaved.count - max(1, limits.unsavedRecords)
        guard surplus > 0 else { return 0 }
        let before = unsaved.count
        unsaved.removeAll { _, step in
            guard surplus > 0, case .record = step else { return false }
            surplus -= 1
            return true
        }
        return before - unsaved.count
    }

    /// Nothing is tried again any more; how many records are lost.
    mutating func giveUp() -> Int {
        defer { unsaved = [] }
        return unsaved.count { if case .record = $0.step { true } else { false } }
    }

    /// What could not be pruned is pruned the next time; a store that fails says so when it is
    /// written to.
    func prune(to retention: HistoryRetention) async { try? await store.prune(to: retention) }

    /// Erases what is kept of a user, and what waits to be. A store that fails is asked again with
    /// the next write.
    mutating func forget(_ user: String, at instant: Duration) async -> Outcome {
        unsaved.removeAll { $0.user == user }
        unsaved.append((user, .removal))
        return await flush(at: instant)
    }
}

// MARK: Reading

extension HistoryWriter {
    /// What is known of a user, with what waits to be written.
    mutating func read(_ user: String, at instant: Duration) async -> LoadedHistory {
        if !unsaved.isEmpty { _ = await flush(at: instant) }
        var loaded = LoadedHistory()
        do {
            loaded.history = try await store.history(of: user)
        } catch {
            loaded.problem = error
        }
        for case (user, let step) in unsaved {
            switch step {
            case .record(let record): loaded.history.apply(record)
            case .removal: loaded.history = History()
            }
        }
        return loaded
    }

    /// What is known of a user when somebody else has written to the store; nil otherwise, and
    /// while it fails.
    mutating func readIfForeign(_ user: String, at instant: Duration) async -> History? {
        guard problem == nil, (try? await store.hasForeignChanges()) == true else { return nil }
        let loaded = await read(user, at: instant)
        return loaded.problem == nil ? loaded.history : nil
    }
}
