import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting
import XCTest

/// The tests of an app may be written with XCTest too.
final class XCTestCaseTests: XCTestCase {
    @MainActor
    func testTheDriverServesXCTestToo() async throws {
        let driver = EngineDriver(rules: try .parse("popups: { a: { hide_after: 3s } }"))
        await driver.start()
        XCTAssertEqual(driver.engine.showing, ["main": "a"])
        await driver.advance(by: .seconds(3))
        XCTAssertEqual(
            driver.presenter.calls, [.willShow("a"), .present("a"), .dismiss("a")])
        XCTAssertTrue(driver.engine.isEmpty)
    }
}
