import PopEngine
import PopScheduler

/// Notices a second popup on a screen, and calls the engine from inside its callbacks.
@MainActor
final class LoadPresenter: Presenter {
    var engine: PopupEngine?
    private(set) var presented = 0
    private(set) var collisions = 0
    private var screen: [String: String] = [:]
    private var calls = 0

    func willShow(_ popup: Popup) -> WillShowAnswer {
        calls += 1
        if calls.isMultiple(of: 11) { return .cancel }
        return calls.isMultiple(of: 7) ? .postpone(.milliseconds(1)) : .show
    }

    func present(_ popup: Popup) async throws {
        calls += 1
        if calls.isMultiple(of: 13) { throw CancellationError() }
        presented += 1
        if screen[popup.scheduler] != nil { collisions += 1 }
        screen[popup.scheduler] = popup.id
        engine?.enqueue("c")
        await Task.yield()
    }

    func dismiss(_ popup: Popup) async {
        engine?.poke()
        await Task.yield()
        screen[popup.scheduler] = nil
    }
}
