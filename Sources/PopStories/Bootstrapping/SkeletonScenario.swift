internal import PopAnalysis
internal import PopCEL
internal import PopExplanations
internal import PopRuleFiles
internal import PopScenario
internal import PopScheduler
internal import PopSource

/// The events that must happen until a popup shows, as the steps of a test.
struct SkeletonScenario {
    private(set) var steps: [String] = []
    private(set) var simulation: Simulation
    private let popup: PopupRule
    private let question: ExplainQuery
    /// The context values that the app has set at the start.
    let context: [String: Value]
    /// The steps that set keys whose change is the trigger.
    private let changes: [ScenarioAct]

    /// The maximum number of inputs of a scenario: a popup for every hundredth event needs a
    /// hundred inputs.
    static let mostSteps = 100

    /// The number of popups that can be passed over in the time in which one popup is judged.
    private static let explainedPerJudged = 20

    /// `started` is the app just after its start, for a question that requires nothing else.
    init(_ popup: PopupRule, question: ExplainQuery, started: Simulation?) {
        self.popup = popup
        self.question = question
        if started == nil { _ = question.chargeStart() }
        var beginning = ScenarioStart(start: question.start)
        beginning.context = question.context
        changes = question.changed.compactMap { question.rules.change(of: $0, in: &beginning) }
        context = beginning.context
        simulation =
            started
            ?? Simulation(
                of: question.prepared, context: context, history: question.history,
                start: question.start, budget: question.budget)
        trigger()
        for _ in 0..<Self.mostSteps where !shows {
            let before = (steps: steps.count, time: duration)
            // A round without progress ends the loop, because the next round would find the same
            // state.
            guard steps.count < Self.mostSteps, !simulation.isCutShort, goOn(),
                steps.count > before.steps || duration > before.time
            else { break }
        }
    }

    /// True if the popup is on the screen.
    var shows: Bool { simulation.scheduler.showing[lane] == popup.id }

    /// The reason why the popup isn't on the screen; nil if it is.
    var reason: ReasonCode? { simulation.scheduler.reason(popup.id, at: simulation.now) }

    var lane: String { question.rules.schedulers[popup.scheduler].name }

    /// The virtual time that the scenario takes.
    var duration: Duration { simulation.now.instant }

    /// Takes one step toward showing the popup; returns false if no step is left.
    private mutating func goOn() -> Bool {
        // An explanation takes a short time for each of the other popups.
        let others = question.rules.popups.count / Self.explainedPerJudged + 1
        guard question.budget.charge(.judgedPopups, others),
            let explanation = simulation.scheduler.outlined(popup.id, at: simulation.now)
        else { return false }
        switch explanation.state {
        case .chosen: return wait(popup.timing.grace)
        case .waiting(.slotBusy): return close(explanation.occupant)
        case .waiting(.inGap):
            return wait(question.rules.schedulers[popup.scheduler].gap.upperBound)
        case .waiting(let reason):
            if reason.role == .when || reason.role == .groupWhen { return false }
            guard let until = explanation.until else { return false }
            return wait(until.duration(since: simulation.now.date))
        case .absent(let reason):
            guard reason.kind == .absent || reason.role == .where, isWorthTriggering(explanation)
            else { return false }
            trigger()
            return true
        case .presenting, .showing, .dismissing: return false
        }
    }

    /// Returns true if another trigger may lead to the occurrence that counts, or bring back a task
    /// that was dropped while time passed.
    private func isWorthTriggering(_ explanation: PopupExplanation) -> Bool {
        if case .occurrence? = explanation.filter?.cause { return true }
        return explanation.lastEnding == .waitedTooLong
            || explanation.lastEnding == .discardedUntriggered
    }

    /// Fires the trigger of the popup; the app has already started.
    private mutating func trigger() {
        if let event = question.event {
            let payload = question.payload.sorted { $0.key < $1.key }
            let fields = YAMLText.map(payload.map { (YAMLText.name($0.key), $0.value.yaml) })
            let name = YAMLText.name(event)
            steps.append(payload.isEmpty ? "send: \(name)" : "send: { \(name): \(fields) }")
            simulation.handle(.send(event, payload: question.payload))
        } else if duration == .zero, steps.isEmpty, !changes.isEmpty {
            for case .set(let values) in changes {
                steps.append(ScenarioAct.set(values).yaml)
                simulation.handle(.update(values))
            }
        } else if question.enqueued != nil || duration > .zero {
            steps.append("enqueue: \(YAMLText.name(popup.id))")
            simulation.handle(.enqueue(popup.id))
        }
    }

    private mutating func wait(_ time: Duration) -> Bool {
        guard time > .zero else { return false }
        // Files can't express less than a millisecond, or more than some years.
        let milliseconds = (time / .milliseconds(1)).rounded(.up)
        guard milliseconds <= Double(RuleFileLimits.standard.durationMilliseconds) else {
            return false
        }
        let whole = Duration.milliseconds(Int(milliseconds))
        steps.append("after: \(YAMLText.duration(whole))")
        simulation.advance(by: whole)
        return true
    }

    private mutating func close(_ occupant: String?) -> Bool {
        guard let occupant else { return false }
        steps.append("close: \(YAMLText.name(occupant))")
        simulation.handle(.userClosed(occupant))
        return true
    }
}
