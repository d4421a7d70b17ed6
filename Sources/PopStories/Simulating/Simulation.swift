internal import PopAnalysis
package import PopCEL
package import PopScheduler
package import PopSource

/// A host without a screen: it answers every effect at once and keeps a clock that only moves when
/// it is told to.
package struct Simulation: Sendable {
    /// One thing that happened, and when.
    package struct Entry: Sendable {
        /// Since the simulation began.
        package var time: Duration
        package var content: Content
        /// By popup, the reason why it couldn't show when its task was dropped.
        package var obstacle: ReasonCode?

        package enum Content: Sendable {
            /// What a step did, in the words of a test file.
            case input(String)
            case event(HostEvent)
        }
    }

    /// How many times the clock may stop on the way through one `advance`, unless it is told
    /// otherwise.
    package static let mostWakes = 1_000_000

    package private(set) var scheduler: Scheduler
    package private(set) var now: Moment
    package private(set) var log: [Entry] = []
    /// How often each popup became visible.
    package private(set) var shown: [String: Int] = [:]
    /// What each popup said when it was presented the last time.
    package private(set) var contents: [String: Value] = [:]
    /// Why each popup's last task ended.
    package private(set) var endings: [String: HostEvent] = [:]
    /// Why each popup could not show whose last task was dropped for that.
    private(set) var obstacles: [String: ReasonCode] = [:]
    /// What the app has set; keys at their defaults are not in it.
    package private(set) var context: [String: Value]
    package private(set) var rules: RuleSet
    /// What goes wrong at the next presentation of a popup.
    package private(set) var faults: [String: Fault] = [:]
    /// The popups whose next dismissal is never over.
    package private(set) var stuck: Set<String> = []
    /// What is not drawn.
    let draws: ForcedDraws
    /// The arm of each popup's experiment that its last task was in.
    package private(set) var arms: [String: String] = [:]
    /// The arm that the user was exposed to the last time, by popup.
    package private(set) var exposures: [String: String] = [:]
    /// The goals under which exposures were converted, by popup.
    package private(set) var conversions: [String: Set<String>] = [:]
    /// When the user saw each popup, or was exposed to it, for the first and the last time.
    private(set) var sightings: [String: (first: Moment, last: Moment)] = [:]
    /// When each event was sent the last time.
    private(set) var sendings: [String: Moment] = [:]
    /// The popup of each presentation that is on a screen.
    private var presented: [PresentationID: String] = [:]
    /// What is written down about the rules that the simulation began with; nil when nobody asks.
    package var coverage: Coverage?
    /// What is kept for drawings; nil when nobody asks.
    package var scenes: Scenes?
    private(set) var hasFirstRules = true
    /// Whether the clock was to stop so often that a part of an `advance` was passed over, or the
    /// budget was used up: from then on nothing is handled.
    package private(set) var isCutShort = false
    /// The rules that it began with.
    private let prepared: PreparedRules
    private var user = ""
    /// The zone of the device.
    private var zone: String?
    /// What other users have seen and done.
    private var histories: [String: History] = [:]
    private let seed: UInt64
    /// What the command that this belongs to may still do.
    private let budget: WorkBudget
    private let cost: JudgingCost
    /// The work of the coverage that the budget was charged for.
    private var chargedWork: Int

    /// Starts the app: fills the context, then fires `start`. `faults` go wrong at that.
    package init(
        rules: RuleSet, context: [String: Value] = [:], draws: ForcedDraws = ForcedDraws(),
        history: History = History(), seed: UInt64 = 0, start: Timestamp, zone: String? = nil,
        user: String = "", faults: [(fault: Fault, popup: String)] = [],
        coverage: Coverage? = nil, scenes: Scenes? = nil, budget: WorkBudget
    ) {
        self.init(
            of: PreparedRules(rules.drawing(draws)), context: context, draws: draws,
            history: history, seed: seed, start: start, zone: zone, user: user, faults: faults,
            coverage: coverage, scenes: scenes, budget: budget)
    }

    /// The same for rules that several simulations begin with: those that `draws` have made.
    package init(
        of prepared: PreparedRules, context: [String: Value] = [:],
        draws: ForcedDraws = ForcedDraws(), history: History = History(), seed: UInt64 = 0,
        start: Timestamp, zone: String? = nil, user: String = "",
        faults: [(fault: Fault, popup: String)] = [], coverage: Coverage? = nil,
        scenes: Scenes? = nil, budget: WorkBudget
    ) {
        now = Moment(instant: .zero, date: start)
        self.prepared = prepared
        rules = prepared.rules
        self.draws = draws
        self.zone = zone
        self.user = user
        self.context = context
        self.seed = seed
        self.budget = budget
        cost = JudgingCost(rules)
        chargedWork = coverage?.work ?? 0
        self.coverage = coverage
        self.scenes = scenes
        self.coverage?.begin()
        for (fault, popup) in faults {
            if fault == .hangDismissal { stuck.insert(popup) } else { self.faults[popup] = fault }
        }
        scheduler = Scheduler(of: prepared, seed: seed, user: user, history: history, at: now)
        isCutShort = !budget.charge(.judgedPopups, cost.ofStart)
        if let history = scheduler.history(completedFor: context) {
            scheduler = Scheduler(
                of: prepared, seed: seed, user: user, history: history, at: now)
        }
        begin()
    }

    /// The app has started, on a device and with a user of which all is known.
    private mutating func begin() {
        if let zone { handle(.zoneChanged(zone)) }
        for (popup, arm) in draws.arms.sorted(by: { $0.key < $1.key }) {
            handle(.forceArm(popup: popup, arm: arm))
        }
        handle(.update(context))
        handle(.started)
    }

    /// The place of a popup among the rules that the simulation began with.
    func place(of popup: String) -> PopupIndex? { prepared.place(of: popup) }

    /// Writes down what is about to be done.
    package mutating func note(_ input: String) {
        log.append(Entry(time: now.instant, content: .input(input)))
    }

    /// Hands an input to the scheduler and answers everything that it asks, until it asks nothing
    /// more.
    package mutating func handle(_ event: Event) {
        guard !isCutShort, budget.charge(.simulatedSteps) else {
            isCutShort = true
            return
        }
        let examined = scheduler.statistics.tasksExamined
        var inbox = [event.drawing(draws)]
        var next = 0
        while next < inbox.count {
            for effect in scheduler.handle(inbox[next], at: now) {
                if let reply = perform(effect) { inbox.append(reply) }
            }
            next += 1
        }
        var judged = scheduler.statistics.tasksExamined - examined
        if case .reload(let rules, _) = event { judged += JudgingCost(rules).ofStart }
        if !budget.charge(.judgedPopups, judged * cost.ofPopup) { isCutShort = true }
        remember(event)
        cover(event)
        watch()
    }

    /// Charges what it takes to write down why popups wait, and the work besides.
    ///
    /// - Parameter work: That of the coverage since it began.
    mutating func chargeCoverage(of waiting: Int, work: Int) {
        let judged = waiting * (cost.ofPopup + 1) + work - chargedWork
        chargedWork = work
        if !budget.charge(.judgedPopups, judged) { isCutShort = true }
    }

    /// Moves the clock, stopping wherever the scheduler wants to be woken, at most `mostWakes`
    /// times.
    package mutating func advance(by duration: Duration, mostWakes: Int = Self.mostWakes) {
        let end = now.advanced(by: duration)
        var wakes = 0
        while let wake = scheduler.nextWake, wake <= end.instant {
            wakes += 1
            if wakes > mostWakes {
                isCutShort = true
                break
            }
            now = now.advanced(by: max(.zero, wake - now.instant))
            handle(.timePassed)
            if isCutShort { break }
        }
        now = end
        handle(.timePassed)
    }

    /// Charges what it takes to begin again: a scheduler is made, and all popups that wait for the
    /// start of the app are queued. Returns whether it may be done.
    private mutating func chargeStart() -> Bool {
        let isAllowed =
            !isCutShort && budget.charge(.judgedPopups, cost.ofStart * 2 + rules.popups.count)
        if !isAllowed { isCutShort = true }
        return isAllowed
    }

    /// Lets the next presentation, or the next dismissal, of the popup go wrong.
    package mutating func inject(_ fault: Fault, into popup: String) {
        if fault == .hangDismissal { stuck.insert(popup) } else { faults[popup] = fault }
    }

    /// The app ends and starts again: context and history stay, queues and screens do not.
    package mutating func restart() {
        guard chargeStart() else { return }
        scheduler = Scheduler(
            rules: rules, seed: seed, user: user, history: scheduler.history, at: now)
        begin()
    }

    /// Another user signs in; one that was there before finds what was seen then. `values` take the
    /// place of the whole context.
    package mutating func switchUser(
        to name: String, context values: [String: Value]? = nil, history: History? = nil
    ) {
        guard chargeStart() else { return }
        histories[user] = scheduler.history
        user = name
        if let values { context = values }
        handle(
            .switchUser(name, histories[name] ?? history ?? History(), context: values))
    }

    private mutating func perform(_ effect: Effect) -> Event? {
        switch effect {
        case .askWillShow(let presentation):
            let popup = presentation.popup.id
            arms[popup] = presentation.variant
            guard let fault = faults[popup], let answer = fault.answer else {
                return .answered(presentation.id, .show)
            }
            faults[popup] = nil
            return .answered(presentation.id, answer)
        case .present(let presentation):
            presented[presentation.id] = presentation.popup.id
            contents[presentation.popup.id] = presentation.resolvedContent
            switch faults.removeValue(forKey: presentation.popup.id) {
            case .fail?: return .presentFailed(presentation.id, message: "the test made it fail")
            case .hang?: return nil
            case .veto?, .postpone?, .hangDismissal?, nil: return .didPresent(presentation.id)
            }
        case .dismiss(let id):
            let popup = presented.removeValue(forKey: id)
            return popup.flatMap { stuck.remove($0) } == nil ? .didDismiss(id) : nil
        case .record(let record, let viewer):
            // What a user saw who is gone by now ends after that.
            if viewer != user { histories[viewer]?.apply(record) }
            return nil
        case .emit(let event):
            observe(event)
            return nil
        }
    }

    private mutating func observe(_ event: HostEvent) {
        var entry = Entry(time: now.instant, content: .event(event))
        if case .discarded(let task, .discardedUntriggered) = event {
            entry.obstacle = obstacle(to: task.popup)
        }
        log.append(entry)
        cover(event)
        if case .shown(let task) = event { shown[task.popup, default: 0] += 1 }
        if case .exposed(let task, let arm, _) = event { exposures[task.popup] = arm }
        if let popup = event.sighting { sightings[popup] = (sightings[popup]?.first ?? now, now) }
        if case .converted(let popup, let goal, _) = event {
            conversions[popup, default: []].insert(goal)
        }
        if let ending = event.ending, let popup = event.popup {
            endings[popup] = event
            let isDropped = ending == .discardedUntriggered || ending == .waitedTooLong
            obstacles[popup] = isDropped ? obstacle(to: popup) : nil
        }
    }

    /// The reason why a popup couldn't show when its task was dropped.
    func obstacle(to popup: String) -> ReasonCode? {
        scheduler.explain(popup, at: now)?.obstacle?.reason
    }

    /// What a restart begins with.
    private mutating func remember(_ event: Event) {
        switch event {
        case .update(let values, let unset):
            context.merge(values) { $1 }
            for key in unset { context[key] = nil }
        case .reload(let rules, _):
            self.rules = rules.drawing(draws)
            hasFirstRules = false
        case .zoneChanged(let zone): self.zone = zone
        case .send(let name, _): sendings[name] = now
        case .forget(let user): histories[user] = nil
        case .forceArm, .started, .enqueue, .force, .enqueueForeign, .setForeign, .dismiss,
            .remove,
            .removeAll, .suspend, .resume, .switchUser, .forgetPopup, .historyChanged,
            .beginSession,
            .background, .foreground, .poke, .timePassed, .answered, .didPresent, .presentFailed,
            .didDismiss, .userClosed, .acted,
            .didDisappear:
            break
        }
    }
}

/// What may go wrong when a popup is about to be presented.
package enum Fault: Sendable, Hashable {
    /// The app says no.
    case veto
    /// The app puts it off.
    case postpone(Duration)
    /// The presentation fails.
    case fail
    /// The presentation is never over.
    case hang
    /// The dismissal is never over.
    case hangDismissal

    fileprivate var answer: WillShowAnswer? {
        switch self {
        case .veto: .cancel
        case .postpone(let duration): .postpone(duration)
        case .fail, .hang, .hangDismissal: nil
        }
    }
}
