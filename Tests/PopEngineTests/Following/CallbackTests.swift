import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

@MainActor private final class CallLog {
    private(set) var lines: [String] = []

    func note(_ line: String) { lines.append(line) }
}

@MainActor
@Suite struct `Callbacks of a popup` {
    private let driver: EngineDriver
    private let log = CallLog()

    init() throws {
        driver = EngineDriver(
            rules: try .parse(
                """
                templates: { sheet: { actions: [accept, later] } }
                popups:
                  a: { trigger: manual, template: sheet, switch: latent }
                  b: { trigger: manual, priority: high }
                """))
        driver.presenter.onCall = { [log] call in log.note("\(call)") }
    }

    private var callbacks: PopupCallbacks {
        PopupCallbacks(
            willShow: { [log] popup in
                log.note("ask \(popup.id)")
                return .show
            }, shown: { [log] in log.note("shown") },
            acted: { [log] action in log.note("acted \(action)") },
            ended: { [log] ending in log.note("ended \(ending)") })
    }

    private var heard: [String] { log.lines }

    /// E21: a task that awaits `show` keeps the engine alive; callbacks are what doesn't.
    @Test func `don't keep the engine alive (E21)`() async throws {
        weak var released: PopupEngine?
        do {
            let engine = PopupEngine(
                rules: try .parse("popups: { a: { trigger: manual } }"), presenter: IdlePresenter())
            engine.start()
            engine.enqueue("a", calling: callbacks)
            released = engine
        }
        while released != nil || !heard.contains("ended stopped") { await Task.yield() }
    }

    @Test func `arrive in order with the calls of the presenter`() async {
        await driver.start()
        driver.engine.enqueue("a", calling: callbacks)
        await driver.settle()
        driver.engine.acted("a", "later", stays: true)
        driver.engine.acted("a", "accept")
        await driver.settle()
        #expect(
            heard == [
                "ask a", "willShow(\"a\")", "present(\"a\")", "shown", "acted later",
                "acted accept", "dismiss(\"a\")", "ended acted(\"accept\")",
            ])
    }

    @Test func `are released when the task has ended`() async {
        await driver.start()
        driver.engine.enqueue("a", calling: callbacks)
        await driver.settle()
        driver.engine.userClosed("a")
        await driver.settle()
        let before = heard.count
        driver.engine.enqueue("a")
        await driver.settle()
        #expect(heard[before...] == ["willShow(\"a\")", "present(\"a\")"])
    }

    @Test func `can refuse, and the presenter is then not asked`() async {
        await driver.start()
        var callbacks = callbacks
        callbacks.willShow = { _ in .cancel }
        driver.engine.enqueue("a", calling: callbacks)
        await driver.settle()
        #expect(heard == ["ended neverShown(PopScheduler.ReasonCode.cancelled)"])
    }

    @Test func `can postpone the popup`() async {
        await driver.start()
        var callbacks = callbacks
        callbacks.willShow = { [log] _ in
            log.note("not yet")
            return .postpone(.seconds(3))
        }
        driver.engine.enqueue("a", calling: callbacks)
        await driver.settle()
        #expect(driver.engine.explain("a")?.reason == .postponed)
        #expect(heard == ["not yet"])
    }

    @Test func `report again that the popup is visible when it returns`() async {
        await driver.start()
        driver.engine.enqueue("a", calling: PopupCallbacks(shown: callbacks.shown))
        await driver.settle()
        driver.engine.enqueue("b")
        await driver.settle()
        driver.engine.userClosed("b")
        await driver.settle()
        #expect(heard.filter { $0 == "shown" }.count == 2)
    }

    @Test func `report the end even if no task was created, and after the engine has ended`()
        async
    {
        await driver.start()
        let ended = PopupCallbacks(ended: callbacks.ended)
        let outcome = driver.engine.enqueue("none", calling: ended)
        #expect(outcome.rejections == [.unknownPopup("none")])
        driver.engine.enqueue("b", calling: ended)
        await driver.settle()
        await driver.engine.stop()
        driver.engine.enqueue("b", calling: ended)
        await driver.settle()
        #expect(
            heard.filter { $0.hasPrefix("ended") } == [
                "ended refused(PopScheduler.Rejection.unknownPopup(\"none\"))", "ended stopped",
                "ended stopped",
            ])
    }

    @Test func `work for a popup that the app creates itself`() async {
        await driver.start()
        driver.engine.enqueue(ForeignPopup(id: "alert"), calling: callbacks)
        await driver.settle()
        driver.engine.userClosed("alert")
        await driver.settle()
        #expect(heard.last == "ended closed")
    }
}

@MainActor
@Suite struct `A condition that reads data of the main actor` {
    /// A substitute for a view controller.
    @MainActor private final class View { var isFree = false }

    @Test
    func `is evaluated on the main actor, when the context changes and before the popup shows`()
        async throws
    {
        let driver = EngineDriver(rules: try .parse("context: { n: int }\npopups: {}"))
        let view = View()
        await driver.start()
        driver.engine.enqueue(ForeignPopup(id: "alert"), whenOnMain: { _ in view.isFree })
        await driver.settle()
        #expect(driver.engine.explain("alert")?.reason == .conditionFalse)
        view.isFree = true
        driver.engine.context["n"] = 1
        await driver.settle()
        #expect(driver.engine.showing == ["main": "alert"])
    }

    @Test func `is evaluated by poke, and once more right before the popup shows`() async throws {
        let driver = EngineDriver(rules: try .parse("popups: {}"))
        let view = View()
        var asked = 0
        await driver.start()
        driver.engine.enqueue(
            ForeignPopup(id: "alert"),
            whenOnMain: { _ in
                asked += 1
                // Free when it was asked by `poke`, and not any more when it is to show.
                return view.isFree && asked != 3
            })
        await driver.settle()
        view.isFree = true
        driver.engine.poke()
        await driver.settle()
        #expect(asked == 3)
        #expect(driver.presenter.calls.isEmpty)
        driver.engine.poke()
        await driver.settle()
        #expect(driver.presenter.calls.last == .present("alert"))
    }
}
