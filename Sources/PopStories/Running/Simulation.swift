package import PopCEL
package import PopExplanations
package import PopScenario
package import PopScheduler
package import PopSource

/// A scenario of a test on the real scheduler, with everything that the test can check.
package struct Simulation: Sendable {
    /// An entry of the log, with its time.
    package struct Entry: Sendable {
        /// The time since the simulation started.
        package var time: Duration
        package var content: Content
        /// The reason why the popup couldn't show when its task was dropped.
        package var obstacle: ReasonCode?

        package enum Content: Sendable {
            /// The action of a step, in the words of a test file.
            case input(String)
            case event(HostEvent)
        }
    }

    /// The default for the maximum number of times that the clock may stop during one `advance`.
    package static let mostWakes = 1_000_000

    private var host: ScenarioHost
    package private(set) var log: [Entry] = []
    /// The number of times that each popup became visible.
    package private(set) var shown: [String: Int] = [:]
    /// The content of each popup's last presentation.
    package private(set) var contents: [String: Value] = [:]
    /// The event that ended each popup's last task.
    package private(set) var endings: [String: HostEvent] = [:]
    /// The reason why each popup couldn't show, if its last task was dropped for that reason.
    private(set) var obstacles: [String: ReasonCode] = [:]
    /// The context values that the app has set; keys at their defaults aren't included.
    package private(set) var context: [String: Value]
    package private(set) var rules: RuleSet
    /// The popups that waited at the last restart.
    private var lostAtRestart: Set<String> = []
    /// The fixed assignments.
    let draws: ForcedDraws
    /// The arm of each popup's experiment that its last task was in.
    package private(set) var arms: [String: String] = [:]
    /// The arm that the user was last exposed to, by popup.
    package private(set) var exposures: [String: String] = [:]
    /// The goals under which exposures were converted, by popup.
    package private(set) var conversions: [String: Set<String>] = [:]
    /// The first and the last time that the user saw each popup, or was exposed to it.
    private(set) var sightings: [String: (first: Moment, last: Moment)] = [:]
    /// The popups that the user saw when the app had started, before the first step.
    private(set) var seenAtStart: Set<String> = []
    /// The time at which each event was last sent.
    private(set) var sendings: [String: Moment] = [:]
    /// The coverage of the rules that the simulation started with; nil if nobody requested it.
    package var coverage: Coverage?
    /// The scenes that are kept for drawings; nil if nobody requested them.
    package var scenes: QueueSnapshots?
    private(set) var hasFirstRules = true
    /// The rules that it started with.
    private let prepared: PreparedRules
    private var user = ""
    /// The time zone of the device.
    private(set) var zone: String?
    /// The histories of other users.
    private var histories: [String: History] = [:]
    private let seed: UInt64
    /// The work that the command may still do.
    let budget: WorkBudget
    /// The coverage work that the budget was charged for.
    private var chargedWork: Int

    /// Starts the app: fills the context, then fires `start`. The start has the given `faults`.
    package init(
        rules: RuleSet, context: [String: Value] = [:], draws: ForcedDraws = ForcedDraws(),
        history: History = History(), seed: UInt64 = 0, start: Timestamp, zone: String? = nil,
        user: String = "", faults: [(fault: Fault, popup: String)] = [],
        coverage: Coverage? = nil, scenes: QueueSnapshots? = nil, budget: WorkBudget
    ) {
        self.init(
            of: PreparedRules(rules.drawing(draws)), context: context, draws: draws,
            history: history, seed: seed, start: start, zone: zone, user: user, faults: faults,
            coverage: coverage, scenes: scenes, budget: budget)
    }

    /// Starts the app with rules that several simulations share: the rules that `draws` have
    /// changed.
    package init(
        of prepared: PreparedRules, context: [String: Value] = [:],
        draws: ForcedDraws = ForcedDraws(), history: History = History(), seed: UInt64 = 0,
        start: Timestamp, zone: String? = nil, user: String = "",
        faults: [(fault: Fault, popup: String)] = [], coverage: Coverage? = nil,
        scenes: QueueSnapshots? = nil, budget: WorkBudget
    ) {
        let now = Moment(instant: .zero, date: start)
        self.prepared = prepared
        rules = prepared.rules
        self.draws = draws
        self.zone = zone
        self.user = user
        self.context = context
        self.seed = seed
        self.budget = budget
        chargedWork = coverage?.work ?? 0
        self.coverage = coverage
        self.scenes = scenes
        self.coverage?.begin()
        let scheduler = Scheduler(
            of: prepared, seed: seed, user: user, history: history, at: now)
        host = ScenarioHost(
            scheduler, at: now, work: .init(budget, cost: JudgingCost(prepared.rules)))
        for (fault, popup) in faults { host.inject(fault, into: popup) }
        _ = host.charge(starts: 1)
        if let history = scheduler.history(completedFor: context) {
            host.restart(
                with: Scheduler(of: prepared, seed: seed, user: user, history: history, at: now))
        }
        begin()
        seenAtStart = Set(sightings.keys)
    }

    package var scheduler: Scheduler { host.scheduler }
    package var now: Moment { host.now }
    /// The fault of the next presentation of each popup.
    var faults: [String: Fault] { host.faults }
    /// The popups whose next dismissal never ends.
    var stuck: Set<String> { host.stuck }
    /// True if a part of an `advance` was skipped because the clock had to stop too often, or if
    /// the budget was used up: from then on nothing is handled.
    package var isCutShort: Bool { host.isCutShort }

    /// Starts the app on a device and for a user whose properties are all known.
    private mutating func begin() {
        if let zone { handle(.zoneChanged(zone)) }
        for (popup, arm) in draws.arms.sorted(by: { $0.key < $1.key }) {
            handle(.forceArm(popup: popup, arm: arm))
        }
        handle(.update(context))
        handle(.started)
    }

    /// Returns the index of a popup among the rules that the simulation started with.
    func place(of popup: String) -> PopupIndex? { prepared.place(of: popup) }

    /// Records the action that is about to be performed.
    package mutating func note(_ input: String) {
        log.append(Entry(time: now.instant, content: .input(input)))
    }

    /// Passes an input to the scheduler and answers all its effects until it has no more.
    package mutating func handle(_ event: Event) {
        guard !isCutShort else { return }
        host.post(event.drawing(draws))
        observe(event)
    }

    /// Observes the effects of an event that was posted.
    private mutating func observe(_ event: Event) {
        if isCutShort { return }
        while let effects = host.next() {
            for effect in effects { observe(effect) }
        }
        remember(event)
        cover(event)
        watch()
    }

    /// Charges the work of recording why popups wait, and the other coverage work.
    ///
    /// - Parameter work: The coverage work since its start.
    mutating func chargeCoverage(of waiting: Int, work: Int) {
        host.charge(judged: waiting, others: waiting + work - chargedWork)
        chargedWork = work
    }

    /// Moves the clock, stopping at each time the scheduler requests to be woken, at most
    /// `mostWakes` times.
    package mutating func advance(by duration: Duration, mostWakes: Int = Self.mostWakes) {
        let end = now.advanced(by: duration)
        var wakes = 0
        while wakes < mostWakes, !isCutShort, host.wake(by: end) {
            wakes += 1
            observe(.timePassed)
        }
        if let wake = scheduler.nextWake, wake <= end.instant { host.cutShort() }
        host.move(to: end)
        handle(.timePassed)
    }

    /// Charges the work of a start, which creates a scheduler and queues all popups that wait for
    /// the start of the app. Returns true if the budget allows it.
    private mutating func chargeStart() -> Bool {
        host.charge(starts: 2, others: rules.popups.count)
    }

    /// Injects a fault into the next presentation, or the next dismissal, of the popup.
    package mutating func inject(_ fault: Fault, into popup: String) {
        host.inject(fault, into: popup)
    }

    /// Ends the app and starts it again: context and history are kept, queues and screens aren't.
    package mutating func restart() {
        guard chargeStart() else { return }
        lostAtRestart = Set(scheduler.waitingReasons(at: now).keys)
        host.restart(
            with: Scheduler(
                rules: rules, seed: seed, user: user, history: scheduler.history, at: now))
        begin()
    }

    /// Signs in another user; a returning user keeps the history. `values` replace the whole
    /// context.
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

    private mutating func observe(_ effect: Effect) {
        switch effect {
        case .askWillShow(let presentation):
            arms[presentation.popup.id] = presentation.variant
        case .present(let presentation):
            contents[presentation.popup.id] = presentation.resolvedContent
        case .record(let record, let viewer):
            // Records of a user who has signed out go to that user's history.
            if viewer != user { histories[viewer]?.apply(record) }
        case .emit(let event): observe(event)
        case .dismiss: break
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

    /// Returns the reason why a popup couldn't show when its task was dropped.
    func obstacle(to popup: String) -> ReasonCode? {
        scheduler.explain(popup, at: now)?.obstacle?.reason
    }

    /// Keeps the state that a restart begins with.
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

extension Simulation {
    /// The state from which descriptions of its popups are written.
    package var situation: ExplainContext {
        var situation = ExplainContext(
            scheduler, at: now, rules: rules, context: context, speaker: "the test")
        situation.rollouts = draws.rollouts
        situation.arms = draws.arms
        situation.isHeldOut = draws.isHeldOut
        situation.endings = endings
        situation.budget = budget
        return situation
    }

    /// Returns the reasons why a popup isn't on the screen, as notes on a failure.
    package func whyNot(_ popup: String) -> [String] {
        let reasons = situation.whyNot(popup)
        guard lostAtRestart.contains(popup),
            case .absent(.notTriggered)? = scheduler.state(of: popup, at: now)
        else { return reasons }
        return reasons + [
            "`\(popup)` waited when the app was restarted; popups that wait do not survive a"
                + " restart"
        ]
    }

    /// The time that the simulation has been running, such as `4.5s`.
    package var timeText: String { PopScheduler.timeText(now.instant) }
}

/// The user's assignments that a test fixes instead of leaving them random.
package struct ForcedDraws: Sendable {
    /// True for each popup with a `rollout` that includes the user; false if it excludes the user.
    package var rollouts: [String: Bool] = [:]
    /// By popup with an `experiment`, the arm that the user is in.
    package var arms: [String: String] = [:]
    /// True if the user is in the `holdout`, provided that there is one and the user can be
    /// identified.
    package var isHeldOut: Bool?

    package init() {}

    /// Returns the same assignments, overridden by `others`.
    package func merging(_ others: ForcedDraws) -> ForcedDraws {
        var draws = self
        draws.rollouts.merge(others.rollouts) { $1 }
        draws.arms.merge(others.arms) { $1 }
        draws.isHeldOut = others.isHeldOut ?? isHeldOut
        return draws
    }
}

// Fixed assignments to a rollout or to the holdout are put into the rules: the scheduler assigns
// users as usual, but includes nobody or everybody.
extension RuleSet {
    /// Returns the same rules with rollouts and the holdout changed to the fixed assignments.
    package func drawing(_ draws: ForcedDraws) -> RuleSet {
        var rules = self
        if let isHeldOut = draws.isHeldOut { rules.holdout?.percent = isHeldOut ? 100 : 0 }
        if draws.rollouts.isEmpty { return rules }
        for index in rules.popups.indices {
            guard let isIn = draws.rollouts[rules.popups[index].id] else { continue }
            guard let share = rules.popups[index].audience.rollout?.share else { continue }
            rules.popups[index].audience.rollout?.share = share.drawing(isIn)
        }
        return rules
    }
}

extension Rollout.Share {
    /// Returns a share that includes the user from the first nonempty share on, or never: before
    /// the first step nobody is included.
    fileprivate func drawing(_ isIn: Bool) -> Self {
        guard isIn, case .steps(let steps) = self else { return .range(isIn ? 0..<100 : 0..<0) }
        return .steps(
            steps.map { step in
                var step = step
                step.percent = step.percent > 0 ? 100 : 0
                return step
            })
    }
}

extension Event {
    package func drawing(_ draws: ForcedDraws) -> Event {
        guard case .reload(let rules, let context) = self else { return self }
        return .reload(rules.drawing(draws), context: context)
    }
}
