import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

/// Embedding 4: a popup that was asked again immediately blocked all others of its scheduler.
@MainActor
@Suite struct `A popup that is postponed by zero` {
    @Test(arguments: [Duration.zero, .nanoseconds(1), .seconds(-1)])
    func `lets other popups show and is asked again after the shortest time (embedding 4)`(
        duration: Duration
    ) async throws {
        let driver = EngineDriver(rules: try .parse("popups: { a: { priority: high }, b: {} }"))
        driver.presenter.answers = ["a": .postpone(duration)]
        await driver.start()
        #expect(driver.presenter.calls == [.willShow("a"), .willShow("b"), .present("b")])
        driver.presenter.answers = [:]
        driver.engine.userClosed("b")
        await driver.settle()
        #expect(driver.engine.explain("a")?.reason == .postponed)
        await driver.advance(by: EngineLimits.standard.shortestPostponement)
        #expect(driver.engine.showing == ["main": "a"])
    }
}
