import Foundation
import PopBundleSigning
import PopEngine
import PopSource
import PopTesting
import Testing

/// A server of a test: it gives prepared answers, and records the requests.
private final class Server: Sendable {
    private struct State {
        var answers: [Result<BundleResponse, any Error>] = []
        var asked: [BundleRequest] = []
    }

    private let state = LockedValue(State())

    struct Down: Error {}

    func say(_ response: BundleResponse) {
        state.withLock { $0.answers.append(.success(response)) }
    }
    func fail() { state.withLock { $0.answers.append(.failure(Down())) } }

    var asked: [BundleRequest] { state.withLock { $0.asked } }

    /// A server without a prepared answer never answers.
    func answer(_ request: BundleRequest) async throws -> BundleResponse {
        let answer = state.withLock { state in
            state.asked.append(request)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        if let answer { return try answer.get() }
        try await Task.sleep(for: .seconds(3600))
        throw Down()
    }
}

private final class Shelf: BundleStore {
    private let kept: LockedValue<[UInt8]?>
    private let isFull = LockedValue(false)
    private let isLocked = LockedValue(false)

    struct Full: Error {}
    struct Locked: Error {}

    init(_ bytes: [UInt8]? = nil) { kept = LockedValue(bytes) }

    var bytes: [UInt8]? { kept.withLock { $0 } }
    func fill() { isFull.withLock { $0 = true } }

    func lock(_ isLocked: Bool) { self.isLocked.withLock { $0 = isLocked } }

    func load() async throws -> [UInt8]? {
        if isLocked.withLock({ $0 }) { throw Locked() }
        return bytes
    }
    func save(_ bytes: [UInt8]) async throws {
        if isFull.withLock({ $0 }) { throw Full() }
        kept.withLock { $0 = bytes }
    }
}

@Suite struct `Fetched rules` {
    private let server = Server()
    private let shelf = Shelf()
    private let clock = VirtualClock(date: Fixtures.monday)

    private func remote(_ store: (any BundleStore)? = nil, oldestIssue: Int64 = 0) -> RemoteRules {
        var options = RemoteRulesOptions()
        options.clock = clock
        options.seed = 1
        options.oldestIssue = oldestIssue
        return RemoteRules(
            key: Fixtures.key.publicKey, keptIn: store ?? shelf, options: options
        ) { [server] request in try await server.answer(request) }
    }

    private func popups(_ rules: RuleSet?) -> [String]? { rules?.popups.map(\.id) }

    private func new(_ outcome: RemoteRules.Outcome) -> [String]? {
        if case .new(let rules) = outcome { popups(rules) } else { nil }
    }

    private func error(_ outcome: RemoteRules.Outcome) -> (any Error)? {
        if case .failed(let error) = outcome { error } else { nil }
    }

    @Test func `are loaded, kept, and requested with their entity tag from then on`() async throws {
        let remote = remote()
        #expect(await remote.rules() == nil)
        server.say(
            BundleResponse(
                status: 200, etag: "\"a\"", data: try Fixtures.signed("sale", issue: 7)))
        #expect(new(await remote.refresh()) == ["sale"])
        #expect(popups(await remote.rules()) == ["sale"])
        server.say(BundleResponse(status: 304))
        guard case .unchanged = await remote.refresh() else {
            Issue.record("nothing is new")
            return
        }
        let restarted = self.remote()
        #expect(popups(await restarted.rules()) == ["sale"])
        server.say(BundleResponse(status: 304))
        _ = await restarted.refresh()
        #expect(server.asked.map(\.etag) == [nil, "\"a\"", "\"a\""])
        #expect(server.asked.last?.headers == ["If-None-Match": "\"a\""])
        let status = await restarted.status
        #expect(status.issue == 7)
        #expect(status.lastSuccess == Fixtures.monday)
        #expect(status.lastError == nil && status.faultOfKept == nil)
    }

    @Test func `stay unchanged when a bundle is refused`() async throws {
        let remote = remote()
        let good = try Fixtures.signed("good", issue: 7)
        server.say(BundleResponse(status: 200, etag: "a", data: good))
        _ = await remote.refresh()
        let kept = shelf.bytes
        let refused: [([UInt8], SignedBundleError)] = [
            (try Fixtures.signed("forged", issue: 9, with: Fixtures.otherKey), .notGenuine),
            (try Fixtures.signed("older", issue: 6), .older(issue: 6, seen: 7)),
            (try Fixtures.bundle("unsigned"), .notSigned),
        ]
        for (file, expected) in refused {
            server.say(BundleResponse(status: 200, etag: "b", data: file))
            #expect(error(await remote.refresh()) as? SignedBundleError == expected)
            #expect(popups(await remote.rules()) == ["good"])
            #expect(shelf.bytes == kept)
        }
        #expect(await remote.status.failures == 3)
        #expect(await remote.status.lastError as? SignedBundleError == .notSigned)
        #expect(server.asked.last?.etag == "a")
    }

    @Test func `are not used if they cannot be saved`() async throws {
        let remote = remote()
        shelf.fill()
        server.say(BundleResponse(status: 200, data: try Fixtures.signed("sale", issue: 7)))
        #expect(error(await remote.refresh()) is Shelf.Full)
        #expect(await remote.rules() == nil)
        #expect(await remote.status.issue == 0)
    }

    @Test func `are requested from scratch if the saved rules are damaged, expired or too old`()
        async throws
    {
        let damaged = remote(Shelf(Array("popbundle-kept 1 YQ==\npopbundle-signed".utf8)))
        #expect(await damaged.rules() == nil)
        #expect(await damaged.status.faultOfKept as? SignedBundleError == .notSigned)
        server.say(BundleResponse(status: 200, data: try Fixtures.signed("sale", issue: 1)))
        #expect(new(await damaged.refresh()) == ["sale"])
        #expect(server.asked.last?.etag == nil)

        let old = Shelf(try Fixtures.signed("old", issue: 3, expires: Fixtures.monday))
        let expired = remote(old)
        #expect(await expired.rules() == nil)
        #expect(
            await expired.status.faultOfKept as? SignedBundleError == .expired(Fixtures.monday))
        #expect(await expired.status.issue == 3)
        let updated = remote(old, oldestIssue: 5)
        #expect(await updated.rules() == nil)
        #expect(
            await updated.status.faultOfKept as? SignedBundleError == .older(issue: 3, seen: 5))
    }

    @Test
    func `rules are requested after longer and longer pauses while the server fails`() async throws
    {
        let remote = remote()
        var pauses: [Duration] = []
        for _ in 0..<12 {
            server.say(BundleResponse(status: 503))
            #expect(error(await remote.refresh()) as? RemoteRulesError == .status(503))
            let next = try #require(await remote.status.nextAttempt)
            pauses.append(next.duration(since: Fixtures.monday))
        }
        for (place, pause) in pauses.enumerated() {
            let most = min(Duration.seconds(10) * (1 << place), .seconds(3600))
            #expect(pause <= most && pause >= most / 2, "\(place): \(pause)")
        }
        server.fail()
        #expect(error(await remote.refresh()) is Server.Down)
        #expect(await remote.status.failures == 13)
        server.say(BundleResponse(status: 503, retryAfter: .seconds(7200)))
        _ = await remote.refresh()
        #expect(
            await remote.status.nextAttempt?.duration(since: Fixtures.monday) == .seconds(7200))
        // S-M11: one forged answer stopped the app from asking until it restarted.
        server.say(BundleResponse(status: 503, retryAfter: .seconds(Int64.max)))
        _ = await remote.refresh()
        #expect(
            await remote.status.nextAttempt?.duration(since: Fixtures.monday) == .seconds(86_400))
        server.say(BundleResponse(status: 304))
        _ = await remote.refresh()
        #expect(await remote.status.failures == 0)
    }

    /// S-H8
    @Test func `rules are not replaced until the saved rules can be read, which is retried`()
        async throws
    {
        let new = try Fixtures.signed("new", issue: 8)
        let shelf = Shelf(new)
        shelf.lock(true)
        let remote = remote(shelf)
        #expect(await remote.rules() == nil)
        #expect(await remote.status.faultOfKept is Shelf.Locked)
        let old = BundleResponse(status: 200, data: try Fixtures.signed("old", issue: 7))
        for failures in 1...2 {
            #expect(error(await remote.refresh()) is Shelf.Locked)
            #expect(await remote.status.failures == failures)
        }
        #expect(server.asked.isEmpty)
        #expect(shelf.bytes == new)
        shelf.lock(false)
        server.say(old)
        let refused = error(await remote.refresh()) as? SignedBundleError
        #expect(refused == .older(issue: 7, seen: 8))
        #expect(await remote.status.faultOfKept == nil)
        #expect(shelf.bytes == new)
        server.say(BundleResponse(status: 304))
        let late = await remote.refresh()
        #expect(self.new(late) == ["new"], "those that were kept are told late")
        server.say(BundleResponse(status: 304))
        guard case .unchanged = await remote.refresh() else {
            Issue.record("they are told once")
            return
        }
    }

    /// S-H8
    @Test func `older than the highest issue are refused even if the saved bundle is lost`()
        async throws
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "kept.popbundle").path
        let first = remote(BundleFile(path: path))
        server.say(BundleResponse(status: 200, data: try Fixtures.signed("new", issue: 8)))
        #expect(new(await first.refresh()) == ["new"])
        try FileManager.default.removeItem(atPath: path)
        let restarted = remote(BundleFile(path: path))
        #expect(await restarted.rules() == nil)
        server.say(BundleResponse(status: 200, data: try Fixtures.signed("old", issue: 7)))
        let refused = error(await restarted.refresh()) as? SignedBundleError
        #expect(refused == .older(issue: 7, seen: 8))
        server.say(BundleResponse(status: 200, data: try Fixtures.signed("new", issue: 8)))
        #expect(new(await restarted.refresh()) == ["new"])
    }

    /// S-H8: two instances on one file, of which one doesn't know the rules that the other has
    /// accepted.
    @Test
    func `RemoteRules never replaces newer rules that another RemoteRules fetched`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "kept.popbundle").path
        let (one, other) = (remote(BundleFile(path: path)), remote(BundleFile(path: path)))
        #expect(await other.rules() == nil)
        server.say(BundleResponse(status: 200, data: try Fixtures.signed("new", issue: 9)))
        #expect(new(await one.refresh()) == ["new"])
        let kept = FileManager.default.contents(atPath: path)
        server.say(BundleResponse(status: 200, data: try Fixtures.signed("old", issue: 8)))
        let refused = error(await other.refresh()) as? SignedBundleError
        #expect(refused == .older(issue: 8, seen: 9))
        #expect(FileManager.default.contents(atPath: path) == kept)
        // It continues with the rules that the other instance has stored.
        server.say(BundleResponse(status: 304))
        #expect(new(await other.refresh()) == ["new"])
        #expect(await other.status.issue == 9)
    }

    @Test func `are requested at the same times for the same seed`() async throws {
        var nexts: [Timestamp?] = []
        for _ in 0..<2 {
            let remote = remote()
            server.say(BundleResponse(status: 500))
            _ = await remote.refresh()
            nexts.append(await remote.status.nextAttempt)
        }
        #expect(nexts[0] == nexts[1] && nexts[0] != nil)
    }

    @Test func `are waited for only as long as the timeout allows`() async throws {
        let remote = remote()
        async let outcome = remote.refresh()
        while server.asked.isEmpty { await Task.yield() }
        guard case .underWay = await remote.refresh() else {
            Issue.record("a fetch is under way")
            return
        }
        clock.advance(by: .seconds(60))
        #expect(error(await outcome) as? RemoteRulesError == .silent(.seconds(60)))
    }

    @Test func `whose request is cancelled do not count as failed`() async throws {
        let remote = remote()
        let fetching = Task { await remote.refresh() }
        while server.asked.isEmpty { await Task.yield() }
        fetching.cancel()
        #expect(error(await fetching.value) is CancellationError)
        #expect(await remote.status.failures == 0)
        server.say(BundleResponse(status: 200, data: try Fixtures.signed("sale", issue: 7)))
        #expect(new(await remote.refresh()) == ["sale"])
    }

    @Test func `are saved in a file with their entity tag, also a file of SignedRules`()
        async throws
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "kept.popbundle").path
        let first = remote(BundleFile(path: path))
        #expect(await first.rules() == nil)
        #expect(await first.status.faultOfKept == nil)
        server.say(
            BundleResponse(
                status: 200, etag: "W/\"x y\"", data: try Fixtures.signed("sale", issue: 7)))
        _ = await first.refresh()
        let second = remote(BundleFile(path: path))
        #expect(popups(await second.rules()) == ["sale"])
        server.say(BundleResponse(status: 304))
        _ = await second.refresh()
        #expect(server.asked.last?.etag == "W/\"x y\"")

        let other = folder.url.appending(path: "other.popbundle").path
        var rules = SignedRules(key: Fixtures.key.publicKey, keptAt: other, at: Fixtures.monday)
        try rules.take(try Fixtures.signed("kept", issue: 2), at: Fixtures.monday)
        #expect(popups(await remote(BundleFile(path: other)).rules()) == ["kept"])
    }
}

@MainActor
@Suite struct `An engine that follows a server` {
    private let server = Server()
    private let clock = VirtualClock(date: Fixtures.monday)

    private func remote() -> RemoteRules {
        var options = RemoteRulesOptions()
        options.clock = clock
        options.seed = 1
        options.interval = .seconds(100)
        // The clock runs ahead of any answer.
        options.patience = .seconds(1_000_000)
        return RemoteRules(
            key: Fixtures.key.publicKey, keptIn: Shelf(), options: options
        ) { [server] request in try await server.answer(request) }
    }

    /// Lets time pass until the server was asked so often.
    private func wait(for count: Int) async {
        while server.asked.count < count {
            clock.advance(by: .seconds(10))
            for _ in 0..<100 where server.asked.count < count { await Task.yield() }
        }
    }

    @Test func `applies new rules immediately, and reports refused rules`() async throws {
        let driver = EngineDriver(rules: RuleSet())
        await driver.start()
        server.say(BundleResponse(status: 200, data: try Fixtures.signed("sale", issue: 1)))
        server.say(BundleResponse(status: 503))
        server.say(BundleResponse(status: 200, data: Array("no".utf8)))
        server.say(BundleResponse(status: 200, data: try Fixtures.signed("more", issue: 2)))
        let remote = remote()
        let engine = driver.engine
        let following = Task { await engine.follow(remote.updates) }
        await wait(for: 5)
        await driver.settle()
        #expect(engine.explain("more") != nil)
        let refused = driver.events.filter {
            if case .rulesRefused = $0.kind { true } else { false }
        }
        #expect(refused.count == 1)
        following.cancel()
        await following.value
    }

    @Test func `applies new rules when the next session starts, if configured so`() async throws {
        let driver = EngineDriver(rules: RuleSet())
        let engine = driver.engine
        await driver.start()
        server.say(BundleResponse(status: 200, data: try Fixtures.signed("sale", issue: 1)))
        let remote = remote()
        let following = Task { await engine.follow(remote.updates, rollOut: .betweenSessions) }
        await wait(for: 2)
        await driver.settle()
        #expect(engine.explain("sale") == nil)
        engine.beginSession()
        await driver.settle()
        #expect(engine.showing == ["main": "sale"])
        following.cancel()
        await following.value
    }
}
