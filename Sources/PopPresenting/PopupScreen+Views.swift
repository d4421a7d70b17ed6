public import PopScheduler

/// What a window that follows by itself was told last.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
struct ScreenFollower {
    let lanes: [String]
    let view: @MainActor (_ lane: String, _ popup: PresentedPopup?) -> Void
    var told: [String: PresentedPopup] = [:]
}

// MARK: Scenes

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PopupScreen {
    /// A scene is there and shows these schedulers. It counts as active, and takes in popups whose
    /// own scene is gone.
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

    /// Somebody uses the scene: the next popups come there. What shows stays where it is.
    public func activate(_ scene: SceneID) { change { $0.activate(scene) } }

    /// Nobody sees the scene any more, as in the background: what it shows goes on in another that
    /// is seen, if there is one.
    public func conceal(_ scene: SceneID) { change { $0.conceal(scene) } }

    /// The scene is gone: what it shows goes on in another, and waits for one when there is none.
    public func disconnect(_ scene: SceneID) {
        followers[scene] = nil
        change { $0.disconnect(scene) }
    }

    /// What a scheduler shows in a scene.
    public func shown(on lane: String = "main", in scene: SceneID) -> PresentedPopup? {
        guard let shown = state.shown[lane], shown.scene == scene,
            let popup = popups[shown.presentation]
        else { return nil }
        return PresentedPopup(popup: popup, phase: shown.phase, screen: self)
    }
}

// MARK: What is in the way

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PopupScreen {
    /// Something is in the way of new popups, such as a keyboard or an alert, on one scheduler or
    /// on all. What shows stays. Who says so twice has to take it back twice.
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

// MARK: What views tell

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PopupScreen {
    /// The popup's view is there, its animation over: `present` returns.
    public func appeared(_ id: PresentationID) { change { $0.appeared(id) } }

    /// The popup's view is gone, its animation over, whoever wanted it to go: `dismiss` returns, or
    /// the engine hears `didDisappear`.
    public func disappeared(_ id: PresentationID) { change { $0.disappeared(id) } }

    /// A person closed the popup, by a button, a swipe or a tap beside it: `userClosed`.
    public func close(_ id: PresentationID) { change { $0.close(id) } }

    /// A person used a button of the popup: `acted`. Where the template does not declare that
    /// action, the engine says so in an event and the popup counts as closed, so that it goes.
    public func act(_ id: PresentationID, _ action: String, stays: Bool = false) {
        change { $0.act(id, action, stays: stays) }
    }
}
