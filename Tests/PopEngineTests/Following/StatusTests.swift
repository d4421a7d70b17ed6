import PopEngine
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `The observed status of a popup` {
    private static let rules = """
        context: { ready: { type: bool, default: false }, n: { type: int, default: 0 } }
        popups:
          a: { trigger: manual, when: ready, hide_after: 5s }
          b: { trigger: manual, priority: high }
          later: { trigger: manual, delay: 10s }
        """

    private func driver() throws -> EngineDriver { EngineDriver(rules: try .parse(Self.rules)) }

    @Test func `arrives immediately, and then with each change`() async throws {
        let driver = try driver()
        await driver.start()
        var updates = driver.engine.statusUpdates(of: "a").makeAsyncIterator()
        #expect(await updates.next()?.state == .absent(.notTriggered))
        driver.engine.enqueue("a")
        #expect(await updates.next()?.state == .waiting(.conditionFalse))
        driver.engine.enqueue("b")
        driver.engine.context["n"] = 1
        await driver.settle()
        driver.engine.context["ready"] = true
        let busy = await updates.next()
        #expect(busy?.state == .waiting(.slotBusy))
        #expect(busy?.reason == .slotBusy)
        driver.engine.userClosed("b")
        await driver.settle()
        let showing = await updates.next()
        #expect(showing?.isVisible == true)
        #expect(showing?.until == driver.clock.now.date.adding(.seconds(5)))
        driver.engine.userClosed("a")
        await driver.settle()
        #expect(await updates.next()?.state == .absent(.notTriggered))
        await driver.engine.stop()
        #expect(await updates.next() == nil)
    }

    @Test func `contains until when the popup waits, and that the wait is over`() async throws {
        let driver = try driver()
        await driver.start()
        driver.engine.enqueue("later")
        var updates = driver.engine.statusUpdates(of: "later").makeAsyncIterator()
        let waiting = await updates.next()
        #expect(waiting?.reason == .delayed)
        #expect(waiting?.until == driver.clock.now.date.adding(.seconds(10)))
        await driver.advance(by: .seconds(10))
        #expect(await updates.next()?.isVisible == true)
    }

    @Test func `arrives only in its newest version for a slow reader, and never twice`()
        async throws
    {
        let driver = try driver()
        await driver.start()
        var updates = driver.engine.statusUpdates(of: "a").makeAsyncIterator()
        let first = await updates.next()
        driver.engine.enqueue("a")
        await driver.settle()
        driver.engine.remove("a")
        await driver.settle()
        // The status is the same as at the reader's last look: the change in between is over.
        driver.engine.enqueue("a")
        await driver.settle()
        let second = await updates.next()
        #expect(first?.state == .absent(.notTriggered))
        #expect(second?.state == .waiting(.conditionFalse))
    }

    @Test func `of an unknown popup is unknown until rules declare it`() async throws {
        let driver = try driver()
        await driver.start()
        var updates = driver.engine.statusUpdates(of: "new").makeAsyncIterator()
        let none = await updates.next()
        #expect(none != nil)
        #expect(none?.state == nil)
        driver.engine.reload(try .parse("popups: { new: { trigger: manual } }"))
        #expect(await updates.next()?.state == .absent(.notTriggered))
    }

    @Test func `after the end of the engine arrives once`() async throws {
        let driver = try driver()
        await driver.start()
        await driver.engine.stop()
        var count = 0
        for await status in driver.engine.statusUpdates(of: "a") {
            #expect(status.state == .absent(.notTriggered))
            count += 1
        }
        #expect(count == 1)
    }

    @Test func `costs nothing once no task reads it`() async throws {
        let driver = try driver()
        await driver.start()
        var hasBegun = false
        let reading = Task {
            for await _ in driver.engine.statusUpdates(of: "a") { hasBegun = true }
        }
        while !hasBegun { await Task.yield() }
        await driver.settle()
        reading.cancel()
        await reading.value
        driver.engine.context["n"] = 1
        await driver.settle()
        driver.engine.context["n"] = 2
        #expect(driver.engine.openWork == 0)
    }
}
