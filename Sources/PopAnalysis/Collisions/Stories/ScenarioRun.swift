internal import PopCEL
package import PopScenario
package import PopScheduler
package import PopSource

/// A scenario on the real scheduler.
package struct ScenarioRun: Sendable {
    /// By popup, the times at which it became visible, since the beginning.
    package private(set) var shown: [String: [Duration]] = [:]
    /// By popup, the arm of its experiment for the last task, and the content of that task.
    private(set) var arms: [String: String] = [:]
    private(set) var contents: [String: Value] = [:]
    /// By popup, the goals that were reached in time.
    private(set) var conversions: [String: [String]] = [:]
    private var host: ScenarioHost
    /// The popups that the app refuses to show.
    private let refused: Set<String>
    private let rules: RuleSet

    /// The maximum number of wake-ups while time passes.
    private static let mostWakes = 10_000

    /// Starts the app. All events are charged to the budget, and so is the start unless the caller
    /// has charged it.
    package init(
        _ beginning: ScenarioStart, on stage: PreparedRules, refusing refused: Set<String> = [],
        within budget: WorkBudget, isStartCharged: Bool = false
    ) {
        self.refused = refused
        rules = stage.rules
        let now = Moment(instant: .zero, date: beginning.start)
        let history = beginning.history
        var scheduler = Scheduler(of: stage, seed: 0, history: history, at: now)
        if let complete = scheduler.history(completedFor: beginning.context) {
            scheduler = Scheduler(of: stage, seed: 0, history: complete, at: now)
        }
        host = ScenarioHost(
            scheduler, at: now,
            work: .init(budget, cost: JudgingCost(stage.rules, countsFilters: true)))
        for popup in refused { host.inject(.veto, into: popup) }
        if !isStartCharged { _ = host.charge(starts: 1) }
        if !beginning.context.isEmpty { handle(.update(beginning.context)) }
        handle(.started)
    }

    package var scheduler: Scheduler { host.scheduler }
    package var now: Moment { host.now }
    /// True if the budget is used up; nothing happens after that.
    package var isCutShort: Bool { host.isCutShort }

    /// Continues the scenario with an act.
    package mutating func take(_ act: ScenarioAct) {
        switch act {
        case .wait(let time): advance(by: time)
        case .set(let values): handle(.update(values))
        case .send(let event, let payload):
            // In a scenario for two rule sets, an event may carry fields that only one of them
            // declares.
            handle(.send(event, payload: rules.declared(payload, ofEvent: event)))
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
        let end = host.now.advanced(by: time)
        var wakes = 0
        while wakes < Self.mostWakes, host.wake(by: end) {
            wakes += 1
            observe()
            if isCutShort { return }
        }
        host.move(to: end)
        handle(.timePassed)
    }

    private mutating func handle(_ event: Event) {
        host.post(event)
        observe()
    }

    private mutating func observe() {
        while let effects = host.next() {
            for effect in effects { observe(effect) }
        }
    }

    private mutating func observe(_ effect: Effect) {
        switch effect {
        case .askWillShow(let presentation):
            arms[presentation.popup.id] = presentation.variant
            // The app refuses again and again.
            if refused.contains(presentation.popup.id) {
                host.inject(.veto, into: presentation.popup.id)
            }
        case .present(let presentation):
            contents[presentation.popup.id] = presentation.resolvedContent
        case .emit(.shown(let task)): shown[task.popup, default: []].append(now.instant)
        case .emit(.converted(let popup, let goal, _)):
            if !conversions[popup, default: []].contains(goal) {
                conversions[popup, default: []].append(goal)
            }
        case .dismiss, .record, .emit: break
        }
    }
}
