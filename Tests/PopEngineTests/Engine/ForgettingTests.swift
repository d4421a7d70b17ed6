import PopCEL
import PopEngine
import PopScheduler
import PopSource
import PopTestSupport
import PopTesting
import Testing

/// P3: a running engine continued with its cached data, and nothing erased the current user.
@MainActor
@Suite struct `Forgetting a user (P3)` {
    private let rules = "popups: { a: { cap: { lifetime: 1 } }, b: { priority: low } }"

    private func driver(_ store: any HistoryStore) async throws -> EngineDriver {
        let driver = await EngineDriver(rules: try .parse(rules), user: "ann", history: store)
        await driver.start()
        return driver
    }

    @Test func `also erases the cache for a former user`() async throws {
        let store = MemoryHistoryStore()
        let driver = try await driver(store)
        driver.engine.userClosed("a")
        await driver.settle()
        await driver.engine.switchUser("bob")
        await driver.settle()
        try await driver.engine.forget(user: "ann")
        #expect(store.history(of: "ann") == History())
        await driver.engine.switchUser("ann")
        await driver.settle()
        #expect(driver.engine.history.popups["a"]?.shownCount == 1)
        #expect(driver.engine.showing == ["main": "a"])
    }

    @Test func `lets the current user start from scratch, and the visible popup leaves no trace`()
        async throws
    {
        let store = MemoryHistoryStore()
        let driver = try await driver(store)
        driver.engine.userClosed("a")
        await driver.settle()
        #expect(driver.engine.showing == ["main": "b"])
        try await driver.engine.forget(user: "ann")
        await driver.settle()
        #expect(driver.engine.showing == ["main": "a"])
        #expect(driver.engine.history.popups["b"] == nil)
        try await driver.engine.flush()
        #expect(store.history(of: "ann") == driver.engine.history)
    }

    @Test func `erases a history that is being read`() async throws {
        let store = GatedStore()
        store.close(for: "ann")
        let driver = await EngineDriver(rules: try .parse(rules), user: "bob", history: store)
        await driver.start()
        let engine = driver.engine
        let switching = Task { await engine.switchUser("ann") }
        await store.waitUntilAsked(for: "ann")
        // The history that is being read is older than the call, and is not waited for.
        try await engine.forget(user: "ann")
        store.open()
        _ = await switching.value
        await driver.settle()
        try await engine.flush()
        #expect(store.inner.history(of: "ann") == engine.history)
        #expect(engine.user == "ann")
    }

    @Test func `forgetting a user throws if the store fails, and is retried later (P3)`()
        async throws
    {
        let store = FlakyStore()
        let driver = try await driver(store)
        await driver.engine.switchUser("bob")
        await driver.settle()
        store.isBroken = true
        await #expect(throws: FlakyStore.Failure.self) {
            try await driver.engine.forget(user: "ann")
        }
        #expect(store.inner.history(of: "ann") != History())
        store.isBroken = false
        await driver.engine.switchUser("ann")
        await driver.settle()
        try await driver.engine.flush()
        #expect(driver.engine.history.popups["a"]?.shownCount == 1)
        #expect(store.inner.history(of: "ann") == driver.engine.history)
    }

    /// S-L6.
    @Test func `removals wait up to a limit, each user once, and lost removals are reported`()
        async throws
    {
        let store = FlakyStore()
        let lost = LockedValue<[Int]>([])
        var options = EngineOptions()
        options.clock = VirtualClock()
        options.engineLimits.unsavedRemovals = 3
        options.observer = { event in
            if case .removalsLost(let users) = event.kind { lost.withLock { $0.append(users) } }
        }
        let engine = await PopupEngine(
            rules: try .parse(rules), presenter: IdlePresenter(), user: "ann", history: store,
            options: options)
        for user in ["u1", "u2", "u3", "u4"] {
            store.inner.append([.session(date: Timestamp(seconds: 1))], user: user)
        }
        store.isBroken = true
        // The removals of one user are one.
        for _ in 0..<10 {
            for user in ["u1", "u2", "u3"] {
                await #expect(throws: FlakyStore.Failure.self) {
                    try await engine.forget(user: user)
                }
            }
        }
        for _ in 0..<2 {
            await #expect(throws: TooManyRemovals.self) { try await engine.forget(user: "u4") }
        }
        store.isBroken = false
        try await engine.flush()
        for user in ["u1", "u2", "u3"] { #expect(store.inner.history(of: user) == History()) }
        #expect(store.inner.history(of: "u4") != History())
        try await engine.forget(user: "u4")
        #expect(store.inner.history(of: "u4") == History())
        store.isBroken = true
        for user in ["u1", "u2"] { try? await engine.forget(user: user) }
        await engine.stop()
        #expect(lost.withLock { $0 } == [1, 1, 2])
    }

    @Test func `works on a stopped engine`() async throws {
        let store = MemoryHistoryStore()
        let driver = try await driver(store)
        await driver.engine.stop()
        #expect(store.history(of: "ann") != History())
        try await driver.engine.forget(user: "ann")
        #expect(store.history(of: "ann") == History())
    }
}
