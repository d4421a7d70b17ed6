import PopEngine
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `Rules that wait for the next session` {
    private let driver: EngineDriver
    private let new: RuleSet

    init() throws {
        driver = EngineDriver(
            rules: try .parse("session: { timeout: 30m }\npopups: { old: { trigger: manual } }"))
        new = try .parse(
            "session: { timeout: 30m }\npopups: { new: { trigger: session } }")
    }

    @Test func `come into force when the session starts, with the popups it triggers`() async {
        await driver.start()
        driver.engine.reload(new, rollOut: .betweenSessions)
        #expect(driver.engine.explain("new") == nil)
        driver.engine.beginSession()
        await driver.settle()
        #expect(driver.engine.showing == ["main": "new"])
    }

    @Test func `come into force when the app returns after the timeout, and not earlier`() async {
        await driver.start()
        driver.engine.reload(new, rollOut: .betweenSessions)
        driver.engine.background()
        await driver.advance(by: .seconds(60))
        driver.engine.foreground()
        #expect(driver.engine.explain("new") == nil)
        driver.engine.background()
        await driver.advance(by: .seconds(1800))
        driver.engine.foreground()
        await driver.settle()
        #expect(driver.engine.showing == ["main": "new"])
    }

    @Test func `are replaced by rules that are loaded in the meantime`() async throws {
        await driver.start()
        driver.engine.reload(new, rollOut: .betweenSessions)
        driver.engine.reload(try .parse("popups: { newest: {} }"), rollOut: .atOnce)
        driver.engine.beginSession()
        #expect(driver.engine.explain("new") == nil)
        #expect(driver.engine.explain("newest") != nil)
    }

    @Test func `do not wait before the engine starts`() {
        driver.engine.reload(new, rollOut: .betweenSessions)
        #expect(driver.engine.explain("new") != nil)
    }
}
