import PopEngine
import PopPresenting

/// Shows what a `PopupScreen` has for this window, over the shop.
///
/// This is all that a toolkit has to do: make a view for a new popup, take it off when it leaves,
/// and say when each animation is over.
@MainActor
final class PopupLayer {
    private struct Shown {
        var popup: PresentedPopup
        let revealer: Widget
    }

    private let overlay: Widget
    private let views: PopupViews
    private var shown: [String: Shown] = [:]

    init(over overlay: Widget, views: PopupViews) {
        self.overlay = overlay
        self.views = views
    }

    func show(_ popup: PresentedPopup?, on lane: String) {
        if let before = shown[lane], before.popup.id != popup?.id {
            overlay.removeOver(before.revealer)
            views.point(at: nil)
            shown[lane] = nil
        }
        guard let popup else { return }
        let revealer = shown[lane]?.revealer ?? addRevealer(for: popup, on: lane)
        shown[lane] = Shown(popup: popup, revealer: revealer)
        revealer.reveal(popup.phase != .leaving)
    }

    private func addRevealer(for popup: PresentedPopup, on lane: String) -> Widget {
        let (view, place) = views.view(for: popup)
        let revealer = Widget.revealer(view, slides: place == .bottom)
        switch place {
        case .everywhere: overlay.addOver(revealer)
        case .top: overlay.addOver(revealer.placed(.center, .start))
        case .bottom: overlay.addOver(revealer.placed(.center, .end))
        }
        revealer.on("notify::child-revealed") { [weak self] in
            guard let shown = self?.shown[lane], shown.popup.id == popup.id else { return }
            if revealer.isRevealed { popup.appeared() } else { popup.disappeared() }
        }
        return revealer
    }
}
