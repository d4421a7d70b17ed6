// The code of the embedding guide, line by line, so that it compiles. `GuideTests` compares the
// two.
import Foundation
import PopEngine
import PopHistorySQLite
import PopRuleFiles
import PopTestSupport
import PopTesting
import Testing

private enum FirstPopups {
    @MainActor
    final class Screen: Presenter {
        func present(_ popup: Popup) async throws {
            let title: String? = popup.resolvedContent["title"]
            print("show \(popup.id): \(title ?? "")")
        }

        func dismiss(_ popup: Popup) async {
            print("hide \(popup.id)")
        }
    }

    @MainActor
    static func make(_ screen: Screen, _ bundleURL: URL) throws {
        let rules = try RuleSet(bundle: Data(contentsOf: bundleURL))
        let engine = PopupEngine(rules: rules, presenter: screen)
        engine.context["app.screen"] = "map"
        engine.start()
        engine.send("checkout.completed", ["total": 80.0, "currency": "EUR"])

        engine.userClosed("welcome")
        engine.acted("tour", "accept")
        engine.didDisappear("rating_prompt")
    }
}

private enum Content {
    struct Sheet: Decodable {
        var title: String
        var body: String
        var button: String
        var image: URL?
    }

    static func read(_ popup: Popup) throws -> Sheet {
        let sheet = try popup.resolvedContent(as: Sheet.self)
        return sheet
    }
}

@MainActor
private class LastWord {
    var isPlayingVideo = false
    var isKiosk = false

    func willShow(_ popup: Popup) -> WillShowAnswer {
        if isPlayingVideo { return .postpone(.seconds(30)) }
        return popup.template == "survey" && isKiosk ? .cancel : .show
    }
}

extension TypedKey<String> {
    static var screen: Self { TypedKey("app.screen") }
}

private func tell(_ engine: PopupEngine) throws {
    engine.context[.screen] = "map"
    engine.context.update { context in
        context["user.plan"] = "pro"
        context["user.launches"] = (context["user.launches"] ?? 0) + 1
    }
    try engine.context.set(json: #"{"user.id": "ann", "user.tags": ["beta"]}"#)

    let written = engine.context.set("user.plan", to: "gold")
    if written.state == .refused { print(written.rejections) }
    for remark in engine.send("checkout.completed", ["totl": 80.0]).remarks {
        print(remark)
    }
}

private func watch(_ engine: PopupEngine) async -> String {
    for await event in engine.events {
        switch event.kind {
        case .scheduler(.shown(let task)): print("\(task.popup) is on the screen")
        case .scheduler(.dismissed(let task, let reason)): print(task.popup, reason.rawValue)
        case .scheduler(.rejected(let rejection)): print("a call was refused: \(rejection)")
        case .remark(let remark): print("a call was taken, but \(remark)")
        case .historyUnavailable(let message): print("the history goes on in memory: \(message)")
        case .historyRestored: print("the history is kept again")
        default: break
        }
    }
    let reason = engine.explain("rating_prompt")?.reason?.rawValue ?? "it shows"
    return reason
}

@MainActor
private func remember(_ rules: RuleSet, _ screen: any Presenter, folder: String) async throws {
    let history = SQLiteHistoryStore(path: folder + "/popups.sqlite")
    let engine = await PopupEngine(
        rules: rules, presenter: screen, user: "ann", history: history)
    engine.start()
    try await engine.flush()
    await engine.switchUser("bob")
    await engine.switchUser("cyd", context: ["user.plan": "free"], keeping: ["app.screen"])
    try await engine.forget(user: "bob")
    await engine.stop(dismissing: true)
}

private func ship(_ engine: PopupEngine, _ bundleURL: URL) throws {
    let rules = try RuleSet(bundle: Data(contentsOf: bundleURL))
    engine.reload(rules)
}

@MainActor
private func follow(_ screen: any Presenter) throws -> Task<Void, Never> {
    let source = RuleSource("rules")
    let engine = PopupEngine(rules: try source.load().get(), presenter: screen)
    engine.start()
    let following = Task { await engine.follow(source) }
    return following
}

private func queue(_ engine: PopupEngine) {
    engine.enqueue(ForeignPopup(id: "location_alert", priority: 1000)) { context in
        context["app.screen"] == "map"
    }
}

@MainActor
@Suite struct `The test that the guide shows` {
    private let rules: RuleSet

    init() throws {
        rules = try RuleSet.parse("popups: { welcome: { priority: high }, tour: {} }")
    }

    @Test func `the tour waits for the welcome`() async throws {
        let driver = EngineDriver(rules: rules)
        await driver.start()
        #expect(driver.engine.showing == ["main": "welcome"])
        driver.engine.userClosed("welcome")
        await driver.advance(by: .seconds(1))
        #expect(driver.presenter.calls.last == .present("tour"))
    }
}
