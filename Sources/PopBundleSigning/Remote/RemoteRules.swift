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
        /// The time at which the server is asked next; nil before the first request.
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
        guard let kept = bytes.map({ CachedBundle($0) }) else { return }
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
            let bytes = CachedBundle(accepted.file, etag: etag).bytes
            try await store.save(bytes, issue: accepted.issue) { [ledger] kept in
                ledger.issue(of: CachedBundle(kept).file, unless: accepted.file)
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

/// The options of how often an app asks its server, and how long it waits.
public struct RemoteRulesOptions: Sendable {
    /// From an answer to the next question.
    public var interval = Duration.seconds(6 * 3600)
    /// After a failure; twice as long after the second in succession, and so on.
    public var firstPause = Duration.seconds(10)
    /// The longest that it gets.
    public var longestPause = Duration.seconds(3600)
    /// The longest pause that a server can ask for by `Retry-After`: one forged answer must not
    /// keep the app from asking.
    public var longestRetryAfter = Duration.seconds(24 * 3600)
    /// The random share of each time: with 0.5, between half of the time and all of it, so that the
    /// apps of a server that was down do not come back at the same moment.
    public var jitter = 0.5
    /// The time that the server has to answer a request.
    public var patience = Duration.seconds(60)
    /// The oldest issue that may come in, even when nothing is kept: that of the rules which the
    /// app was built with.
    public var oldestIssue: Int64 = 0
    /// The clock of the fetches.
    public var clock: any MomentClock = SystemClock()
    /// The seed of the random times: the same seed gives the same times.
    public var seed = UInt64.random(in: .min ... .max)

    /// The standard times, to change one by one.
    public init() {}
}

/// When to ask next.
struct RetrySchedule: Sendable {
    private let options: RemoteRulesOptions
    private var generator: SplitMix64
    /// In succession.
    private(set) var failures = 0

    init(_ options: RemoteRulesOptions) {
        self.options = options
        generator = SplitMix64(state: options.seed)
    }

    mutating func succeeded() -> Duration {
        failures = 0
        return drawn(options.interval)
    }

    mutating func failed(retryAfter: Duration?) -> Duration {
        failures += 1
        var pause = options.firstPause
        for _ in 1..<max(failures, 2) where failures > 1 && pause < options.longestPause {
            pause *= 2
        }
        let asked = min(retryAfter ?? .zero, options.longestRetryAfter)
        return max(drawn(min(pause, options.longestPause)), asked)
    }

    private mutating func drawn(_ duration: Duration) -> Duration {
        let jitter = min(max(options.jitter, 0), 1)
        return duration * Double.random(in: (1 - jitter)...1, using: &generator)
    }
}

/// A small generator whose numbers are the same everywhere.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
