// A shop in a window whose popups come from rules. `--rules FOLDER` takes others than those of the
// repository, `--journal FILE` writes down what happens.
import Foundation
import PopEngine
import PopPresenting
import PopRuleFiles

func option(_ name: String) -> String? {
    let words = CommandLine.arguments
    return zip(words, words.dropFirst()).first { $0.0 == name }?.1
}

let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../rules").standardized.path
let source = RuleSource(option("--rules") ?? folder)
let journal = try option("--journal").map { try Journal(path: $0) }

var settings = EngineOptions()
settings.observer = { event in journal?.note(event) }
let screen = PopupScreen()
let engine = PopupEngine(rules: try source.load().get(), presenter: screen, options: settings)
screen.engine = engine
engine.zoneChanged(TimeZone.current.identifier)

guard GTK.start() else {
    print("The shop needs a graphical display.")
    exit(1)
}
Widget.useStyles(styles)
let shop = Shop(engine: engine)
let window = ShopWindow(shop)
let layer = PopupLayer(
    over: window.overlay, views: PopupViews(shop: shop, anchors: window.anchors))
screen.follow(SceneID("window"), lanes: ["main", "toast"]) { lane, popup in
    layer.show(popup, on: lane)
    if let popup { journal?.note(popup) }
}
engine.start()

// Rules that are edited while the shop runs take effect at once.
let following = engine.startFollowing(source)
if let journal {
    var told: [String: [Int]] = [:]
    GTK.every(milliseconds: 100) {
        let areas = window.window.areas
        if areas != told { journal.note(areas) }
        told = areas
    }
}
GTK.run(until: window.window)
