import PopPresenting
import PopScheduler
import PopTestSupport
import Testing

/// For any events in any order: no caller waits forever, and nothing is answered twice.
@Suite struct `A screen after random inputs` {
    @Test(arguments: UInt64(1)...40)
    func `ends every call once, and reports every popup once`(seed: UInt64) {
        var play = RandomScreen(seed: seed)
        for _ in 0..<500 { play.step() }
        play.end()
        #expect(play.mistakes == [])
        #expect(play.presented > 20)
    }
}

/// An engine that calls in the right order, and views and users that act in any order.
private struct RandomScreen {
    private static let scenes = [SceneID("one"), SceneID("two")]
    private static let lanes = ["main", "toast"]

    private var random: SeededGenerator
    private var state = ScreenState()
    private var ids: [PresentationID] = []
    private var presenting: Set<PresentationID> = []
    private var dismissing: Set<PresentationID> = []
    /// The popups that a user has ended, or that disappeared by themselves.
    private var told: Set<PresentationID> = []
    private(set) var mistakes: [String] = []
    private(set) var presented = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func step() {
        let id = ids.randomElement(using: &random)
        switch Int.random(in: 0..<13, using: &random) {
        case 0, 1: present(on: Self.lanes.randomElement(using: &random) ?? "main")
        case 2: if let id, !dismissing.contains(id) { dismiss(id) }
        case 3, 4: if let id { take(state.appeared(id)) }
        case 5, 6: if let id { take(state.disappeared(id)) }
        case 7: if let id { take(state.close(id)) }
        case 8: if let id { take(state.act(id, "accept", stays: .random(using: &random))) }
        case 9: if let id { take(state.ended(id)) }
        default: moveScenes()
        }
        check()
    }

    /// Everything is dismissed where no view can hold it up.
    mutating func end() {
        for scene in Self.scenes { take(state.disconnect(scene)) }
        for id in ids { dismiss(id) }
        if !presenting.isEmpty || !dismissing.isEmpty { mistakes.append("somebody waits") }
        if !state.shown.isEmpty { mistakes.append("something is left") }
    }

    private mutating func present(on lane: String) {
        let id = PresentationID("p", ids.count, on: lane)
        ids.append(id)
        presenting.insert(id)
        take(state.present(id))
        if state.lane(of: id) != nil { presented += 1 }
    }

    private mutating func dismiss(_ id: PresentationID) {
        dismissing.insert(id)
        take(state.dismiss(id))
    }

    private mutating func moveScenes() {
        let scene = Self.scenes.randomElement(using: &random) ?? Self.scenes[0]
        switch Int.random(in: 0..<5, using: &random) {
        case 0: take(state.disconnect(scene))
        case 1: take(state.conceal(scene))
        case 2: take(state.activate(scene))
        default:
            let lanes = Self.lanes.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
            take(state.connect(scene, lanes: Set(lanes)))
        }
    }

    private mutating func take(_ effects: [ScreenState.Effect]) {
        for effect in effects {
            switch effect {
            case .endPresent(let id), .failPresent(let id):
                if presenting.remove(id) == nil { mistakes.append("present ends twice: \(id)") }
            case .endDismiss(let id):
                // A popup may give way before the engine asks for it.
                dismissing.remove(id)
            case .tellClosed(let id), .tellGone(let id), .tellActed(let id, _, stays: false):
                if !told.insert(id).inserted { mistakes.append("told twice: \(id)") }
            case .tellActed: break
            case .suspend, .resume: mistakes.append("nobody asked")
            }
        }
    }

    private mutating func check() {
        for (lane, popup) in state.shown {
            let id = popup.presentation
            if id.task.scheduler != lane { mistakes.append("on a strange scheduler: \(id)") }
            if presenting.contains(id) != (popup.phase == .appearing) {
                mistakes.append("waited for wrongly: \(id)")
            }
            if dismissing.contains(id), popup.phase != .leaving {
                mistakes.append("does not leave: \(id)")
            }
        }
    }
}
