import PopEngine
import PopRuleFiles
import Testing

/// The README's example: the code of an app that shows popups from a folder of rules.
@MainActor
final class Screen: Presenter {
    func present(_ popup: Popup) async {
        let title: String? = popup.content["title"]
        print("show \(popup.id): \(title ?? "")")
    }
    func dismiss(_ popup: Popup) async { print("hide \(popup.id)") }
}

@MainActor
private func makeEngine(screen: Screen) throws -> PopupEngine {
    let rules = try RuleSet.load("rules").get()
    let engine = PopupEngine(rules: rules, presenter: screen)
    engine.context["app.screen"] = "map"
    engine.start()
    engine.send("checkout.completed", ["total": 80.0, "currency": "EUR"])
    return engine
}

@Suite struct `The ten lines of the README` {
    @Test func `compile with only PopEngine and PopRuleFiles`() async throws {
        // The folder doesn't exist if the tests run elsewhere: then that error is thrown.
        _ = try? await makeEngine(screen: Screen())
    }
}
