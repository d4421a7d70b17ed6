// The test of the tutorial "Your first popup in an app", line by line, so that it compiles and
// passes. `GuideTests` compares the two.
import PopEngine
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `The test that the tutorial shows` {
    private let rules: RuleSet

    init() throws {
        rules = try RuleSet.parse(
            """
            context: { user.launches: { type: int, default: 0 } }
            events: { checkout.completed: { total: double, currency: string } }
            popups:
              welcome: { when: user.launches <= 3, cap: { lifetime: 1 } }
              thanks:
                trigger: { event: checkout.completed, where: event.total > 50.0 }
                max_wait: 1m
            """)
    }

    @Test func `a new user is greeted once`() async throws {
        let driver = EngineDriver(rules: rules)
        driver.engine.context["user.launches"] = 1
        await driver.start()
        #expect(driver.engine.showing == ["main": "welcome"])

        driver.engine.userClosed("welcome")
        driver.engine.send("checkout.completed", ["total": 80.0, "currency": "EUR"])
        await driver.advance(by: .seconds(1))
        #expect(driver.engine.showing == ["main": "thanks"])
        #expect(driver.presenter.calls.last == .present("thanks"))
    }
}
