import PopDebugging
import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `The debugger` {
    private func driver(
        _ text: String, history: any HistoryStore = MemoryHistoryStore()
    ) async throws -> EngineDriver {
        await EngineDriver(rules: try RuleSet.parse(text), history: history)
    }

    private static let shop = """
        context: { app.screen: { type: string, default: splash } }
        popups:
          tip: { priority: low, when: app.screen == "map" }
          sale: { priority: high, trigger: manual, cap: { lifetime: 1 } }
          off: { enabled: false }
        """

    @Test func `lists the popups in their order, with reasons and explanations`() async throws {
        let driver = try await driver(Self.shop)
        await driver.start()
        let popups = driver.engine.debug.popups
        #expect(popups.map(\.id) == ["sale", "off", "tip"])
        #expect(popups.map(\.reason) == [.notTriggered, .disabled, .conditionFalse])
        #expect(
            popups[2].text == """
                `tip` does not show: CONDITION_FALSE, its condition is not met
                `app.screen == "map"` is false; `app.screen` is "splash"
                """)
        #expect(driver.engine.debug.why("tip") == popups[2].text)
        #expect(driver.engine.debug.why("nobody") == nil)
    }

    @Test func `gives an explanation as text, without further calls`() async throws {
        let driver = try await driver(Self.shop)
        await driver.start()
        #expect(
            driver.engine.explain("tip")?.text == """
                `tip` does not show: CONDITION_FALSE, its condition is not met
                `app.screen == "map"` is false; `app.screen` is "splash"
                it is number 1 of 1 in the queue of `main`
                """)
    }

    @Test func `shows a popup regardless of its rule`() async throws {
        let driver = try await driver(Self.shop)
        await driver.start()
        #expect(driver.engine.debug.force("off").isTaken)
        await driver.settle()
        #expect(driver.engine.showing == ["main": "off"])
        driver.engine.debug.force("tip")
        await driver.settle()
        #expect(driver.engine.showing == ["main": "tip"])
        #expect(driver.engine.history.popups["tip"]?.shownCount == 1)
        #expect(!driver.engine.debug.force("nobody").isTaken)
    }

    @Test func `erases the history of a popup, in the store too`() async throws {
        let store = MemoryHistoryStore()
        let driver = try await driver(Self.shop, history: store)
        await driver.start()
        driver.engine.enqueue("sale")
        await driver.settle()
        driver.engine.userClosed("sale")
        await driver.settle()
        #expect(driver.engine.explain("sale")?.reason == .lifetimeCap)
        try await driver.engine.debug.reset("sale")
        #expect(driver.engine.explain("sale")?.reason == .notTriggered)
        #expect(driver.engine.history.popups["sale"] == nil)
        #expect(store.history(of: "").popups["sale"] == nil)
    }

    @Test func `keeps the position of a popup that is animating in while it is erased`()
        async throws
    {
        let store = MemoryHistoryStore()
        let driver = try await driver(Self.shop, history: store)
        driver.presenter.animation = .seconds(1)
        await driver.start()
        driver.engine.enqueue("sale")
        await driver.settle()
        let places = { [driver.engine.history, store.history(of: "")].map { $0.popups["sale"] } }
        #expect(places().map { $0?.reservations.count } == [1, 1])
        try await driver.engine.debug.reset("sale")
        await driver.settle()
        #expect(places().map { $0?.reservations.count } == [1, 1])
        await driver.advance(by: .seconds(1))
        #expect(places().map { $0?.shownCount } == [1, 1])
        #expect(places().map { $0?.reservations.count } == [0, 0])
    }

    @Test func `reports that a store cannot erase a popup`() async throws {
        let driver = try await driver(Self.shop, history: UserStore())
        await driver.start()
        await #expect(throws: PopupStays.self) {
            try await driver.engine.debug.reset("sale")
        }
    }
}

/// A store that knows only users.
private struct UserStore: HistoryStore {
    func history(of user: String) async throws -> History { History() }
    func append(_ records: [HistoryRecord], user: String) async throws {}
    func remove(user: String) async throws {}
}
