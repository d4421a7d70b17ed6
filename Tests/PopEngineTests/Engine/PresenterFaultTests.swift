import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `A presenter that misbehaves` {
    private func driver() throws -> EngineDriver {
        EngineDriver(rules: try .parse("popups: { a: { priority: high }, b: {} }"))
    }

    private func timeouts(_ driver: EngineDriver) -> [String] {
        driver.hostEvents.compactMap { event in
            if case .animationTimeout(let task, let animation) = event {
                "\(task.popup) \(animation.rawValue)"
            } else {
                nil
            }
        }
    }

    @Test func `a presentation that never ends is given up after ten seconds, which is reported`()
        async throws
    {
        let driver = try driver()
        driver.presenter.animation = .seconds(1_000_000)
        await driver.start()
        driver.engine.userClosed("a")
        await driver.advance(by: .seconds(10))
        #expect(timeouts(driver) == ["a present"])
        await driver.advance(by: .seconds(10))
        #expect(timeouts(driver) == ["a present", "a dismiss"])
        #expect(driver.engine.showing == ["main": "b"])
    }

    @Test func `a presenter that returns late disturbs nothing`() async throws {
        let driver = try driver()
        driver.presenter.animation = .seconds(30)
        await driver.start()
        driver.engine.dismiss("a")
        await driver.advance(by: .seconds(20))
        driver.presenter.animation = .zero
        await driver.advance(by: .seconds(60))
        #expect(driver.engine.showing == ["main": "b"])
        let ends = driver.hostEvents.filter { $0.ending != nil }
        #expect(ends.count == 1)
    }

    @Test func `a presenter that throws every time leaves nothing on the screen`() async throws {
        let driver = try driver()
        driver.presenter.failing = ["a", "b"]
        await driver.start()
        #expect(driver.engine.isEmpty)
        #expect(driver.engine.history.popups.values.allSatisfy { $0.shownCount == 0 })
        #expect(driver.hostEvents.filter { $0.ending == .presentationFailed }.count == 2)
    }

    @Test func `a popup ends once if its presenter reports the end twice`() async throws {
        let driver = try driver()
        await driver.start()
        for _ in 0..<2 {
            driver.engine.userClosed("a")
            driver.engine.didDisappear("a")
        }
        await driver.settle()
        #expect(driver.hostEvents.filter { $0.ending != nil }.count == 1)
        #expect(driver.engine.showing == ["main": "b"])
    }
}
