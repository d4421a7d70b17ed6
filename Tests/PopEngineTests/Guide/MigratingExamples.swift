// The code of the pages for those who come from another library, line by line.
import PopEngine

private func addCoupon(_ engine: PopupEngine) {
    engine.enqueue("coupon")
    engine.context["app.screen"] = "home"
}

@MainActor
private final class Map {
    var isPlayingVideo = false
    var log: [String] = []

    func explain(_ engine: PopupEngine) {
        engine.enqueue(
            "location_primer",
            calling: PopupCallbacks(
                willShow: { [self] _ in isPlayingVideo ? .cancel : .show },
                shown: { [self] in log.append("didShow") },
                ended: { [self] ending in log.append("didDismiss: \(ending)") }))
    }

    func askTheSystem() {}

    func wait(_ engine: PopupEngine) async {
        if await engine.show("location_primer") == .acted("accept") {
            askTheSystem()
        }
    }
}

private struct Upload {
    let steps: AsyncStream<Double>

    func show(_ engine: PopupEngine) async {
        engine.enqueue("upload")
        for await progress in steps {
            engine.updateContent(of: "upload", ["progress": progress])
        }
        engine.dismiss("upload")
    }

    func stopUpload() {}

    func wait(_ engine: PopupEngine) async {
        if await engine.show("upload") == .acted("cancel") { stopUpload() }
    }
}
