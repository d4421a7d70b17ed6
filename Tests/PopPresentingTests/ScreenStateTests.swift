import PopPresenting
import PopScheduler
import Testing

@Suite struct `A screen as a value` {
    private let phone = SceneID("phone")
    private let desk = SceneID("desk")
    private let a = PresentationID("a", 1)
    private let b = PresentationID("b", 2)

    /// Returns the state of one scene that shows `main`, with `a` in the given phase; without a
    /// phase, no popup.
    private func screen(_ phase: ScreenState.Phase? = nil) -> ScreenState {
        var state = ScreenState()
        _ = state.connect(phone, lanes: ["main"])
        guard let phase else { return state }
        _ = state.present(a)
        if phase != .appearing { _ = state.appeared(a) }
        if phase == .leaving { _ = state.dismiss(a) }
        return state
    }

    // MARK: A popup comes and goes

    @Test func `ends a presentation when the view reports it, and not earlier`() {
        var state = screen()
        #expect(state.present(a) == [])
        #expect(state.shown["main"]?.phase == .appearing)
        #expect(state.appeared(a) == [.endPresent(a)])
        #expect(state.shown["main"]?.phase == .showing)
        #expect(state.appeared(a) == [])
    }

    @Test
    func `ends a dismissal when the view has disappeared, only once if that is reported twice`() {
        var state = screen(.showing)
        #expect(state.dismiss(a) == [])
        #expect(state.shown["main"]?.phase == .leaving)
        #expect(state.disappeared(a) == [.endDismiss(a)])
        #expect(state.shown == [:])
        #expect(state.disappeared(a) == [])
    }

    @Test func `dismisses a popup that is appearing, and waits for it only once`() {
        var state = screen(.appearing)
        #expect(state.dismiss(a) == [.endPresent(a)])
        #expect(state.appeared(a) == [])
        #expect(state.shown["main"]?.phase == .leaving)
        #expect(state.disappeared(a) == [.endDismiss(a)])
    }

    @Test func `dismisses a popup that no longer exists immediately`() {
        var state = screen()
        #expect(state.dismiss(a) == [.endDismiss(a)])
    }

    @Test func `reports a view that disappears by itself once`() {
        var state = screen(.showing)
        #expect(state.disappeared(a) == [.tellGone(a)])
        #expect(state.disappeared(a) == [])
        #expect(state.dismiss(a) == [.endDismiss(a)])
        state = screen(.appearing)
        #expect(state.disappeared(a) == [.tellGone(a), .endPresent(a)])
    }

    @Test func `ignores late reports of an older presentation`() {
        var state = screen(.leaving)
        #expect(state.present(b) == [.endDismiss(a)])
        let before = state
        #expect(state.appeared(a) == [])
        #expect(state.disappeared(a) == [])
        #expect(state.close(a) == [])
        #expect(state.act(a, "accept") == [])
        #expect(state.dismiss(a) == [.endDismiss(a)])
        #expect(state == before)
        let again = PresentationID(task: b.task, turn: 2)
        #expect(state.appeared(again) == [])
        #expect(state.appeared(b) == [.endPresent(b)])
    }

    // MARK: Actions of users

    @Test func `closes a popup once, and removes it when the engine dismisses it`() {
        var state = screen(.showing)
        #expect(state.close(a) == [.tellClosed(a)])
        #expect(state.shown["main"]?.phase == .showing)
        #expect(state.close(a) == [])
        #expect(state.act(a, "accept") == [])
        #expect(state.dismiss(a) == [])
        #expect(state.disappeared(a) == [.endDismiss(a)])
    }

    @Test func `counts a view that is swiped away as closed, not as disappeared`() {
        var state = screen(.showing)
        #expect(state.close(a) == [.tellClosed(a)])
        #expect(state.disappeared(a) == [])
        #expect(state.dismiss(a) == [.endDismiss(a)])
    }

    @Test func `accepts further actions after an action that keeps the popup`() {
        var state = screen(.showing)
        let stays = state.act(a, "link", stays: true)
        #expect(stays == [.tellActed(a, action: "link", stays: true)])
        #expect(state.act(a, "accept") == [.tellActed(a, action: "accept", stays: false)])
        #expect(state.close(a) == [])
    }

    @Test func `accepts no action on a popup that is being dismissed`() {
        var state = screen(.leaving)
        #expect(state.close(a) == [])
        #expect(state.act(a, "accept") == [])
    }

    // MARK: Scenes

    @Test func `shows a popup in one scene, the scene that was active last`() {
        var state = screen()
        _ = state.connect(desk, lanes: ["main", "toast"])
        _ = state.activate(phone)
        _ = state.present(a)
        #expect(state.shown["main"]?.scene == phone)
        _ = state.activate(desk)
        #expect(state.shown["main"]?.scene == phone)
        let toast = PresentationID("t", 3, on: "toast")
        _ = state.present(toast)
        #expect(state.shown["toast"]?.scene == desk)
    }

    @Test func `moves a popup to another scene if its scene ends, in the same phase`() {
        for phase in [ScreenState.Phase.appearing, .showing] {
            var state = screen(phase)
            _ = state.connect(desk, lanes: ["main"])
            #expect(state.disconnect(phone) == [])
            #expect(state.shown["main"]?.scene == desk)
            #expect(state.shown["main"]?.phase == phase)
        }
    }

    @Test func `ends a popup that was being dismissed with its scene`() {
        var state = screen(.leaving)
        _ = state.connect(desk, lanes: ["main"])
        #expect(state.disconnect(phone) == [.endDismiss(a)])
        #expect(state.shown == [:])
        state = screen(.leaving)
        #expect(state.disconnect(phone) == [.endDismiss(a)])
    }

    @Test func `waits for a scene if there is none, and dismisses immediately`() {
        var state = screen(.showing)
        _ = state.disconnect(phone)
        #expect(state.shown["main"]?.scene == nil)
        var other = state
        #expect(other.dismiss(a) == [.endDismiss(a)])
        #expect(state.connect(desk, lanes: ["toast"]) == [])
        #expect(state.shown["main"]?.scene == nil)
        _ = state.connect(phone, lanes: ["main"])
        #expect(state.shown["main"]?.scene == phone)
        #expect(state.shown["main"]?.phase == .showing)
    }

    @Test func `moves a popup from a hidden scene to a visible scene`() {
        var state = screen(.showing)
        _ = state.conceal(phone)
        #expect(state.shown["main"]?.scene == phone)
        _ = state.connect(desk, lanes: ["main"])
        #expect(state.shown["main"]?.scene == desk)
        _ = state.conceal(desk)
        #expect(state.shown["main"]?.scene == desk)
    }

    @Test func `loses nothing in a rotation that recreates the views`() {
        var state = screen(.showing)
        let before = state
        _ = state.disconnect(phone)
        _ = state.connect(phone, lanes: ["main"])
        #expect(state == before)
    }

    @Test func `fails a presentation without any scene`() {
        var state = screen()
        _ = state.disconnect(phone)
        #expect(state.present(a) == [.failPresent(a)])
        #expect(state.shown == [:])
    }

    // MARK: Obstacles

    @Test func `postpones popups without a scene, and shows them when a scene exists`() {
        var state = ScreenState()
        #expect(state.ask(a) == (.postpone(.zero), [.suspend("main")]))
        #expect(state.ask(b) == (.postpone(.zero), []))
        #expect(state.connect(phone, lanes: ["toast"]) == [])
        #expect(state.connect(desk, lanes: ["main"]) == [.resume("main")])
        #expect(state.ask(a) == (.show, []))
        _ = state.conceal(desk)
        #expect(state.ask(a) == (.postpone(.zero), [.suspend("main")]))
        #expect(state.activate(desk) == [.resume("main")])
    }

    @Test func `postpones popups for obstructions, counted by owner, and leaves the visible popup`()
    {
        var state = screen(.showing)
        state.obstruct(by: "keyboard")
        state.obstruct(by: "keyboard")
        state.obstruct(by: "alert", lane: "main")
        #expect(state.shown["main"]?.phase == .showing)
        #expect(state.ask(b) == (.postpone(.zero), [.suspend("main")]))
        #expect(state.clear(by: "keyboard") == [])
        #expect(state.clear(by: "stranger") == [])
        #expect(state.clear(by: "alert") == [])
        #expect(state.clear(by: "alert", lane: "main") == [])
        #expect(state.clear(by: "keyboard") == [.resume("main")])
        #expect(state.clear(by: "keyboard") == [])
        #expect(state.ask(b) == (.show, []))
    }

    @Test func `leaves other schedulers alone if one scheduler is obstructed`() {
        var state = ScreenState()
        _ = state.connect(phone, lanes: ["main", "toast"])
        state.obstruct(by: "alert", lane: "main")
        #expect(state.ask(PresentationID("t", 3, on: "toast")) == (.show, []))
        #expect(state.ask(a) == (.postpone(.zero), [.suspend("main")]))
    }
}

extension PresentationID {
    init(_ popup: String, _ number: Int, on scheduler: String = "main") {
        self.init(task: TaskID(popup: popup, scheduler: scheduler, number: number), turn: 1)
    }
}
