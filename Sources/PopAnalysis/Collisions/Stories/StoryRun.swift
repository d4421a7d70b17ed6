internal import PopCEL
package import PopScheduler
package import PopSource

/// The real scheduler with a host that has no screen. The host replies immediately, and its clock
/// only moves when a scenario says so.
package struct StoryRun: Sendable {
    package private(set) var scheduler: Scheduler
    package private(set) var now: Moment
    /// By popup, the times at which it became visible, since the beginning.
    package private(set) var shown: [String: [Duration]] = [:]
    /// By popup, the arm of its experiment for the last task, and the content of that task.
    private(set) var arms: [String: String] = [:]
    private(set) var contents: [String: Value] = [:]
    /// By popup, the goals that were reached in time.
    private(set) var conversions: [String: [String]] = [:]
    private var presented: [PresentationID: String] = [:]
    /// The popups that the app refuses to show.
    private let refused: Set<String>
    private let budget: WorkBudget
    private let cost: JudgingCost
    private let rules: RuleSet
    /// True if the budget is used up; nothing happens after that.
    package private(set) var isCutShort = false

    /// The number of triggers that take as long to filter as judging one popup.
    private static let triggersPerPopup = 2
    /// The maximum number of wake-ups while time passes.
    private static let mostWakes = 10_000

    /// Starts the app. All events are charged to the budget, and so is the start unless the caller
    /// has charged it.
    package init(
        _ beginning: StoryBeginning, on stage: PreparedRules, refusing refused: Set<String> = [],
        within budget: WorkBudget, isStartCharged: Bool = false
    ) {
        self.refused = refused
        self.budget = budget
        cost = JudgingCost(stage.rules)
        rules = stage.rules
        now = Moment(instant: .zero, date: beginning.start)
        let history = beginning.history
        scheduler = Scheduler(of: stage, seed: 0, history: history, at: now)
        if let complete = scheduler.history(completedFor: beginning.context) {
            scheduler = Scheduler(of: stage, seed: 0, history: complete, at: now)
        }
        if !isStartCharged, !budget.charge(.judgedPopups, cost.ofStart) { isCutShort = true }
        if !beginning.context.isEmpty { handle(.update(beginning.context)) }
        handle(.started)
    }

    /// Continues the scenario with an act.
    package mutating func take(_ act: StoryAct) {
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
        let end = now.advanced(by: time)
        var wakes = 0
        while let wake = scheduler.nextWake, wake <= end.instant, wakes < Self.mostWakes {
            wakes += 1
            now = now.advanced(by: max(.zero, wake - now.instant))
            handle(.timePassed)
            if isCutShort { return }
        }
        now = end
        handle(.timePassed)
    }

    private mutating func handle(_ event: Event) {
        guard !isCutShort, budget.charge(.simulatedSteps) else {
            isCutShort = true
            return
        }
        let examined = scheduler.work
        var inbox = [event]
        var next = 0
        while next < inbox.count {
            for effect in scheduler.handle(inbox[next], at: now) {
                if let reply = perform(effect) { inbox.append(reply) }
            }
            next += 1
        }
        var judged = scheduler.work - examined
        // Each trigger of an event has a filter.
        if case .send = event { judged += rules.popups.count / Self.triggersPerPopup }
        if !budget.charge(.judgedPopups, judged * cost.ofPopup) { isCutShort = true }
    }

    private mutating func perform(_ effect: Effect) -> Event? {
        switch effect {
        case .askWillShow(let presentation):
            let isRefused = refused.contains(presentation.popup.id)
            arms[presentation.popup.id] = presentation.variant
            return .answered(presentation.id, isRefused ? .cancel : .show)
        case .present(let presentation):
            presented[presentation.id] = presentation.popup.id
            contents[presentation.popup.id] = presentation.resolvedContent
            return .didPresent(presentation.id)
        case .dismiss(let id):
            presented[id] = nil
            return .didDismiss(id)
        case .record: return nil
        case .emit(let event):
            if case .shown(let task) = event { shown[task.popup, default: []].append(now.instant) }
            if case .converted(let popup, let goal, _) = event,
                !conversions[popup, default: []].contains(goal)
            {
                conversions[popup, default: []].append(goal)
            }
            return nil
        }
    }
}

/// The work of judging the popups of rules, measured in popups without caps.
package struct JudgingCost: Sendable {
    /// The cost of judging one popup.
    package let ofPopup: Int
    /// The cost of creating a scheduler for the rules.
    package let ofStart: Int

    /// Computes the costs from the caps, schedules, and actions of rules. Linear in them.
    package init(_ rules: RuleSet) {
        let count = max(1, rules.popups.count)
        let own = rules.popups.reduce(0) { $0 + $1.caps.windows.count }
        let clocks = rules.popups.reduce(0) { $0 + $1.timing.schedule.count { $0.readsClocks } }
        let actions = rules.templates.reduce(0) { max($0, $1.actions.count) }
        ofPopup =
            1 + (own / count + rules.sharedCaps.count) / Self.windowsPerPopup
            + clocks * Self.popupsPerClock / count + actions / Self.actionsPerPopup
        ofStart = 1 + (rules.popups.count + own + rules.sharedCaps.count) / Self.partsPerPopup
    }

    /// The number of cap windows that take as long to check as judging one popup.
    private static let windowsPerPopup = 8
    /// The number of popups that take as long to judge as computing when one schedule entry opens
    /// or closes in the time zone of its clock.
    private static let popupsPerClock = 24
    /// The number of actions of a template that take as long to search as judging one popup.
    private static let actionsPerPopup = 64
    /// The number of popups and windows that take as long to prepare as judging one popup.
    private static let partsPerPopup = 2
}

extension Schedule {
    /// True if it opens by days or hours in a time zone.
    fileprivate var readsClocks: Bool { days != nil || hours != nil }
}
