import PopEngine
import PopScheduler
import PopSource
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `Switching the user` {
    private let rules = "popups: { a: { cap: { lifetime: 1 } }, b: { priority: low } }"

    @Test func `uses the history of that user, and returns to the previous user`() async throws {
        let driver = await EngineDriver(
            rules: try .parse(rules), user: "ann", history: MemoryHistoryStore())
        await driver.start()
        #expect(driver.engine.showing == ["main": "a"])
        await driver.engine.switchUser("bob")
        await driver.settle()
        #expect(driver.engine.showing == ["main": "a"])
        await driver.engine.switchUser("ann")
        await driver.settle()
        #expect(driver.engine.showing == ["main": "b"])
        #expect(driver.engine.history.popups["a"]?.shownCount == 1)
        #expect(driver.engine.history.popups["a"]?.lastReason == .userSwitched)
    }

    @Test func `to the current user ends all tasks and keeps their results in the history`()
        async throws
    {
        let store = MemoryHistoryStore()
        let driver = await EngineDriver(
            rules: try .parse(
                """
                popups:
                  back: { switch: latent, priority: low }
                  urgent: { trigger: manual, priority: high }
                """), user: "ann", history: store)
        await driver.start()
        driver.engine.enqueue("urgent")
        await driver.settle()
        #expect(driver.engine.waiting == ["main": ["back"]])
        await driver.engine.switchUser("ann")
        await driver.settle()
        #expect(driver.engine.history.popups["back"]?.lastReason == .userSwitched)
        #expect(driver.engine.history == store.history(of: "ann"))
    }

    @Test func `to a user from before a restart finds the caps used up`() async throws {
        let store = MemoryHistoryStore()
        let first = await EngineDriver(rules: try .parse(rules), user: "ann", history: store)
        await first.start()
        #expect(first.engine.showing == ["main": "a"])
        let second = await EngineDriver(rules: try .parse(rules), user: "ann", history: store)
        await second.start()
        #expect(second.engine.showing == ["main": "b"])
    }

    /// P1: the earlier, slower load won.
    @Test
    func `twice at the same time lets the last call win, however slow the first read is (P1)`()
        async throws
    {
        let store = GatedStore()
        let driver = await EngineDriver(rules: try .parse(rules), user: "ann", history: store)
        await driver.start()
        let engine = driver.engine
        store.close(for: "slow")
        let slow = Task { await engine.switchUser("slow") }
        await store.waitUntilAsked(for: "slow")
        let fast = Task { await engine.switchUser("fast") }
        // The order of the two calls doesn't matter: the gate opens after both calls were made.
        while engine.switchesBegun < 2 { await Task.yield() }
        store.open()
        #expect(await slow.value.state == .superseded)
        #expect(await fast.value.state == .taken)
        await driver.settle()
        engine.userClosed("a")
        await driver.settle()
        #expect(store.inner.history(of: "fast").popups["a"]?.lastReason == .userClosed)
        #expect(store.inner.history(of: "slow") == History())
    }

    @Test func `back to the current user supersedes a user who is still being read (P1)`()
        async throws
    {
        let store = GatedStore()
        let driver = await EngineDriver(rules: try .parse(rules), user: "ann", history: store)
        await driver.start()
        let engine = driver.engine
        store.close(for: "bob")
        let bob = Task { await engine.switchUser("bob") }
        await store.waitUntilAsked(for: "bob")
        #expect(await engine.switchUser("ann").state == .taken)
        store.open()
        #expect(await bob.value.state == .superseded)
        #expect(engine.user == "ann")
    }

    /// P15: the former user's context stayed.
    @Test func `together with the context leaves no data of the former user (P15)`()
        async throws
    {
        let driver = EngineDriver(
            rules: try .parse(
                """
                context:
                  app.screen: { type: string, default: splash }
                  user.plan: { type: string, values: [free, pro], default: free }
                  user.tags: { type: list<string>, default: [] }
                popups:
                  pro: { priority: high, when: user.plan == "pro" }
                  free: { when: user.plan == "free" && app.screen == "map" }
                """),
            context: ["app.screen": "map", "user.plan": "pro", "user.tags": ["beta"]], user: "ann")
        await driver.start()
        #expect(driver.engine.showing == ["main": "pro"])
        let outcome = await driver.engine.switchUser(
            "bob", context: ["user.plan": "gold", "user.tags": ["eu"]], keeping: ["app.screen"])
        await driver.settle()
        let message = "not one of the allowed values"
        #expect(outcome.rejections == [.badValue(key: "user.plan", message: message)])
        #expect(driver.engine.user == "bob")
        #expect(driver.engine.showing == ["main": "free"])
        #expect(
            driver.engine.context.snapshot.values == ["app.screen": "map", "user.tags": ["eu"]])
        #expect(driver.presenter.calls.filter { $0 == .willShow("pro") }.count == 1)
        await driver.engine.switchUser("cyd", context: ["user.plan": "pro"])
        await driver.settle()
        #expect(driver.engine.showing == ["main": "pro"])
        #expect(driver.engine.context["app.screen"] == "splash")
    }
}

/// A store in memory that does not answer about a user before it is opened.
final class GatedStore: HistoryStore {
    private struct Gate {
        var closedFor: String?
        var isAsked = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let inner = MemoryHistoryStore()
    private let gate = LockedValue(Gate())

    func close(for user: String) { gate.withLock { $0.closedFor = user } }

    func open() {
        let waiting = gate.withLock { gate in
            defer { gate.waiting = [] }
            gate.closedFor = nil
            return gate.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func waitUntilAsked(for user: String) async {
        while !gate.withLock(\.isAsked) { await Task.yield() }
    }

    func history(of user: String) async -> History {
        await pass(user)
        return inner.history(of: user)
    }

    func append(_ records: [HistoryRecord], user: String) async {
        await pass(user)
        inner.append(records, user: user)
    }

    func remove(user: String) { inner.remove(user: user) }

    private func pass(_ user: String) async {
        await withCheckedContinuation { continuation in
            let isOpen = gate.withLock { gate in
                guard gate.closedFor == user else { return true }
                gate.isAsked = true
                gate.waiting.append(continuation)
                return false
            }
            if isOpen { continuation.resume() }
        }
    }
}
