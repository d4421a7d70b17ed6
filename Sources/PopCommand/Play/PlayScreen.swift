import PopEngine

/// The presenter: keeps what is on the screen, for the page to draw.
@MainActor
final class PlayScreen: Presenter {
    private var shown: [String: Popup] = [:]
    private let changed: @Sendable () -> Void

    init(changed: @escaping @Sendable () -> Void) { self.changed = changed }

    /// The popup in the area of a scheduler.
    subscript(scheduler: String) -> Popup? { shown[scheduler] }

    func present(_ popup: Popup) async throws {
        shown[popup.scheduler] = popup
        changed()
    }

    func dismiss(_ popup: Popup) async {
        if shown[popup.scheduler]?.presentation == popup.presentation {
            shown[popup.scheduler] = nil
        }
        changed()
    }

    /// Drops what went away without having been asked to.
    func keep(only showing: [String: String]) {
        shown = shown.filter { showing[$0.key] == $0.value.id }
    }
}
