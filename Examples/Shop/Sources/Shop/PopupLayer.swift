import PopEngine
import PopPresenting

/// Shows what a `PopupScreen` has for this window, over the shop.
///
/// This is all that a toolkit has to do: make a view for a new popup, and another one when it says
/// something else, take it off when it leaves, and say when each animation is over.
@MainActor
final class PopupLayer {
    private struct Shown {
        var popup: PresentedPopup
        let revealer: Widget
        /// Holds the view, which is another one once the popup says something else.
        let holder: Widget
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
        var shown = self.shown[lane] ?? added(popup, on: lane)
        if shown.popup.popup.resolvedContent != popup.popup.resolvedContent {
            shown.holder.clear()
            shown.holder.add(views.view(for: popup).0)
        }
        shown.popup = popup
        self.shown[lane] = shown
        shown.revealer.reveal(popup.phase != .leaving)
    }

    private func added(_ popup: PresentedPopup, on lane: String) -> Shown {
        let (view, place) = views.view(for: popup)
        let holder = Widget.column([view], spacing: 0)
        let revealer = Widget.revealer(holder, slides: place == .bottom)
        switch place {
        case .everywhere: overlay.addOver(revealer)
        case .top: overlay.addOver(revealer.placed(.center, .start))
        case .bottom: overlay.addOver(revealer.placed(.center, .end))
        }
        revealer.on("notify::child-revealed") { [weak self] in
            guard let shown = self?.shown[lane], shown.popup.id == popup.id else { return }
            if revealer.isRevealed { popup.appeared() } else { popup.disappeared() }
        }
        return Shown(popup: popup, revealer: revealer, holder: holder)
    }
}
