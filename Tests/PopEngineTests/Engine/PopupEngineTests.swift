import PopCEL
import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `An embedded engine` {
    @Test func `shows the popups of the rules, one after the other`() async throws {
        let driver = EngineDriver(
            rules: try .parse(
                """
                schedulers: { main: { gap: 500ms } }
                popups:
                  welcome: { priority: high, hide_after: 3s }
                  tour: {}
                """))
        await driver.start()
        #expect(driver.engine.showing == ["main": "welcome"])
        #expect(driver.engine.waiting["main"] == ["tour"])
        #expect(driver.presenter.screen["main"] == ["welcome"])
        await driver.advance(by: .seconds(3))
        #expect(driver.presenter.screen["main"] == [])
        await driver.advance(by: .milliseconds(500))
        #expect(driver.presenter.screen["main"] == ["tour"])
        driver.engine.userClosed("tour")
        await driver.settle()
        #expect(driver.engine.isEmpty)
        #expect(
            driver.presenter.calls == [
                .willShow("welcome"), .present("welcome"), .dismiss("welcome"),
                .willShow("tour"), .present("tour"), .dismiss("tour"),
            ])
    }

    @Test func `triggers popups by an event of the app, whose payload it checks`()
        async throws
    {
        let driver = EngineDriver(
            rules: try .parse(
                """
                events: { checkout.completed: { total: double } }
                popups: { thanks: { trigger: { event: checkout.completed } } }
                """))
        await driver.start()
        #expect(driver.engine.explain("thanks")?.reason == .notTriggered)
        driver.engine.send("checkout.completed", ["total": "much"])
        await driver.settle()
        #expect(driver.engine.showing.isEmpty)
        driver.engine.send("checkout.completed", ["total": 80])
        await driver.settle()
        #expect(driver.engine.showing == ["main": "thanks"])
    }

    @Test func `lets a presenter cancel or postpone a popup that is about to show`() async throws {
        let driver = EngineDriver(
            rules: try .parse(
                """
                popups:
                  first: { priority: high }
                  second: { priority: normal }
                  third: { priority: low }
                """))
        driver.presenter.answers = ["first": .cancel, "second": .postpone(.seconds(5))]
        await driver.start()
        #expect(driver.engine.showing == ["main": "third"])
        #expect(driver.engine.explain("second")?.reason == .postponed)
        driver.presenter.answers = [:]
        driver.engine.userClosed("third")
        await driver.advance(by: .seconds(5))
        #expect(driver.engine.showing == ["main": "second"])
    }

    @Test func `the engine shows the next popup if a popup cannot be presented`() async throws {
        let driver = EngineDriver(
            rules: try .parse("popups: { broken: { priority: high }, fine: {} }"))
        driver.presenter.failing = ["broken"]
        await driver.start()
        #expect(driver.engine.showing == ["main": "fine"])
        let messages = driver.hostEvents.compactMap { event -> String? in
            if case .failed(_, let message) = event { message } else { nil }
        }
        #expect(messages == ["the test refuses it"])
        #expect(driver.engine.history.popups["broken"]?.shownCount ?? 0 == 0)
    }

    @Test func `waits for animations before it shows the next popup`() async throws {
        let driver = EngineDriver(rules: try .parse("popups: { a: { priority: high }, b: {} }"))
        driver.presenter.animation = .milliseconds(300)
        await driver.start()
        driver.engine.userClosed("a")
        await driver.advance(by: .milliseconds(599))
        #expect(driver.presenter.calls == [.willShow("a"), .present("a"), .dismiss("a")])
        await driver.advance(by: .milliseconds(1))
        #expect(driver.presenter.screen["main"] == ["b"])
    }

    @Test func `the engine handles calls from inside every callback afterwards`() async throws {
        let driver = EngineDriver(
            rules: try .parse(
                "popups: { a: {}, b: { trigger: manual }, c: { trigger: manual } }"))
        let engine = driver.engine
        driver.presenter.onCall = { call in
            switch call {
            case .willShow("a"): engine.enqueue("b")
            case .present("a"):
                engine.dismiss("a")
                engine.enqueue("c")
            case .dismiss("a"): engine.remove("b")
            default: break
            }
        }
        await driver.start()
        #expect(engine.showing == ["main": "c"])
        #expect(driver.presenter.screen["main"] == ["c"])
    }

    @Test func `keeps the visible popup while suspended and shows nothing new until resume`()
        async throws
    {
        let driver = EngineDriver(rules: try .parse("popups: { a: { priority: high }, b: {} }"))
        await driver.start()
        driver.engine.suspend()
        driver.engine.userClosed("a")
        await driver.settle()
        #expect(driver.engine.explain("b")?.reason == .suspended)
        driver.engine.resume()
        await driver.settle()
        #expect(driver.engine.showing == ["main": "b"])
        driver.engine.removeAll()
        await driver.settle()
        #expect(driver.engine.isEmpty)
    }

    @Test func `keeps the order of waiting tasks at a reload and starts new popups`()
        async throws
    {
        let driver = EngineDriver(
            rules: try .parse("popups: { a: { priority: high }, b: {}, c: {} }"))
        await driver.start()
        driver.engine.reload(try .parse("popups: { a: {}, c: {}, d: { priority: high } }"))
        await driver.settle()
        #expect(driver.engine.showing == ["main": "a"])
        #expect(driver.engine.waiting == ["main": ["d", "c"]])
        #expect(
            driver.events.contains { if case .rulesReloaded = $0.kind { true } else { false } })
    }

    @Test func `ends its events when stopped and does nothing more`() async throws {
        let driver = EngineDriver(rules: try .parse("popups: { a: {} }"))
        let events = driver.engine.events
        await driver.engine.stop()
        await driver.start()
        #expect(driver.presenter.calls.isEmpty)
        for await event in events { Issue.record("unexpected: \(event)") }
        for await event in driver.engine.events { Issue.record("unexpected: \(event)") }
    }
}
