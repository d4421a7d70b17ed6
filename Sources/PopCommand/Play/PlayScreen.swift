import PopCEL
import PopEngine
import PopScheduler

/// The presenter: keeps the popups on the screen, for the page to draw.
@MainActor
final class PlayScreen: Presenter {
    private var shown: [String: PlayState.Shown] = [:]
    private var presentations: [String: PresentationID] = [:]
    /// Returns the placeholder values of a popup that is about to show.
    var values: @MainActor (Popup) -> [String: Value] = { _ in [:] }
    private let changed: @Sendable () -> Void

    init(changed: @escaping @Sendable () -> Void) { self.changed = changed }

    /// The popup in the area of a scheduler, its placeholders filled as when it appeared.
    subscript(scheduler: String) -> PlayState.Shown? { shown[scheduler] }

    func present(_ popup: Popup) async throws {
        shown[popup.scheduler] = PlayState.Shown(popup, values: values(popup))
        presentations[popup.scheduler] = popup.presentation
        changed()
    }

    func dismiss(_ popup: Popup) async {
        if presentations[popup.scheduler] == popup.presentation {
            shown[popup.scheduler] = nil
        }
        changed()
    }

    /// Drops what went away without having been asked to.
    func keep(only showing: [String: String]) {
        shown = shown.filter { showing[$0.key] == $0.value.popup }
    }
}
