import PopCEL
import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

/// P2: an engine started itself, at times before the context was filled.
@Suite struct `The start of an engine` {
    private static let rules = """
        context: { app.screen: { type: string, default: splash } }
        popups:
          early: { priority: high, when: app.screen == "splash" }
          right: { when: app.screen == "map" }
        """

    @concurrent private func firstShown(_ rules: RuleSet) async -> String? {
        let engine = PopupEngine(rules: rules, presenter: IdlePresenter())
        let events = engine.events
        engine.context["app.screen"] = "map"
        engine.start()
        for await event in events {
            guard case .scheduler(.willShow(let task)) = event.kind else { continue }
            await engine.stop()
            return task.popup
        }
        return nil
    }

    @Test func `uses the context that its creator fills on any thread, 500 times of 500 (P2)`()
        async throws
    {
        let rules = try RuleSet.parse(Self.rules)
        let shown = await withTaskGroup { group in
            for _ in 0..<500 { group.addTask { await firstShown(rules) } }
            var shown: [String: Int] = [:]
            for await popup in group { shown[popup ?? "none", default: 0] += 1 }
            return shown
        }
        #expect(shown == ["right": 500])
    }

    @Test func `is reported after a while if it was forgotten, and explained (P2)`() async throws {
        let clock = VirtualClock()
        var options = EngineOptions()
        options.clock = clock
        let engine = PopupEngine(
            rules: try .parse(Self.rules), presenter: IdlePresenter(), options: options)
        let events = engine.events
        engine.context["app.screen"] = "map"
        #expect(engine.explain("right")?.standstill == CallRemark.notStarted.description)
        // The waking may not have been set yet.
        let passing = Task {
            while !Task.isCancelled {
                clock.advance(by: .seconds(1))
                await Task.yield()
            }
        }
        for await event in events {
            if case .remark(.notStarted) = event.kind { break }
        }
        passing.cancel()
        engine.start()
        #expect(engine.explain("right")?.standstill == nil)
        await engine.stop()
    }

    @Test func `comes before anything shows, whatever was called earlier (embedding 5)`()
        async throws
    {
        let driver = await EngineDriver(
            rules: try .parse(
                """
                context: { app.screen: { type: string, default: splash } }
                events: { e: {} }
                popups:
                  early: { trigger: { event: e }, priority: 9000, when: app.screen == "splash" }
                  sent: { trigger: { event: e } }
                  asked: { trigger: manual, priority: low }
                  begun: { priority: high }
                """))
        let engine = await driver.engine
        #expect(engine.send("e").isTaken && engine.enqueue("asked").isTaken)
        engine.enqueue(ForeignPopup(id: "alert"))
        engine.resume()
        await driver.settle()
        #expect(await driver.presenter.calls == [])
        #expect(engine.waiting == ["main": ["early", "sent", "alert", "asked"]])
        #expect(engine.explain("early")?.reason == .suspended)
        #expect(engine.explain("early")?.standstill == CallRemark.notStarted.description)
        #expect(engine.suspended == ["main"] && engine.suspensions.isEmpty)
        engine.context["app.screen"] = "map"
        await driver.start()
        #expect(await driver.presenter.calls == [.willShow("begun"), .present("begun")])
        #expect(engine.waiting == ["main": ["early", "sent", "alert", "asked"]])
        #expect(engine.suspended.isEmpty && engine.history.events["e"]?.count == 1)
    }

    @Test func `happens once, whoever calls it and however often`() async throws {
        let driver = await EngineDriver(rules: try .parse("popups: { a: {}, b: {} }"))
        await driver.start()
        #expect(await driver.engine.start().isTaken)
        await driver.settle()
        #expect(await driver.hostEvents.count { if case .queued = $0 { true } else { false } } == 2)
    }
}

/// Shows popups immediately, without a screen.
@MainActor
final class IdlePresenter: Presenter {
    func present(_ popup: Popup) async {}
    func dismiss(_ popup: Popup) async {}
}
