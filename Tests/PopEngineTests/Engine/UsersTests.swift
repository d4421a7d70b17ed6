import PopEngine
import PopScheduler
import PopTesting
import Testing

@MainActor
@Suite struct `Switching the user` {
    private let rules = "popups: { a: { cap: { lifetime: 1 } }, b: { priority: low } }"

    @Test func `uses the history of that user, and comes back to the one before`() async throws {
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

    @Test func `to the one who is there ends all tasks and keeps what they left in the history`()
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

    @Test func `a user who is seen again after a restart has the caps used up`() async throws {
        let store = MemoryHistoryStore()
        let first = await EngineDriver(rules: try .parse(rules), user: "ann", history: store)
        await first.start()
        #expect(first.engine.showing == ["main": "a"])
        let second = await EngineDriver(rules: try .parse(rules), user: "ann", history: store)
        await second.start()
        #expect(second.engine.showing == ["main": "b"])
    }
}
