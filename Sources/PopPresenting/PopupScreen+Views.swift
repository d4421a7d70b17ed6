public import PopScheduler

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
