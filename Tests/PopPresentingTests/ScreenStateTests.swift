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

    @Test func `a presentation is over when the view says so, and not before`() {
        var state = screen()
        #expect(state.present(a) == [])
        #expect(state.shown["main"]?.phase == .appearing)
        #expect(state.appeared(a) == [.endPresent(a)])
        #expect(state.shown["main"]?.phase == .showing)
        #expect(state.appeared(a) == [])
    }

    @Test func `a dismissal is over when the view is gone, and told gone twice it is so once`() {
        var state = screen(.showing)
        #expect(state.dismiss(a) == [])
        #expect(state.shown["main"]?.phase == .leaving)
        #expect(state.disappeared(a) == [.endDismiss(a)])
        #expect(state.shown == [:])
        #expect(state.disappeared(a) == [])
    }

    @Test func `dismissed while it appears it leaves, and is not waited for twice`() {
        var state = screen(.appearing)
        #expect(state.dismiss(a) == [.endPresent(a)])
        #expect(state.appeared(a) == [])
        #expect(state.shown["main"]?.phase == .leaving)
        #expect(state.disappeared(a) == [.endDismiss(a)])
    }

    @Test func `a popup that is not there any more is dismissed at once`() {
        var state = screen()
        #expect(state.dismiss(a) == [.endDismiss(a)])
    }

    @Test func `a view that goes by itself is told once`() {
        var state = screen(.showing)
        #expect(state.disappeared(a) == [.tellGone(a)])
        #expect(state.disappeared(a) == [])
        #expect(state.dismiss(a) == [.endDismiss(a)])
        state = screen(.appearing)
        #expect(state.disappeared(a) == [.tellGone(a), .endPresent(a)])
    }

    @Test func `what an older presentation tells late changes nothing`() {
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

    @Test func `a popup is closed once, and goes when the engine asks for it`() {
        var state = screen(.showing)
        #expect(state.close(a) == [.tellClosed(a)])
        #expect(state.shown["main"]?.phase == .showing)
        #expect(state.close(a) == [])
        #expect(state.act(a, "accept") == [])
        #expect(state.dismiss(a) == [])
        #expect(state.disappeared(a) == [.endDismiss(a)])
    }

    @Test func `a view that is swiped away is closed and not lost`() {
        var state = screen(.showing)
        #expect(state.close(a) == [.tellClosed(a)])
        #expect(state.disappeared(a) == [])
        #expect(state.dismiss(a) == [.endDismiss(a)])
    }

    @Test func `an action that stays leaves the popup to further ones`() {
        var state = screen(.showing)
        let stays = state.act(a, "link", stays: true)
        #expect(stays == [.tellActed(a, action: "link", stays: true)])
        #expect(state.act(a, "accept") == [.tellActed(a, action: "accept", stays: false)])
        #expect(state.close(a) == [])
    }

    @Test func `nobody answers a popup that leaves`() {
        var state = screen(.leaving)
        #expect(state.close(a) == [])
        #expect(state.act(a, "accept") == [])
    }

    // MARK: Scenes

    @Test func `a popup shows in one scene, the one that was active last`() {
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

    @Test func `it goes on in another scene when its own is gone, as far as it had come`() {
        for phase in [ScreenState.Phase.appearing, .showing] {
            var state = screen(phase)
            _ = state.connect(desk, lanes: ["main"])
            #expect(state.disconnect(phone) == [])
            #expect(state.shown["main"]?.scene == desk)
            #expect(state.shown["main"]?.phase == phase)
        }
    }

    @Test func `it is gone when it was leaving with its scene`() {
        var state = screen(.leaving)
        _ = state.connect(desk, lanes: ["main"])
        #expect(state.disconnect(phone) == [.endDismiss(a)])
        #expect(state.shown == [:])
        state = screen(.leaving)
        #expect(state.disconnect(phone) == [.endDismiss(a)])
    }

    @Test func `without a scene it waits for one, and can be dismissed at once`() {
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

    @Test func `it leaves a scene that nobody sees for one that is seen`() {
        var state = screen(.showing)
        _ = state.conceal(phone)
        #expect(state.shown["main"]?.scene == phone)
        _ = state.connect(desk, lanes: ["main"])
        #expect(state.shown["main"]?.scene == desk)
        _ = state.conceal(desk)
        #expect(state.shown["main"]?.scene == desk)
    }

    @Test func `a rotation that makes the views anew loses nothing`() {
        var state = screen(.showing)
        let before = state
        _ = state.disconnect(phone)
        _ = state.connect(phone, lanes: ["main"])
        #expect(state == before)
    }

    @Test func `presenting without any scene fails`() {
        var state = screen()
        _ = state.disconnect(phone)
        #expect(state.present(a) == [.failPresent(a)])
        #expect(state.shown == [:])
    }

    // MARK: Obstacles

    @Test func `without a scene popups are put off, and come when there is one`() {
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

    @Test func `what is in the way puts off, counted by owner, and leaves what shows`() {
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

    @Test func `what is in the way of one scheduler leaves the others alone`() {
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
