import PopCEL
import PopEngine
import PopScheduler
import PopSource
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `A popup that the app creates` {
    private func driver() throws -> EngineDriver {
        EngineDriver(
            rules: try .parse(
                "context: { app.screen: string }\npopups: { a: {}, b: { trigger: manual } }"))
    }

    @Test func `takes its place among the popups of the rules and ends when the app ends it`()
        async throws
    {
        let driver = try driver()
        await driver.start()
        driver.engine.enqueue(ForeignPopup(id: "alert", content: ["title": "Allow?"]))
        driver.engine.enqueue("b")
        #expect(driver.engine.waiting["main"] == ["alert", "b"])
        driver.engine.userClosed("a")
        await driver.settle()
        #expect(driver.engine.showing == ["main": "alert"])
        driver.presenter.lose("alert")
        driver.engine.didDisappear("alert")
        await driver.settle()
        #expect(driver.engine.showing == ["main": "b"])
        #expect(driver.engine.explain("alert") == nil)
    }

    @Test func `waits until its closure is true`() async throws {
        let driver = try driver()
        driver.engine.enqueue(ForeignPopup(id: "alert", priority: 1000)) { context in
            context["app.screen"] == "map"
        }
        await driver.start()
        #expect(driver.engine.showing == ["main": "a"])
        driver.engine.userClosed("a")
        await driver.settle()
        #expect(driver.engine.explain("alert")?.reason == .conditionFalse)
        driver.engine.context["app.screen"] = "map"
        await driver.settle()
        #expect(driver.engine.showing == ["main": "alert"])
    }

    @Test func `is checked again right before it shows`() async throws {
        let driver = try driver()
        let asked = LockedValue(0)
        driver.engine.enqueue(ForeignPopup(id: "alert", priority: 1000)) { _ in
            asked.withLock { asked in
                asked += 1
                return asked == 1
            }
        }
        await driver.start()
        #expect(driver.presenter.calls == [.willShow("a"), .present("a")])
        #expect(driver.engine.waiting["main"] == ["alert"])
    }

    @Test func `is refused if a popup of the rules has its id`() async throws {
        let driver = try driver()
        await driver.start()
        driver.engine.enqueue(ForeignPopup(id: "b"))
        await driver.settle()
        #expect(driver.hostEvents.last == .rejected(.idTaken("b")))
    }
}
