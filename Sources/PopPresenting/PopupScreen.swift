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

/// The popups that a view with its own callback received last.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
struct ScreenFollower {
    let lanes: [String]
    let view: @MainActor (_ lane: String, _ popup: PresentedPopup?) -> Void
    var told: [String: PresentedPopup] = [:]
}

// MARK: Scenes

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PopupScreen {
    /// Connects a scene that shows these schedulers. It counts as active, and takes over popups
    /// whose own scene is disconnected.
    public func connect(_ scene: SceneID, lanes: Set<String> = ["main"]) {
        change { $0.connect(scene, lanes: lanes) }
    }

    /// Connects a scene, and calls `view` with what each of its schedulers shows there, whenever
    /// that has changed: also when only the phase or the content has. Nil is nothing, without an
    /// animation if there was something.
    public func follow(
        _ scene: SceneID, lanes: [String] = ["main"],
        with view: @escaping @MainActor (_ lane: String, _ popup: PresentedPopup?) -> Void
    ) {
        followers[scene] = ScreenFollower(lanes: lanes, view: view)
        connect(scene, lanes: Set(lanes))
    }

    /// Reports that the scene is in use: the next popups come there. Popups that show stay where
    /// they are.
    public func activate(_ scene: SceneID) { change { $0.activate(scene) } }

    /// Reports that the scene isn't visible any more, as in the background: its popups continue in
    /// another visible scene, if there is one.
    public func conceal(_ scene: SceneID) { change { $0.conceal(scene) } }

    /// Disconnects a scene: its popups continue in another scene, or wait for a scene if there is
    /// no other one.
    public func disconnect(_ scene: SceneID) {
        followers[scene] = nil
        change { $0.disconnect(scene) }
    }

    /// Returns the popup that a scheduler shows in a scene; nil if it shows no popup there.
    public func shown(on lane: String = "main", in scene: SceneID) -> PresentedPopup? {
        guard let shown = state.shown[lane], shown.scene == scene,
            let popup = popups[shown.presentation]
        else { return nil }
        return PresentedPopup(popup: popup, phase: shown.phase, screen: self)
    }
}

// MARK: Obstructions

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PopupScreen {
    /// Blocks new popups because of an obstruction, such as a keyboard or an alert, on one
    /// scheduler or on all. Popups that show stay. An owner that calls this twice has to clear it
    /// twice.
    public func obstruct(by owner: String, lane: String? = nil) {
        change { state in
            state.obstruct(by: owner, lane: lane)
            return []
        }
    }

    /// Takes back one `obstruct` of the same owner for the same scheduler, or for all.
    public func clear(by owner: String, lane: String? = nil) {
        change { $0.clear(by: owner, lane: lane) }
    }
}

// MARK: Reports of views

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PopupScreen {
    /// The popup's view is there, its animation over: `present` returns.
    public func appeared(_ id: PresentationID) { change { $0.appeared(id) } }

    /// Reports that the popup's view is removed and its animation over, whatever the cause:
    /// `dismiss` returns, or the engine receives `didDisappear`.
    public func disappeared(_ id: PresentationID) { change { $0.disappeared(id) } }

    /// Reports that the user closed the popup, by a button, a swipe or a tap outside of it:
    /// `userClosed`.
    public func close(_ id: PresentationID) { change { $0.close(id) } }

    /// Reports that the user used a button of the popup: `acted`. If the template doesn't declare
    /// that action, the engine reports that in an event and the popup counts as closed, so that it
    /// is dismissed.
    public func act(_ id: PresentationID, _ action: String, stays: Bool = false) {
        change { $0.act(id, action, stays: stays) }
    }
}

/// A popup for a view: its content, its phase, and the calls to report on it.
///
/// When a view gets a popup with a new `id`, it puts it on the screen as `phase` requires: if
/// `appearing`, with an animation, and then it calls `appeared`; if `showing`, immediately, because
/// the popup comes from another scene. In the phase `leaving` the view removes it, and then calls
/// `disappeared`.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
public struct PresentedPopup: Sendable, Identifiable {
    /// The popup that is shown.
    public let popup: Popup
    /// The phase of its presentation.
    public let phase: ScreenState.Phase
    let screen: PopupScreen

    /// Another one each time that a popup is shown.
    public var id: PresentationID { popup.presentation }

    /// Returns the string under a key of the popup's content; nil if there is no such string.
    public func text(_ key: String) -> String? { popup.resolvedContent[key] }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PresentedPopup: Equatable {
    /// Returns true if a view would show the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.phase == right.phase
            && left.popup.resolvedContent == right.popup.resolvedContent
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
extension PresentedPopup {
    /// Its view is there, the animation over.
    public func appeared() { screen.appeared(id) }

    /// Reports that its view is removed and the animation over, whatever the cause.
    public func disappeared() { screen.disappeared(id) }

    /// Reports that the user closed it, by a button, a swipe or a tap outside of it.
    public func close() { screen.close(id) }

    /// Reports that the user used a button, by the name of the action that its template declares.
    public func act(_ action: String, stays: Bool = false) { screen.act(id, action, stays: stays) }
}
