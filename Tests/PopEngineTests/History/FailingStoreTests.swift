import PopEngine
import PopScheduler
import PopSource
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `A history store that fails` {
    private let rules = "popups: { a: { cap: { lifetime: 1 } }, b: { priority: low } }"

    @Test func `a failing store is reported once, and popups continue from memory`() async throws {
        let store = FlakyStore()
        store.isBroken = true
        let driver = await EngineDriver(rules: try .parse(rules), history: store)
        await driver.start()
        driver.engine.userClosed("a")
        await driver.settle()
        #expect(driver.engine.showing == ["main": "b"])
        #expect(driver.engine.explain("a")?.reason == .lifetimeCap)
        // The first record is written before anything is reported.
        #expect(driver.problems.sorted() == ["failed", "the history could not be read"])
    }

    /// Embedding 11: a damaged file had been replaced by an empty one, and the alarm stayed on
    /// forever.
    @Test func `when it is read is reported as working with the first write (embedding 11)`()
        async throws
    {
        let store = FlakyStore()
        store.isBroken = true
        let driver = await EngineDriver(rules: try .parse(rules), history: store)
        store.isBroken = false
        await driver.settle()
        try await driver.engine.flush()
        #expect(driver.problems == ["the history could not be read"])
        await driver.start()
        #expect(driver.problems == ["the history could not be read", "restored"])
    }

    /// E8: the removal of the file was not reported.
    @Test
    func `a store that can't read the records of other processes is reported`() async throws {
        let store = FlakyStore()
        let driver = await EngineDriver(rules: try .parse(rules), history: store)
        await driver.settle()
        store.isBlind = true
        await driver.start()
        #expect(driver.problems.first == "failed")
        store.isBlind = false
        await driver.advance(by: .seconds(5))
        driver.engine.userClosed("a")
        await driver.settle()
        #expect(driver.problems == ["failed", "restored"])
        #expect(store.inner.history(of: "") == driver.engine.history)
    }

    @Test func `a failing store gets the missed records once it works again`() async throws {
        let store = FlakyStore()
        let driver = await EngineDriver(rules: try .parse(rules), history: store)
        store.isBroken = true
        await driver.start()
        store.isBroken = false
        await driver.advance(by: .seconds(5))
        driver.engine.userClosed("a")
        await driver.settle()
        #expect(driver.problems == ["failed", "restored"])
        #expect(store.inner.history(of: "") == driver.engine.history)
    }

    @Test func `is not called for a while, so that it does not delay every popup`() async throws {
        let store = FlakyStore()
        let driver = await EngineDriver(rules: try .parse(rules), history: store)
        store.isBroken = true
        await driver.start()
        let attempts = store.attempts
        driver.engine.userClosed("a")
        await driver.settle()
        #expect(store.attempts == attempts)
        await driver.advance(by: .seconds(5))
        driver.engine.userClosed("b")
        await driver.settle()
        #expect(store.attempts == attempts + 1)
    }

    @Test func `gets the missed records when the engine stops`() async throws {
        let store = FlakyStore()
        let driver = await EngineDriver(rules: try .parse(rules), history: store)
        let events = driver.engine.events
        store.isBroken = true
        await driver.start()
        store.isBroken = false
        let history = driver.engine.history
        await driver.engine.stop()
        for await _ in events {}
        #expect(store.inner.history(of: "") == history)
    }

    @Test func `is read even in a cancelled task`() async throws {
        let store = SlowStore()
        let rules = try RuleSet.parse(rules)
        let task = Task { @MainActor in await EngineDriver(rules: rules, history: store) }
        task.cancel()
        let driver = await task.value
        await driver.start()
        #expect(driver.engine.showing == ["main": "b"])
    }
}

/// Knows that `a` was shown, unless the task that asks is cancelled.
private struct SlowStore: HistoryStore {
    func history(of user: String) async throws -> History {
        try Task.checkCancellation()
        var history = History()
        history.apply(.impression(popup: "a", date: Timestamp(seconds: 0)))
        return history
    }

    func append(_ records: [HistoryRecord], user: String) async throws {}
    func remove(user: String) async throws {}
}

extension EngineDriver {
    fileprivate var problems: [String] {
        events.compactMap { event in
            switch event.kind {
            case .historyUnavailable(let error): "\(error)"
            case .historyRestored: "restored"
            default: nil
            }
        }
    }
}

final class FlakyStore: HistoryStore {
    struct Failure: Error, CustomStringConvertible { let description: String }

    let inner = MemoryHistoryStore()
    private let broken = LockedValue(false)
    var isBroken: Bool {
        get { broken.withLock { $0 } }
        set { broken.withLock { $0 = newValue } }
    }

    private let blind = LockedValue(false)
    /// True if the store can't report the records of others.
    var isBlind: Bool {
        get { blind.withLock { $0 } }
        set { blind.withLock { $0 = newValue } }
    }

    func hasForeignChanges() async throws -> Bool {
        if isBlind { throw Failure(description: "failed") }
        return false
    }

    func history(of user: String) async throws -> History {
        if isBroken { throw Failure(description: "the history could not be read") }
        return inner.history(of: user)
    }

    private let tries = LockedValue(0)
    var attempts: Int { tries.withLock { $0 } }

    func append(_ records: [HistoryRecord], user: String) async throws {
        tries.withLock { $0 += 1 }
        if isBroken { throw Failure(description: "failed") }
        inner.append(records, user: user)
    }

    func remove(user: String) async throws {
        if isBroken { throw Failure(description: "failed") }
        inner.remove(user: user)
    }
}
