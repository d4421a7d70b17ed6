import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `Waiting for the end of a popup` {
    private static let rules = """
        context: { ready: { type: bool, default: true } }
        templates: { sheet: { actions: [accept, later] } }
        popups:
          first: { trigger: manual, template: sheet, when: ready }
          short: { trigger: manual, hide_after: 2s }
          once: { trigger: manual, cap: { lifetime: 1 } }
          hasty: { trigger: manual, when: "!ready", untriggered: discard }
          low: { trigger: manual, priority: low, switch: latent }
          high: { trigger: manual, priority: high }
        """

    private func driver() throws -> EngineDriver { EngineDriver(rules: try .parse(Self.rules)) }

    /// Begins to wait; the call has been made when this returns.
    private func show(_ id: String, on driver: EngineDriver) async -> Task<PopupEnding, Never> {
        await begin(on: driver) { await driver.engine.show(id) }
    }

    private func begin(
        on driver: EngineDriver, show: @escaping @MainActor () async -> PopupEnding
    ) async -> Task<PopupEnding, Never> {
        var hasBegun = false
        let showing = Task {
            // Up to where it waits nothing else runs on the main actor.
            hasBegun = true
            return await show()
        }
        while !hasBegun { await Task.yield() }
        await driver.settle()
        return showing
    }

    @Test func `returns the action that ended the popup, not an action that kept it`()
        async throws
    {
        let driver = try driver()
        await driver.start()
        let showing = await show("first", on: driver)
        driver.engine.acted("first", "later", stays: true)
        driver.engine.acted("first", "accept")
        #expect(await showing.value == .acted("accept"))
    }

    @Test func `returns that the user closed the popup, after the event of its end`() async throws {
        let driver = try driver()
        await driver.start()
        let showing = await show("first", on: driver)
        driver.engine.userClosed("first")
        #expect(await showing.value == .closed)
        let isTold = driver.hostEvents.contains { event in
            if case .dismissed(_, .userClosed) = event { true } else { false }
        }
        #expect(isTold)
    }

    @Test func `returns why the popup was dismissed`() async throws {
        let driver = try driver()
        await driver.start()
        let short = await show("short", on: driver)
        await driver.advance(by: .seconds(2))
        #expect(await short.value == .gone(.timedOut))
        let dismissed = await show("first", on: driver)
        driver.engine.dismiss("first")
        #expect(await dismissed.value == .gone(.dismissed))
        let disappeared = await show("first", on: driver)
        driver.engine.didDisappear("first")
        #expect(await disappeared.value == .gone(.disappeared))
        let removed = await show("first", on: driver)
        driver.engine.remove("first")
        #expect(await removed.value == .gone(.removed))
    }

    @Test func `returns why the popup was never shown`() async throws {
        let driver = try driver()
        await driver.start()
        #expect(await driver.engine.show("hasty") == .neverShown(.discardedUntriggered))
        let once = await show("once", on: driver)
        driver.engine.userClosed("once")
        #expect(await once.value == .closed)
        #expect(await driver.engine.show("once") == .neverShown(.lifetimeCap))
        driver.presenter.answers = ["first": .cancel]
        #expect(await driver.engine.show("first") == .neverShown(.cancelled))
        driver.presenter.answers = [:]
        driver.presenter.failing = ["first"]
        #expect(
            await driver.engine.show("first") == .failed(message: "the test refuses it"))
        driver.engine.context["ready"] = false
        let waiting = await show("first", on: driver)
        driver.engine.dismiss("first")
        #expect(await waiting.value == .neverShown(.dismissedBeforeShown))
        #expect(await driver.engine.show("none") == .refused(.unknownPopup("none")))
    }

    @Test func `outlasts a preemption, until the popup has ended permanently`() async throws {
        let driver = try driver()
        await driver.start()
        let low = await show("low", on: driver)
        let high = await show("high", on: driver)
        #expect(driver.engine.showing == ["main": "high"])
        driver.engine.userClosed("high")
        #expect(await high.value == .closed)
        await driver.settle()
        driver.engine.userClosed("low")
        #expect(await low.value == .closed)
    }

    @Test func `returns that the popup was seen if the presenter refuses it after a preemption`()
        async throws
    {
        let driver = try driver()
        await driver.start()
        let low = await show("low", on: driver)
        _ = await show("high", on: driver)
        let late = await show("low", on: driver)
        driver.presenter.answers = ["low": .cancel]
        driver.engine.userClosed("high")
        #expect(await low.value == .gone(.cancelled))
        #expect(await late.value == .gone(.cancelled))
    }

    @Test func `returns the end of an existing task`() async throws {
        let driver = try driver()
        await driver.start()
        let first = await show("first", on: driver)
        let second = await show("first", on: driver)
        #expect(driver.presenter.calls == [.willShow("first"), .present("first")])
        driver.presenter.animation = .seconds(1)
        driver.engine.acted("first", "accept")
        await driver.settle()
        await driver.advance(by: .seconds(1))
        for showing in [first, second] { #expect(await showing.value == .acted("accept")) }
    }

    /// R4: it gave the end of the task that was leaving.
    @Test func `for a popup that is being dismissed waits for its next task (R4)`() async throws {
        let driver = try driver()
        await driver.start()
        driver.presenter.animation = .seconds(1)
        for id in ["first", "once"] {
            let one = await show(id, on: driver)
            await driver.advance(by: .seconds(1))
            driver.engine.dismiss(id)
            await driver.settle()
            let next = await show(id, on: driver)
            await driver.advance(by: .seconds(1))
            #expect(await one.value == .gone(.dismissed))
            if id == "once" {
                #expect(await next.value == .neverShown(.lifetimeCap))
            } else {
                await driver.advance(by: .seconds(1))
                driver.engine.userClosed(id)
                await driver.advance(by: .seconds(1))
                #expect(await next.value == .closed)
            }
        }
        // No caller waits forever for a popup that is taken back, or whose engine stops.
        for isStopped in [false, true] {
            _ = await show("first", on: driver)
            await driver.advance(by: .seconds(1))
            driver.engine.dismiss("first")
            await driver.settle()
            let next = await show("first", on: driver)
            if isStopped {
                await driver.engine.stop()
                #expect(await next.value == .stopped)
            } else {
                driver.engine.dismiss("first")
                #expect(await next.value == .neverShown(.dismissedBeforeShown))
                await driver.advance(by: .seconds(1))
            }
        }
    }

    @Test func `ends when its Swift task is cancelled, and the popup stays`() async throws {
        let driver = try driver()
        await driver.start()
        let showing = await show("first", on: driver)
        let other = await show("first", on: driver)
        showing.cancel()
        #expect(await showing.value == .waitCancelled)
        #expect(driver.engine.showing == ["main": "first"])
        driver.engine.userClosed("first")
        #expect(await other.value == .closed)
    }

    @Test func `ends with another user, other rules, forgetting and stopping`() async throws {
        let driver = try driver()
        await driver.start()
        let switched = await show("first", on: driver)
        await driver.engine.switchUser("bob")
        #expect(await switched.value == .gone(.userSwitched))
        let forgotten = await show("first", on: driver)
        try await driver.engine.forget(user: "bob")
        #expect(await forgotten.value == .gone(.userSwitched))
        driver.engine.context["ready"] = false
        let reloaded = await show("first", on: driver)
        driver.engine.reload(try .parse("popups: { other: { trigger: manual } }"))
        #expect(await reloaded.value == .neverShown(.removedByReload))
        let stopped = await show("other", on: driver)
        await driver.engine.stop()
        #expect(await stopped.value == .stopped)
        #expect(await driver.engine.show("other") == .stopped)
    }

    @Test func `ends with the reason for the dismissal if the engine stops by dismissing`()
        async throws
    {
        let driver = try driver()
        await driver.start()
        let showing = await show("first", on: driver)
        await driver.engine.stop(dismissing: true)
        #expect(await showing.value == .gone(.dismissed))
    }

    @Test func `works with a popup that the app creates itself`() async throws {
        let driver = try driver()
        await driver.start()
        let showing = await begin(on: driver) {
            await driver.engine.show(ForeignPopup(id: "alert"))
        }
        driver.engine.didDisappear("alert")
        #expect(await showing.value == .gone(.disappeared))
        #expect(
            await driver.engine.show(ForeignPopup(id: "first")) == .refused(.idTaken("first")))
    }

    @Test func `ends even if an observer misses events`() async throws {
        var options = EngineOptions()
        options.clock = VirtualClock()
        options.engineLimits.waitingWork = 1
        let store = GatedStore()
        let engine = await PopupEngine(
            rules: try .parse("events: { e: {} }\n\(Self.rules)"), presenter: IdlePresenter(),
            history: store, options: options)
        store.close(for: "")
        engine.start()
        for _ in 0..<100 { engine.send("e") }
        var hasBegun = false
        let showing = Task {
            hasBegun = true
            return await engine.show("hasty")
        }
        while !hasBegun { await Task.yield() }
        store.open()
        #expect(await showing.value == .neverShown(.discardedUntriggered))
        await engine.stop()
    }
}
