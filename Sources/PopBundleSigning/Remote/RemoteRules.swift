public import PopCEL
public import PopEngine

/// Fetches signed rules by a closure of the app's, and keeps the last good ones for the next start.
///
/// It brings no networking of its own: the closure asks the server. Only what the key signed, what
/// is newer than what was seen, and what has not expired comes in.
public actor RemoteRules {
    /// Asks the server; throws when it cannot be reached. Cancelled when it is not waited for any
    /// longer.
    public typealias Fetch = @Sendable (BundleRequest) async throws -> BundleResponse

    /// The result of a fetch.
    public enum Outcome: Sendable {
        /// Other rules, which are kept.
        case new(RuleSet)
        /// The rules that the app has are the newest.
        case unchanged
        /// Nothing: everything stays as it was.
        case failed(any Error)
        /// Another fetch is under way.
        case underWay
    }

    /// The state of the fetches.
    public struct Status: Sendable {
        /// The newest issue that was seen.
        public internal(set) var issue: Int64
        /// The last time the server reported what is newest; nil if it hasn't since the start.
        public internal(set) var lastSuccess: Timestamp?
        /// When it is to be asked next; nil before it was asked.
        public internal(set) var nextAttempt: Timestamp?
        /// The number of fetches in succession that failed.
        public internal(set) var failures = 0
        /// The reason why the last fetch failed; nil if it succeeded.
        public internal(set) var lastError: (any Error)?
        /// The reason why the kept bundle could not be used.
        public internal(set) var faultOfKept: (any Error)?
    }

    /// The current state of the fetches.
    public private(set) var status: Status

    private let store: any BundleStore
    private let options: RemoteRulesOptions
    private let fetch: Fetch
    private var ledger: BundleLedger
    private var schedule: RetrySchedule
    /// The server's name for the bundle of the ledger.
    private var etag: String?
    private var isFetching = false
    private var nextInstant = Duration.zero
    private var loading: Task<Void, any Error>?
    /// Indicates whether a caller received no rules because they couldn't be read.
    private var wasUnread = false

    /// Creates the remote rules. Nothing is read or requested yet.
    public init(
        key: BundlePublicKey, keptIn store: any BundleStore,
        options: RemoteRulesOptions = RemoteRulesOptions(), fetch: @escaping Fetch
    ) {
        self.store = store
        self.options = options
        self.fetch = fetch
        ledger = BundleLedger(key: key, oldestIssue: options.oldestIssue)
        schedule = RetrySchedule(options)
        status = Status(issue: options.oldestIssue)
    }

    private var clock: any MomentClock { options.clock }
}

// MARK: Kept rules

extension RemoteRules {
    /// Returns the newest good rules; at the start, the kept ones. Nil if no good rules are known;
    /// an app then begins with its built-in rules.
    ///
    /// Kept rules that can't be read yet come with the first fetch after they can.
    public func rules() async -> RuleSet? {
        do {
            try await load()
            wasUnread = false
        } catch {
            wasUnread = true
        }
        return ledger.rules
    }

    /// Reads the kept bundle once, for the first caller; again if it couldn't be read.
    private func load() async throws {
        let task =
            loading
            ?? Task { [store] in
                do {
                    let bytes = try await store.load()
                    restore(bytes, issue: try await store.loadIssue())
                } catch {
                    loading = nil
                    status.faultOfKept = error
                    throw error
                }
            }
        loading = task
        try await task.value
    }

    private func restore(_ bytes: [UInt8]?, issue: Int64?) {
        status.faultOfKept = nil
        if let issue { ledger.raise(to: issue) }
        defer { status.issue = ledger.issue }
        guard let kept = bytes.map({ KeptBundle($0) }) else { return }
        do throws(SignedBundleError) {
            try ledger.restore(kept.file, at: clock.now.date)
            etag = kept.etag
        } catch {
            // The server is asked for the whole bundle again.
            status.faultOfKept = error
        }
    }
}

// MARK: Fetching

extension RemoteRules {
    /// Asks the server now. New rules are verified and kept before this returns them; the caller
    /// passes them to the engine. While the kept bundle can't be read, the server isn't asked.
    @discardableResult
    public func refresh() async -> Outcome {
        guard !isFetching else { return .underWay }
        isFetching = true
        defer { isFetching = false }
        var retryAfter: Duration?
        do {
            try await load()
            let response = try await answer(to: BundleRequest(etag: etag))
            retryAfter = response.retryAfter
            return succeeded(try await take(response))
        } catch {
            return failed(error, retryAfter: retryAfter)
        }
    }

    /// Returns the new rules of a response; nil if it has no new rules.
    private func take(_ response: BundleResponse) async throws -> RuleSet? {
        switch response.status {
        case 304: return nil
        case 200: break
        case let status: throw RemoteRulesError.status(status)
        }
        let accepted = try ledger.check(response.data, at: clock.now.date)
        let hadRules = ledger.rules != nil
        if !accepted.isCurrent || response.etag != etag {
            try await save(accepted, etag: response.etag)
        } else {
            try await store.raiseIssue(to: accepted.issue)
        }
        ledger.accept(accepted)
        etag = response.etag
        return accepted.isCurrent && hadRules ? nil : accepted.rules
    }

    private func save(_ accepted: BundleLedger.Accepted, etag: String?) async throws {
        do {
            let bytes = KeptBundle(accepted.file, etag: etag).bytes
            try await store.save(bytes, issue: accepted.issue) { [ledger] kept in
                ledger.issue(of: KeptBundle(kept).file, unless: accepted.file)
            }
        } catch let error as SignedBundleError {
            // Another instance has kept a newer one: it is read before the server is asked again.
            (loading, wasUnread) = (nil, true)
            throw error
        }
    }

    private func succeeded(_ rules: RuleSet?) -> Outcome {
        status.lastSuccess = clock.now.date
        status.lastError = nil
        status.issue = ledger.issue
        plan(after: schedule.succeeded())
        let late = wasUnread ? ledger.rules : nil
        wasUnread = false
        return (rules ?? late).map { .new($0) } ?? .unchanged
    }

    private func failed(_ error: any Error, retryAfter: Duration?) -> Outcome {
        // A cancellation isn't a failure.
        guard !(error is CancellationError) else { return .failed(error) }
        status.lastError = error
        plan(after: schedule.failed(retryAfter: retryAfter))
        return .failed(error)
    }

    private func plan(after pause: Duration) {
        let next = clock.now.advanced(by: pause)
        nextInstant = next.instant
        status.nextAttempt = next.date
        status.failures = schedule.failures
    }

    /// Returns the response of the closure, unless it takes too long or the caller is cancelled.
    private func answer(to request: BundleRequest) async throws -> BundleResponse {
        let (answers, answer) = AsyncStream.makeStream(
            of: Result<BundleResponse, any Error>.self)
        let fetching = Task { [fetch] in
            do {
                answer.yield(.success(try await fetch(request)))
            } catch {
                answer.yield(.failure(error))
            }
        }
        let due = clock.now.instant + options.patience
        let waiting = Task { [options] in
            try await options.clock.sleep(until: due)
            answer.yield(.failure(RemoteRulesError.silent(options.patience)))
        }
        defer {
            fetching.cancel()
            waiting.cancel()
        }
        for await first in answers { return try first.get() }
        throw CancellationError()
    }
}

// MARK: Following

extension RemoteRules {
    /// The new rules whenever the server has some, for `PopupEngine.follow`: requested immediately,
    /// then repeatedly, while a consumer waits for the next element.
    ///
    /// A refused bundle is an element too. A failure to reach the server isn't; `status` reports
    /// it.
    public nonisolated var updates: Updates { Updates(remote: self) }

    /// See `updates`; ends when the task that waits is cancelled.
    public struct Updates: AsyncSequence, Sendable {
        public typealias Element = Result<RuleSet, any Error>

        let remote: RemoteRules

        public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
            let remote: RemoteRules

            public mutating func next() async -> Element? { await remote.nextUpdate() }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(remote: remote) }
    }

    private func nextUpdate() async -> Updates.Element? {
        while await isDue() {
            switch await refresh() {
            case .new(let rules): return .success(rules)
            case .failed(let error as SignedBundleError): return .failure(error)
            case .unchanged, .failed: continue
            case .underWay: nextInstant = clock.now.instant + options.firstPause
            }
        }
        return nil
    }

    /// Returns when the server is to be asked; false when the task is cancelled.
    private func isDue() async -> Bool {
        while clock.now.instant < nextInstant, !Task.isCancelled {
            try? await clock.sleep(until: nextInstant)
        }
        return !Task.isCancelled
    }
}
