import Observation
import PopEngine
import PopPresenting
import Testing

@MainActor
@Suite struct `The presenter for views` {
    private static let two = """
        templates: { sheet: { actions: [accept] } }
        popups:
          a: { priority: high, template: sheet }
          b: {}
        """

    private func driver(_ rules: String = two) async throws -> ScreenDriver {
        let driver = try ScreenDriver(rules)
        driver.screen.connect(driver.scene)
        driver.engine.start()
        await driver.settle()
        return driver
    }

    /// With the first popup on the screen.
    private func showing(_ rules: String = two) async throws -> (ScreenDriver, PresentedPopup) {
        let driver = try await driver(rules)
        let popup = try #require(driver.screen.shown(in: driver.scene))
        popup.appeared()
        await driver.settle()
        return (driver, popup)
    }

    @Test func `shows a popup when its view has appeared, and not earlier`() async throws {
        let driver = try await driver()
        #expect(driver.main == "a appearing")
        #expect(driver.events == [])
        driver.screen.shown(in: driver.scene)?.appeared()
        await driver.settle()
        #expect(driver.main == "a showing")
        #expect(driver.events == ["shown a"])
    }

    @Test func `continues after a timeout if a view never reports that it appeared`() async throws {
        let driver = try await driver()
        let popup = try #require(driver.screen.shown(in: driver.scene))
        await driver.advance(by: .seconds(10))
        #expect(driver.events == ["timeout a present", "shown a"])
        popup.close()
        await driver.settle()
        #expect(driver.main == "a leaving")
        await driver.advance(by: .seconds(10))
        #expect(driver.main == "b appearing")
        popup.disappeared()
        await driver.settle()
        #expect(driver.main == "b appearing")
    }

    @Test func `closes a popup on a swipe, and shows the next popup when the view has disappeared`()
        async throws
    {
        let (driver, popup) = try await showing()
        popup.close()
        await driver.settle()
        #expect(driver.main == "a leaving")
        popup.close()
        popup.disappeared()
        popup.disappeared()
        await driver.settle()
        #expect(driver.events == ["shown a", "dismissed a USER_CLOSED"])
        #expect(driver.main == "b appearing")
    }

    @Test func `treats a swipe that ends before the engine dismisses as closing too`() async throws
    {
        let (driver, popup) = try await showing()
        popup.close()
        popup.disappeared()
        await driver.settle()
        #expect(driver.events == ["shown a", "dismissed a USER_CLOSED"])
    }

    @Test func `reports a button as an action`() async throws {
        let (driver, popup) = try await showing()
        popup.act("accept", stays: true)
        popup.act("accept")
        await driver.settle()
        popup.disappeared()
        await driver.settle()
        #expect(
            driver.events == [
                "shown a", "acted a accept", "acted a accept", "dismissed a ACTED",
            ])
    }

    @Test func `closes the popup on an action that no template declares`() async throws {
        let (driver, popup) = try await showing()
        popup.act("accpet")
        await driver.settle()
        #expect(driver.main == "a leaving")
        popup.disappeared()
        await driver.settle()
        #expect(driver.events == ["shown a", "dismissed a USER_CLOSED"])
    }

    @Test func `reports a view that disappears by itself`() async throws {
        let (driver, popup) = try await showing()
        popup.disappeared()
        await driver.settle()
        #expect(driver.events == ["shown a", "dismissed a DISAPPEARED"])
        #expect(driver.main == "b appearing")
    }

    @Test func `counts no impression for a popup that disappears while it appears`() async throws {
        let driver = try await driver()
        driver.screen.shown(in: driver.scene)?.disappeared()
        await driver.settle()
        #expect(driver.events == ["dismissed a DISAPPEARED"])
        #expect(driver.main == "b appearing")
    }

    /// E2: its view stayed on the screen, and nothing but the next popup removed it.
    @Test func `removes a popup that the engine ends without asking (E2)`() async throws {
        let (driver, _) = try await showing()
        driver.engine.didDisappear("a")
        await driver.settle()
        #expect(driver.main == "b appearing")
        // While it appears, and with nothing to follow.
        driver.engine.didDisappear("b")
        await driver.settle()
        #expect(driver.main == nil)
        #expect(driver.screen.waitingCalls == 0)
    }

    /// E2: an empty popup came up under the system's alert and stayed.
    @Test func `draws nothing for a popup that the app shows itself (E2)`() async throws {
        let driver = try await driver("popups: { a: { trigger: manual } }")
        var alert = ForeignPopup(id: "location_alert")
        alert.isShownByApp = true
        driver.engine.enqueue(alert)
        await driver.settle()
        #expect(driver.engine.showing == ["main": "location_alert"])
        #expect(driver.main == nil)
        driver.engine.enqueue("a")
        driver.engine.didDisappear("location_alert")
        await driver.settle()
        #expect(driver.main == "a appearing")
        driver.engine.enqueue(alert)
        driver.engine.didDisappear("a")
        await driver.settle()
        driver.engine.remove("location_alert")
        await driver.settle()
        #expect(driver.engine.isEmpty && driver.main == nil && driver.screen.waitingCalls == 0)
    }

    @Test func `dismisses a popup closed during its appearance once it has appeared`() async throws
    {
        let driver = try await driver()
        let popup = try #require(driver.screen.shown(in: driver.scene))
        popup.close()
        await driver.settle()
        #expect(driver.main == "a appearing")
        popup.appeared()
        await driver.settle()
        #expect(driver.main == "a leaving")
        popup.disappeared()
        await driver.settle()
        #expect(driver.events == ["shown a", "dismissed a USER_CLOSED"])
    }

    @Test func `lets the user close a popup that a stopped engine left`() async throws {
        let (driver, popup) = try await showing()
        await driver.engine.stop()
        popup.close()
        #expect(driver.main == "a leaving")
        popup.disappeared()
        #expect(driver.main == nil)
    }

    // MARK: Scenes and obstacles

    @Test func `suspends a scheduler and its popups until a scene exists`() async throws {
        let driver = try ScreenDriver(Self.two)
        driver.engine.start()
        await driver.settle()
        #expect(driver.events == ["postponed a"])
        #expect(driver.engine.explain("b")?.reason?.rawValue == "SUSPENDED")
        await driver.advance(by: .seconds(60))
        #expect(driver.events == ["postponed a"])
        driver.screen.connect(driver.scene)
        await driver.settle()
        #expect(driver.main == "a appearing")
    }

    @Test func `postpones popups for a keyboard, and leaves the visible popup`() async throws {
        let (driver, popup) = try await showing()
        driver.screen.obstruct(by: "keyboard")
        popup.close()
        await driver.settle()
        popup.disappeared()
        await driver.settle()
        #expect(driver.main == nil)
        #expect(driver.events.last == "postponed b")
        await driver.advance(by: .seconds(1))
        driver.screen.clear(by: "keyboard")
        await driver.settle()
        #expect(driver.main == "b appearing")
    }

    @Test func `moves a popup to another scene at the end of its scene, without a new impression`()
        async throws
    {
        let (driver, _) = try await showing()
        let desk = SceneID("desk")
        driver.screen.connect(desk)
        #expect(driver.main == "a showing")
        driver.screen.disconnect(driver.scene)
        #expect(driver.main == nil)
        #expect(driver.text(on: "main", in: desk) == "a showing")
        await driver.settle()
        #expect(driver.events == ["shown a"])
    }

    // MARK: Followers

    @Test func `notifies a following window of each change once, and accepts immediate answers`()
        async throws
    {
        let driver = try ScreenDriver(Self.two)
        var heard: [String] = []
        driver.screen.follow(driver.scene) { lane, popup in
            heard.append("\(lane): " + (popup.map { "\($0.popup.id) \($0.phase)" } ?? "nothing"))
            if popup?.phase == .appearing { popup?.appeared() }
            if popup?.phase == .leaving { popup?.disappeared() }
        }
        driver.engine.start()
        await driver.settle()
        driver.screen.obstruct(by: "alert")
        driver.screen.shown(in: driver.scene)?.close()
        await driver.settle()
        #expect(
            heard == ["main: a appearing", "main: a showing", "main: a leaving", "main: nothing"])
    }

    @Test func `notifies a following window of new content only when the content is new`()
        async throws
    {
        let driver = try ScreenDriver("popups: { a: { content: { title: One } } }")
        var heard: [String] = []
        driver.screen.follow(driver.scene) { _, popup in
            heard.append(popup.map { "\($0.text("title") ?? "") \($0.phase)" } ?? "nothing")
        }
        driver.engine.start()
        await driver.settle()
        // The first task of another engine has the same number.
        let other = try await self.driver("popups: { a: { content: { title: Two } } }")
        let new = try #require(other.screen.shown(in: other.scene)).popup
        driver.screen.update(new)
        driver.screen.update(new)
        driver.screen.shown(in: driver.scene)?.disappeared()
        driver.screen.update(new)
        #expect(heard == ["One appearing", "Two appearing", "nothing"])
    }

    @Test func `notifies observers of what they read`() async throws {
        let (driver, popup) = try await showing()
        let changes = Changes()
        withObservationTracking {
            _ = driver.screen.shown(in: driver.scene)
        } onChange: {
            Task { @MainActor in changes.count += 1 }
        }
        driver.screen.connect(SceneID("desk"), lanes: ["toast"])
        popup.close()
        await driver.settle()
        #expect(changes.count == 1)
    }
}

@MainActor
private final class Changes {
    var count = 0
}
