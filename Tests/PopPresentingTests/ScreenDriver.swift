import PopEngine
import PopPresenting
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

/// An engine on a virtual clock that shows on a real `PopupScreen`, whose views the test plays.
@MainActor
final class ScreenDriver {
    let screen = PopupScreen()
    let engine: PopupEngine
    let scene = SceneID("phone")
    private let clock = VirtualClock()
    private let log: EventLog

    init(_ rules: String) throws {
        let log = EventLog()
        var options = EngineOptions()
        options.clock = clock
        options.seed = 1
        options.observer = { event in Task { @MainActor in log.events.append(event) } }
        engine = PopupEngine(
            rules: try .parse(rules), presenter: screen, options: options)
        self.log = log
        screen.engine = engine
    }

    /// The popup that `main` shows, in the words of a test.
    var main: String? { text(on: "main", in: scene) }

    func text(on lane: String, in scene: SceneID) -> String? {
        screen.shown(on: lane, in: scene).map { "\($0.popup.id) \($0.phase)" }
    }

    /// The events of tasks that the engine has reported, in the words of a test.
    var events: [String] {
        log.events.sorted { $0.number < $1.number }.compactMap { event in
            guard case .scheduler(let event) = event.kind else { return nil }
            return Self.words(event)
        }
    }

    private static func words(_ event: HostEvent) -> String? {
        switch event {
        case .shown(let task): "shown \(task.popup)"
        case .acted(let task, let action): "acted \(task.popup) \(action)"
        case .dismissed(let task, let reason): "dismissed \(task.popup) \(reason.rawValue)"
        case .failed(let task, _): "failed \(task.popup)"
        case .postponed(let task, _): "postponed \(task.popup)"
        case .animationTimeout(let task, let animation):
            "timeout \(task.popup) \(animation.rawValue)"
        default: nil
        }
    }

    /// Returns when everything has happened that can happen without a view or time.
    func settle() async {
        while engine.openWork > screen.waitingCalls { await Task.yield() }
        // The observer's events arrive on the main actor later.
        for _ in 0..<20 { await Task.yield() }
    }

    func advance(by duration: Duration) async {
        await settle()
        clock.advance(by: duration)
        engine.wakeUp()
        await settle()
    }
}

@MainActor
private final class EventLog {
    var events: [EngineEvent] = []
}
