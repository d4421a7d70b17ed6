public import Observation
public import PopEngine
public import PopScheduler

/// The presenter of an app: makes the views of its windows show the popups that the engine
/// requests, one popup per scheduler, and reports user actions on them to the engine.
///
/// SwiftUI's views follow it automatically, others by `follow`. Set `engine` after you create it.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable
public final class PopupScreen: Presenter {
    /// The error of `present` if a popup's last scene was disconnected since `willShow`.
    public struct NoScene: Error, CustomStringConvertible {
        public let description = "no scene shows popups of this scheduler"
    }

    /// The owner of the suspension of schedulers that can't show anything, as `explain` and
    /// `suspensions` name it.
    public static let owner = "PopPresenting"

    /// The state of the screens.
    public private(set) var state = ScreenState()
    var popups: [PresentationID: Popup] = [:]

    /// Receives user actions. It keeps its presenter, so the reference is weak.
    @ObservationIgnored public weak var engine: PopupEngine?
    @ObservationIgnored private var presenting: [PresentationID: Waiting<any Error>] = [:]
    @ObservationIgnored private var dismissing: [PresentationID: Waiting<Never>] = [:]
    @ObservationIgnored var followers: [SceneID: ScreenFollower] = [:]
    @ObservationIgnored private var isTelling = false

    private typealias Waiting<Failure: Error> = CheckedContinuation<Void, Failure>

    /// A screen without scenes.
    public init() {}

    // MARK: Calls of the engine

    public func willShow(_ popup: Popup) -> WillShowAnswer {
        change { $0.ask(popup.presentation) }
    }

    /// Returns when the popup's view has called `appeared`; immediately for popups that the app
    /// shows itself.
    public func present(_ popup: Popup) async throws {
        if popup.isShownByApp { return }
        let id = popup.presentation
        try await withCheckedThrowingContinuation { continuation in
            presenting[id] = continuation
            popups[id] = popup
            change { $0.present(id) }
        }
    }

    /// Updates the content of the popup and its view.
    public func update(_ popup: Popup) {
        guard state.lane(of: popup.presentation) != nil else { return }
        popups[popup.presentation] = popup
        change { _ in [] }
    }

    /// Returns when the popup's view has called `disappeared`.
    public func dismiss(_ popup: Popup) async {
        let id = popup.presentation
        await withCheckedContinuation { continuation in
            dismissing.updateValue(continuation, forKey: id)?.resume()
            change { $0.dismiss(id) }
        }
    }

    /// Removes the popup's view immediately if it still exists, because the popup is over for the
    /// engine.
    public func ended(_ popup: Popup) { change { $0.ended(popup.presentation) } }
}

// MARK: Changes

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PopupScreen {
    func change(_ body: (inout ScreenState) -> [ScreenState.Effect]) {
        change { state in ((), body(&state)) }
    }

    private func change<Answer>(
        _ body: (inout ScreenState) -> (Answer, [ScreenState.Effect])
    ) -> Answer {
        var next = state
        let (answer, effects) = body(&next)
        // Observers are only notified of real changes.
        if next != state { state = next }
        for effect in effects { perform(effect) }
        tellFollowers()
        let gone = popups.keys.filter { state.lane(of: $0) == nil }
        for id in gone { popups[id] = nil }
        return answer
    }

    private func perform(_ effect: ScreenState.Effect) {
        switch effect {
        case .endPresent(let id): presenting.removeValue(forKey: id)?.resume()
        case .failPresent(let id):
            presenting.removeValue(forKey: id)?.resume(throwing: NoScene())
        case .endDismiss(let id): dismissing.removeValue(forKey: id)?.resume()
        case .tellClosed(let id): tellClosed(id)
        case .tellActed(let id, let action, let stays): tellActed(id, action, stays: stays)
        case .tellGone(let id): engine?.didDisappear(id.task.popup)
        case .suspend(let lane): engine?.suspend(by: Self.owner, scheduler: lane)
        case .resume(let lane): engine?.resume(by: Self.owner, scheduler: lane)
        }
    }

    private func tellClosed(_ id: PresentationID) {
        takeDownWithoutEngine(id, engine?.userClosed(id.task.popup))
    }

    private func tellActed(_ id: PresentationID, _ action: String, stays: Bool) {
        let outcome = engine?.acted(id.task.popup, action, stays: stays)
        if outcome?.state == .refused, !stays {
            // The template declares no such action: it was a button that closes.
            tellClosed(id)
        } else if !stays {
            takeDownWithoutEngine(id, outcome)
        }
    }

    /// Where no engine will ask for it, after `stop`.
    private func takeDownWithoutEngine(_ id: PresentationID, _ outcome: CallOutcome?) {
        guard outcome == nil || outcome?.state == .stopped else { return }
        change { $0.dismiss(id) }
    }

    /// Updates the followers. A follower may respond immediately, which changes what the others
    /// have to receive.
    private func tellFollowers() {
        guard !isTelling else { return }
        isTelling = true
        defer { isTelling = false }
        while let (scene, lane) = firstBehind() {
            let popup = shown(on: lane, in: scene)
            followers[scene]?.told[lane] = popup
            followers[scene]?.view(lane, popup)
        }
    }

    private func firstBehind() -> (SceneID, lane: String)? {
        for (scene, follower) in followers {
            for lane in follower.lanes where follower.told[lane] != shown(on: lane, in: scene) {
                return (scene, lane)
            }
        }
        return nil
    }
}

// MARK: Tests

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PopupScreen {
    /// The number of engine calls that wait for a view.
    package var waitingCalls: Int { presenting.count + dismissing.count }
}
