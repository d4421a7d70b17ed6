import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `The events of an engine` {
    @Test func `reach every subscriber in the same order, numbered`() async throws {
        let driver = EngineDriver(rules: try .parse("popups: { a: {} }"))
        let first = driver.engine.events
        let second = driver.engine.events
        await driver.start()
        driver.engine.userClosed("a")
        await driver.settle()
        await driver.engine.stop()
        var numbers: [[UInt64]] = []
        for events in [first, second] {
            var seen: [UInt64] = []
            for await event in events { seen.append(event.number) }
            numbers.append(seen)
        }
        #expect(numbers == [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5]])
        #expect(
            driver.hostEvents.map(\.word) == [
                "queued", "willShow", "shown", "willDismiss", "dismissed",
            ])
    }

    @Test func `lose the oldest for a slow subscriber, and their numbers show the gap`()
        async throws
    {
        let driver = EngineDriver(rules: try .parse("popups: { a: {} }"))
        let events = driver.engine.events(buffering: 2)
        await driver.start()
        driver.engine.userClosed("a")
        await driver.settle()
        await driver.engine.stop()
        var numbers: [UInt64] = []
        for await event in events { numbers.append(event.number) }
        #expect(numbers == [4, 5])
    }

    /// E20: a task that asked for the events itself missed the first ones.
    @Test(arguments: 0..<200)
    func `reach a task from the first event on if they were requested before it started (E20)`(
        round: Int
    ) async throws {
        let engine = PopupEngine(
            rules: try .parse("popups: { a: {} }"), presenter: IdlePresenter())
        let events = engine.events
        let first = Task {
            for await event in events { return event.number }
            return UInt64(0)
        }
        engine.start()
        #expect(await first.value == 1)
        await engine.stop()
    }

    @Test func `stop reaching a subscriber that has left`() async throws {
        let driver = EngineDriver(rules: try .parse("popups: { a: {} }"))
        let task = Task { [engine = driver.engine] in
            for await _ in engine.events { return }
        }
        await driver.start()
        driver.engine.enqueue("a")
        await task.value
        driver.engine.enqueue("a")
        await driver.settle()
        #expect(driver.engine.showing == ["main": "a"])
    }
}

extension HostEvent {
    fileprivate var word: String {
        String("\(self)".prefix { $0 != "(" })
    }
}
