import PopEngine
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `Content that changes while a popup shows` {
    private let driver: EngineDriver
    private var engine: PopupEngine { driver.engine }

    init() throws {
        driver = EngineDriver(
            rules: try .parse(
                """
                templates:
                  bar: { required: { progress: double }, optional: { title: string, done: int } }
                popups:
                  upload:
                    template: bar
                    trigger: manual
                    content: { title: Uploading, progress: 0.0, done: 0 }
                  other: { trigger: manual }
                """))
    }

    private var calls: [RecordingPresenter.Call] { driver.presenter.calls }

    private func content(_ id: String) -> Value? {
        driver.presenter.presented[id]?.resolvedContent
    }

    @Test func `is shown by the presenter without another impression`() async {
        await driver.start()
        engine.enqueue("upload")
        await driver.settle()
        #expect(engine.updateContent(of: "upload", ["progress": 0.4]).isTaken)
        await driver.settle()
        #expect(engine.updateContent(of: "upload", ["progress": 1, "title": "Done"]).isTaken)
        await driver.settle()
        #expect(
            calls == [
                .willShow("upload"), .present("upload"), .update("upload"), .update("upload"),
            ])
        #expect(content("upload") == ["title": "Done", "progress": 1.0, "done": 0])
        #expect(driver.presenter.presented["upload"]?.content["title"] == "Uploading")
        #expect(engine.history.popups["upload"]?.shownCount == 1)
    }

    @Test func `arrives only in its newest version if the main actor is slow`() async {
        await driver.start()
        engine.enqueue("upload")
        await driver.settle()
        // The main actor is busy with this test until it waits.
        for step in 1...1000 { engine.updateContent(of: "upload", ["done": step]) }
        #expect(engine.openWork < 5)
        await driver.settle()
        #expect(calls.filter { $0 == .update("upload") }.count == 1)
        #expect(content("upload")?["done"] == 1000)
    }

    @Test func `keeps only existing fields and types`() async {
        await driver.start()
        engine.enqueue("upload")
        await driver.settle()
        let outcome = engine.updateContent(
            of: "upload", ["progess": 0.5, "done": 0.5, "progress": 0.5])
        #expect(
            outcome.rejections == [
                .badContent(
                    popup: "upload", field: "done",
                    message: "expected an int, found a double"),
                .badContent(
                    popup: "upload", field: "progess",
                    message:
                        "the content has no such field; did you mean `progress`?"
                ),
            ])
        await driver.settle()
        #expect(!calls.contains(.update("upload")))
        let told = driver.hostEvents.filter { if case .rejected = $0 { true } else { false } }
        #expect(told.count == 2)
    }

    @Test func `applies only to a visible popup and stays there`() async {
        await driver.start()
        #expect(engine.updateContent(of: "none", [:]).rejections == [.unknownPopup("none")])
        #expect(
            engine.updateContent(of: "upload", ["progress": 0.1]).remarks
                == [.notOnScreen("upload")])
        engine.enqueue("upload")
        await driver.settle()
        driver.presenter.animation = .seconds(1)
        engine.updateContent(of: "upload", ["progress": 0.5])
        engine.userClosed("upload")
        #expect(
            engine.updateContent(of: "upload", ["progress": 0.9]).remarks
                == [.notOnScreen("upload")])
        await driver.advance(by: .seconds(1))
        // The update that was on its way when the popup began to leave came too late.
        #expect(calls.last == .dismiss("upload"))
        #expect(!calls.contains(.update("upload")))
        driver.presenter.animation = .zero
        engine.enqueue("upload")
        await driver.settle()
        #expect(content("upload")?["progress"] == 0.0)
    }

    @Test func `arrives after present, even while its animation runs`() async {
        await driver.start()
        driver.presenter.animation = .seconds(1)
        engine.enqueue("upload")
        await driver.settle()
        engine.updateContent(of: "upload", ["progress": 0.1])
        await driver.settle()
        #expect(calls == [.willShow("upload"), .present("upload"), .update("upload")])
    }

    @Test func `works for a popup that the app creates itself`() async {
        let size = 3
        await driver.start()
        engine.enqueue(ForeignPopup(id: "sync", content: ["left": size, "name": "photos"]))
        await driver.settle()
        #expect(engine.updateContent(of: "sync", ["left": size - 1]).isTaken)
        await driver.settle()
        #expect(content("sync") == ["left": 2, "name": "photos"])
    }
}
