public import PopEngine
public import PopScheduler

/// A presenter without a screen: it records its calls, and answers as a test configures it.
@MainActor
public final class RecordingPresenter: Presenter {
    /// A call of the engine to the presenter, with the popup's ID.
    public enum Call: Sendable, Hashable {
        /// The question before each presentation.
        case willShow(String)
        /// A popup was to appear, `failing` ones included.
        case present(String)
        /// A popup was to show another content.
        case update(String)
        /// A popup was to go.
        case dismiss(String)
    }

    /// The error that `present` throws for the popups in `failing`.
    public struct Refusal: Error, CustomStringConvertible {
        public let description = "the test refuses it"
    }

    /// Everything that it was asked to do, in order.
    public private(set) var calls: [Call] = []
    /// The ids of the popups on the screen, by scheduler.
    public private(set) var screen: [String: [String]] = [:]
    /// Each popup, by its ID, as it was last presented or updated: with its content at that time.
    public private(set) var presented: [String: Popup] = [:]
    /// The answers to `willShow`, by popup; `show` for popups without an answer.
    public var answers: [String: WillShowAnswer] = [:]
    /// The popups that it cannot present.
    public var failing: Set<String> = []
    /// The duration of each animation, in virtual time.
    public var animation = Duration.zero
    /// Called in the middle of each call, for calls from inside a callback.
    public var onCall: ((Call) -> Void)?

    private var animating: [(instant: Duration, continuation: CheckedContinuation<Void, Never>)] =
        []
    private let clock: VirtualClock

    /// A presenter whose calls take time on that clock.
    public init(clock: VirtualClock) { self.clock = clock }

    public func willShow(_ popup: Popup) -> WillShowAnswer {
        note(.willShow(popup.id))
        return answers[popup.id] ?? .show
    }

    public func present(_ popup: Popup) async throws {
        note(.present(popup.id))
        if failing.contains(popup.id) { throw Refusal() }
        presented[popup.id] = popup
        screen[popup.scheduler, default: []].append(popup.id)
        await animate()
    }

    public func update(_ popup: Popup) {
        note(.update(popup.id))
        presented[popup.id] = popup
    }

    public func dismiss(_ popup: Popup) async {
        note(.dismiss(popup.id))
        await animate()
        screen[popup.scheduler]?.removeAll { $0 == popup.id }
    }

    public func ended(_ popup: Popup) {
        screen[popup.scheduler]?.removeAll { $0 == popup.id }
    }

    /// Takes a popup off the screen without a dismissal; call the engine's `didDisappear`
    /// afterward.
    public func lose(_ id: String) {
        for scheduler in screen.keys { screen[scheduler]?.removeAll { $0 == id } }
    }

    private func note(_ call: Call) {
        calls.append(call)
        onCall?(call)
    }

    private func animate() async {
        guard animation > .zero else { return }
        let end = clock.now.instant + animation
        await withCheckedContinuation { animating.append((end, $0)) }
    }

    // MARK: For the driver

    var animationCount: Int { animating.count }
    var nextEnd: Duration? { animating.map(\.instant).min() }

    /// Ends the first animation whose time has come; whether there was one.
    func endAnimation() -> Bool {
        guard let due = animating.firstIndex(where: { $0.instant <= clock.now.instant }) else {
            return false
        }
        animating.remove(at: due).continuation.resume()
        return true
    }
}
