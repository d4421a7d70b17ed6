internal import PopAnalysis
package import PopCEL
internal import PopLogic
internal import PopReports
internal import PopScenario
package import PopScheduler
package import PopSource

/// A question about what happens to popups when the app starts with a context, and perhaps sends an
/// event.
package struct ExplainQuery: Sendable {
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
    /// The zone of a device about which nothing is known.
    package static let usualZone = "UTC"
    /// The number of times that the event is sent.
    var sends = 1
    /// The popup that the app enqueues.
    package var enqueued: String?
    /// The time that passes before the state is examined.
    package var after = Duration.zero
    /// The maximum number of times that the clock may stop in the meantime.
    package var mostWakes = Simulation.mostWakes

    /// The work that all simulations of the question may use up together; copies share it.
    package let budget: WorkBudget
    /// The rules in the form that makes repeated simulations cheap.
    let prepared: PreparedRules

    package init(rules: RuleSet, start: Timestamp, budget: WorkBudget) {
        self.init(of: PreparedRules(rules), start: start, budget: budget)
    }

    /// Creates a question about rules that several questions share.
    init(of prepared: PreparedRules, start: Timestamp, budget: WorkBudget) {
        self.prepared = prepared
        rules = prepared.rules
        self.budget = budget
        self.start = start
    }

    /// Simulates the question and returns the final state.
    package func played() -> Simulation {
        _ = chargeStart()
        var beginning = ScenarioStart(start: start)
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
        var beginning = ScenarioStart(start: start)
        beginning.context = context
        return rules.change(of: key, in: &beginning) != nil
    }

    /// Charges the work of analyzing the conditions of a popup, including named conditions, and of
    /// searching for values that make them true; returns false if it is too much.
    func affords(reportOn popup: PopupRule) -> Bool {
        let programs = popup.demand(in: rules).conditions
        let used = programs.flatMap { rules.conditions(usedBy: $0) }
            .map { rules.conditions[$0].condition.program }
        let parts = (programs + used).reduce(0) { $0 + $1.nodeCount }
        return budget.charge(.logicSteps, parts * Self.stepsPerNode)
    }

    /// The approximate number of logic steps that take as long as a report takes for each node of a
    /// condition.
    private static let stepsPerNode = 200

    /// Charges the start of an app, which judges its popups and prepares each of them; returns
    /// false if it is too much.
    func chargeStart() -> Bool {
        budget.charge(.judgedPopups, rules.popups.count * Self.judgedPerStart)
    }

    /// The number of popups that are judged in the time in which one popup is prepared when an app
    /// starts.
    private static let judgedPerStart = 4

    /// Returns the same question with another context or payload.
    package func changed(by change: ContextChange) -> ExplainQuery {
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

    /// The values to set, by name: `` `app.screen` = "home"``.
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
    /// Returns true if a popup shows, could show if its screen were free, or has shown since the
    /// simulation started.
    package func couldShow(_ popup: String) -> Bool {
        if shown[popup] ?? 0 > 0 { return true }
        switch scheduler.state(of: popup, at: now) {
        case .chosen?, .presenting?, .showing?, .dismissing?: return true
        case .waiting(let reason)?: return reason.kind == .ready
        case .absent?, nil: return false
        }
    }

    /// Lets the `delay` pass that a popup waits for, after which its conditions are evaluated;
    /// returns false if it waits for none.
    mutating func passDelay(of popup: PopupRule) -> Bool {
        guard case .waiting(.delayed)? = scheduler.state(of: popup.id, at: now) else {
            return false
        }
        advance(by: popup.timing.delay.upperBound)
        return true
    }

    /// Returns the popup that has the screen while another popup, which could show, waits for it;
    /// nil if that popup was shown, or the screen is empty.
    func holder(insteadOf popup: String) -> String? {
        guard shown[popup] ?? 0 == 0, let explanation = scheduler.explain(popup, at: now),
            case .waiting = explanation.state
        else { return nil }
        return scheduler.showing[explanation.scheduler]
    }
}
