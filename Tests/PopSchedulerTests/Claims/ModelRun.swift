import PopAnalysis
import PopCEL
import PopScenario
import PopScheduler

/// The naive model and the real scheduler with a host without a screen, which answers everything
/// immediately.
struct ModelRun {
    private let model: Model
    private var scheduler: Scheduler
    private var now: Moment
    /// By popup, when it became visible as the model has it, since the beginning.
    private(set) var shown: [String: [Duration]] = [:]
    /// True if the scheduler had another result than the model.
    private(set) var hasDiffered = false
    /// Returns true for popups that are closed as soon as they show.
    private let isClosed: (String) -> Bool
    private static let mostWakes = 1_000

    init(
        _ beginning: ScenarioStart, rules: RuleSet,
        closing isClosed: @escaping (String) -> Bool = { _ in false }
    ) {
        now = Moment(instant: .zero, date: beginning.start)
        self.isClosed = isClosed
        let history = beginning.history
        scheduler = Scheduler(rules: rules, seed: 1, user: "u", history: history, at: now)
        model = Model(rules, user: "u", at: now)
        model.history = history
        if !beginning.context.isEmpty { handle(.update(beginning.context)) }
        handle(.started)
    }

    var showing: [String] { scheduler.showing.values.sorted() }

    mutating func take(_ act: ScenarioAct) {
        switch act {
        case .wait(let time): advance(by: time)
        case .set(let values): handle(.update(values))
        case .send(let event, let payload): handle(.send(event, payload: payload))
        case .enqueue(let popup): handle(.enqueue(popup))
        case .close(let popup): handle(.userClosed(popup))
        case .act(let popup, let action): handle(.acted(popup, action: action))
        case .beginSession: handle(.beginSession)
        case .suspend: handle(.suspend())
        case .resume: handle(.resume())
        case .background: handle(.background)
        case .foreground: handle(.foreground)
        }
    }

    private mutating func advance(by time: Duration) {
        let end = now.advanced(by: time)
        var wakes = 0
        while let wake = scheduler.nextWake, wake <= end.instant, wakes < Self.mostWakes {
            wakes += 1
            now = now.advanced(by: max(.zero, wake - now.instant))
            handle(.timePassed)
        }
        now = end
        handle(.timePassed)
    }

    private mutating func handle(_ event: Event) {
        answer(event)
        while let id = showing.first(where: isClosed) { answer(.userClosed(id)) }
    }

    /// Tells both of an event, and of all that the host answers.
    private mutating func answer(_ event: Event) {
        var inbox = [event]
        var next = 0
        while next < inbox.count {
            let effects = scheduler.handle(inbox[next], at: now)
            let lines = model.handle(inbox[next], at: now).filter { $0.hasPrefix("shown ") }
            next += 1
            if lines != effects.compactMap(\.shownLine) { hasDiffered = true }
            for line in lines {
                shown[String(line.dropFirst("shown ".count)), default: []].append(now.instant)
            }
            inbox += effects.compactMap(\.reply)
        }
    }
}

extension Effect {
    fileprivate var shownLine: String? {
        guard case .emit(.shown(let task)) = self else { return nil }
        return describe(.shown(task))
    }

    fileprivate var reply: Event? {
        switch self {
        case .askWillShow(let presentation): .answered(presentation.id, .show)
        case .present(let presentation): .didPresent(presentation.id)
        case .dismiss(let id): .didDismiss(id)
        case .record, .emit: nil
        }
    }
}
