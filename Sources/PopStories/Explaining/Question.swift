internal import PopAnalysis
package import PopCEL
internal import PopLogic
internal import PopReports
package import PopScheduler
package import PopSource

/// What becomes of popups when the app starts with a context, and perhaps sends an event.
package struct Question: Sendable {
    package let rules: RuleSet
    package var context: [String: Value] = [:]
    package var history = History()
    package var start: Timestamp
    /// The event that the app sends, and its payload.
    package var event: String?
    package var payload: [String: Value] = [:]
    /// The keys that get the value of the context only after the app has started, in their order.
    package var changed: [KeyIndex] = []
    /// The time zone of the device.
    package var zone = Self.usualZone
    /// The zone of a device of which nothing is known.
    package static let usualZone = "UTC"
    /// How often.
    var sends = 1
    /// The popup that the app enqueues.
    package var enqueued: String?
    /// How much time passes before the question is asked.
    package var after = Duration.zero
    /// How many times the clock may stop meanwhile.
    package var mostWakes = Simulation.mostWakes

    /// What all that is played for it may use up together; copies share it.
    package let budget: WorkBudget
    /// The question is played again and again.
    let prepared: PreparedRules

    package init(rules: RuleSet, start: Timestamp, budget: WorkBudget) {
        self.init(of: PreparedRules(rules), start: start, budget: budget)
    }

    /// The same about rules that several questions are about.
    init(of prepared: PreparedRules, start: Timestamp, budget: WorkBudget) {
        self.prepared = prepared
        rules = prepared.rules
        self.budget = budget
        self.start = start
    }

    /// The state at the end, by playing it.
    package func played() -> Simulation {
        _ = chargeStart()
        var beginning = StoryBeginning(start: start)
        beginning.context = context
        let changes = changed.compactMap { rules.change(of: $0, in: &beginning) }
        var simulation = Simulation(
            of: prepared, context: beginning.context, history: history, start: start, zone: zone,
            budget: budget)
        for case .set(let values) in changes { simulation.handle(.update(values)) }
        if let event {
            for _ in 0..<sends { simulation.handle(.send(event, payload: payload)) }
        }
        if let enqueued { simulation.handle(.enqueue(enqueued)) }
        if after > .zero { simulation.advance(by: after, mostWakes: mostWakes) }
        return simulation
    }

    /// Returns true if a key has two values, so that it can change.
    package func canChange(_ key: KeyIndex) -> Bool {
        var beginning = StoryBeginning(start: start)
        beginning.context = context
        return rules.change(of: key, in: &beginning) != nil
    }

    /// Charges the work of taking the conditions of a popup apart, named ones included, and of
    /// looking for what would make them true; false if it is too much.
    func affords(reportOn popup: PopupRule) -> Bool {
        let programs = popup.demand(in: rules).conditions
        let used = programs.flatMap { rules.conditions(usedBy: $0) }
            .map { rules.conditions[$0].condition.program }
        let parts = (programs + used).reduce(0) { $0 + $1.nodeCount }
        return budget.charge(.logicSteps, parts * Self.stepsPerNode)
    }

    /// About as many steps of logic take as long as a report takes for each node of a condition.
    private static let stepsPerNode = 200

    /// Charges the start of an app: its popups are judged, and much else is made for each of them;
    /// false if it is too much.
    func chargeStart() -> Bool {
        budget.charge(.judgedPopups, rules.popups.count * Self.judgedPerStart)
    }

    /// How many popups are judged in the time in which one is made ready when an app starts.
    private static let judgedPerStart = 4

    /// The same with another context or payload.
    package func changed(by change: ContextChange) -> Question {
        var question = self
        for (key, value) in change.context { question.context[key] = value }
        question.payload.merge(change.payload) { $1 }
        return question
    }
}

/// Other values for context keys, and for the fields of the payload.
package struct ContextChange: Sendable, Hashable {
    /// Nil for a key that has no value.
    package var context: [String: Value?] = [:]
    package var payload: [String: Value] = [:]

    package init() {}

    /// What is to be set, by name: `` `app.screen` = "home"``.
    package var text: String {
        let keys = context.map { key, value in
            value.map { "`\(key)` = \($0.text(atMost: PrintLimits.value))" }
                ?? "`\(key)` without a value"
        }
        let fields = payload.map {
            "`event.\($0.key)` = \($0.value.text(atMost: PrintLimits.value))"
        }
        return (keys.sorted() + fields.sorted()).joined(separator: " and ")
    }
}

extension Simulation {
    /// Whether a popup shows or could if its screen were free, or did so since the simulation
    /// began.
    package func couldShow(_ popup: String) -> Bool {
        if shown[popup] ?? 0 > 0 { return true }
        switch scheduler.state(of: popup, at: now) {
        case .chosen?, .presenting?, .showing?, .dismissing?: return true
        case .waiting(let reason)?: return reason.kind == .ready
        case .absent?, nil: return false
        }
    }

    /// Lets the `delay` pass that a popup waits for, after which its conditions are looked at;
    /// false where it waits for none.
    mutating func passDelay(of popup: PopupRule) -> Bool {
        guard case .waiting(.delayed)? = scheduler.state(of: popup.id, at: now) else {
            return false
        }
        advance(by: popup.timing.delay.upperBound)
        return true
    }

    /// The popup that has the screen for which another one waits that could show; nil when that one
    /// was shown, or nothing is there.
    func holder(insteadOf popup: String) -> String? {
        guard shown[popup] ?? 0 == 0, let explanation = scheduler.explain(popup, at: now),
            case .waiting = explanation.state
        else { return nil }
        return scheduler.showing[explanation.scheduler]
    }
}
