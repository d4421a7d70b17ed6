import Foundation
import PopEngine

@MainActor
final class Screen: Presenter {
    func present(_ popup: Popup) async { print("show \(popup.id)") }
    func dismiss(_ popup: Popup) async { print("hide \(popup.id)") }
}

let rules = try RuleSet(bundle: Data(contentsOf: URL(filePath: "rules.popbundle")))
let engine = PopupEngine(rules: rules, presenter: Screen())
engine.start()
for await event in engine.events { print(event) }
