public import PopCEL

/// The state machine that decides which popups show: pure, deterministic and total.
///
/// It has no clock and no random source: all input comes in as an `Event` at a `Moment`, all output
/// goes out as effects, in order. The same events at the same moments with the same seed give the
/// same effects.
public struct Scheduler: Sendable {
    /// The popups, of the rules and hand-made.
    var catalog: Catalog
    /// The screens.
    var lanes: Lanes
    /// The tasks that wait.
    var queues: Queues
    /// The values that conditions read, the results of conditions, and the watchers of changes.
    var conditions: Conditions
    /// The record of what users have seen and done.
    var memory: Memory
    /// The results of the last trigger and the last task of each popup.
    var outcomes = Outcomes()
    /// The forced arms of experiments, by popup.
    var forcedArms: [String: String] = [:]
    /// The random durations so far.
    var draws: Draws
    /// The payloads of the events that made tasks, by the tasks' numbers, if contents name them.
    /// Stored apart from the tasks, because few tasks have one.
    var payloads: [Int: [String: Value]] = [:]
    /// The values that keys had when places were reserved for tasks, by the tasks' numbers, if caps
    /// count for each value of a key. Stored apart from the tasks for the same reason.
    var valuesOfPlaces: [Int: ValuesOfPlace] = [:]
    /// The triggers that fired while their popup was leaving, by its id.
    var remembered: [String: RememberedTrigger] = [:]
    /// The effects for the host.
    var effects = Effects()

    /// The times at which the app was in the background.
    var absences = Absences()

    /// True once `started` was received. Before that, the context is being filled, which changes
    /// nothing yet.
    private(set) var hasStarted = false
    /// True if a popup was ever forced. Apps force none, and then nothing is checked for it.
    var hasForced = false

    var now: Moment
    /// The IANA name or the offset of the zone that the host is in.
    var hostZone = "UTC"
    /// The last values of keys that weren't names of zones.
    var reportedZones: [String: String?] = [:]
    /// The current span of quiet hours; nil after clocks or rules changed.
    var quietSpan: QuietSpan?
    let timeZones: TimeZones
    let limits: SchedulerLimits

    /// Starts without context and without tasks; the session begins at `now`.
    public init(
        rules: RuleSet, seed: UInt64, user: String = "", history: History = History(),
        at now: Moment, timeZones: TimeZones = .system,
        limits: SchedulerLimits = .standard
    ) {
        self.init(
            of: PreparedRules(rules), seed: seed, user: user, history: history, at: now,
            timeZones: timeZones, limits: limits)
    }

    /// Starts with rules that several schedulers share.
    package init(
        of prepared: PreparedRules, seed: UInt64, user: String = "", history: History = History(),
        at now: Moment, timeZones: TimeZones = .system,
        limits: SchedulerLimits = .standard
    ) {
        catalog = prepared.catalog
        let rules = prepared.rules
        memory = Memory(of: user, history, in: catalog, limits: limits)
        self.now = now
        self.timeZones = timeZones
        self.limits = limits
        lanes = Lanes(rules.schedulers)
        draws = Draws(seed: seed)
        queues = Queues(popups: rules.popups.count, lanes: rules.schedulers)
        conditions = prepared.conditions
        conditions.begin(with: memory.history, at: now.date)
        countImpressions()
    }

    /// Handles one event and returns its effects.
    ///
    /// An instant before that of an earlier event counts as that earlier instant. The cost depends
    /// on what the event changes: logarithmic in the number of waiting tasks for each task that is
    /// made, chosen or dropped, plus the conditions that have to be evaluated.
    public mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        advance(to: now)
        apply(event)
        if !event.isMereTime { recheckFormerConditions() }
        settle()
        return effects.take()
    }

    /// The record of what the user has seen and done so far. Linear in the popups.
    public var history: History { memory.history.history(catalog.rules.popups) }

    /// The amount of work that the machine did so far.
    public var statistics: Statistics {
        Statistics(conditionsEvaluated: conditions.evaluations, tasksExamined: queues.examined)
    }

    /// The work that the machine did so far, in the time that it takes to examine a waiting task;
    /// conditions and sums of event fields count by the time that they take.
    package var work: Int {
        queues.examined
            + (conditions.evaluations + conditions.addedAmounts / Self.amountsPerEvaluation)
            / Self.evaluationsPerTask
            + conditions.evaluationSteps / Self.stepsPerTask
    }

    /// The number of steps of evaluating conditions, in the unit of `CELLimits.cost`, that take as
    /// long as examining one waiting task.
    package static let stepsPerTask = 32
    private static let evaluationsPerTask = 8
    private static let amountsPerEvaluation = 8

    mutating func emit(_ event: consuming HostEvent) {
        if let ending = event.ending, let task = event.task {
            outcomes.note(ending, of: task.popup)
            if !payloads.isEmpty { payloads[task.number] = nil }
            if !valuesOfPlaces.isEmpty { valuesOfPlaces[task.number] = nil }
        }
        effects.add(.emit(event))
    }

    private mutating func apply(_ event: Event) {
        switch event {
        case .started:
            let begun: [Trigger.Occasion] = hasStarted ? [.start] : [.start, .session]
            hasStarted = true
            reportZones()
            countSession()
            fire(catalog.triggers.popups(at: begun))
        case .update(let values, let unset): update(values, unset: unset)
        case .send(let name, let payload): send(name, payload: payload)
        case .enqueue(let id): enqueue(id)
        case .force(let id): force(id)
        case .enqueueForeign(let popup, let isTrue): enqueueForeign(popup, isTrue: isTrue)
        case .setForeign(let id, let isTrue): setForeign(id, isTrue: isTrue)
        case .dismiss(let id): dismiss(id)
        case .remove(let id): remove(id)
        case .removeAll: removeAll()
        case .suspend(let owner, let scheduler):
            suspend(Suspension(by: owner, scheduler: scheduler))
        case .resume(let owner, let scheduler):
            resume(Suspension(by: owner, scheduler: scheduler))
        case .switchUser(let user, let history, let context):
            switchUser(user, history: history, context: context)
        case .forget(let user): forget(user)
        case .forgetPopup(let id): forgetPopup(id)
        case .historyChanged(let history): historyChanged(history)
        case .reload(let rules, let context): reload(rules, context: context)
        case .zoneChanged(let zone): zoneChanged(zone)
        case .forceArm(let id, let arm): forceArm(arm, of: id)
        case .beginSession: beginSession()
        case .background: background()
        case .foreground: foreground()
        case .poke, .timePassed: break
        case .answered(let presentation, let answer): answered(presentation, answer: answer)
        case .didPresent(let presentation): didPresent(presentation)
        case .presentFailed(let presentation, let message):
            presentFailed(presentation, message: message)
        case .didDismiss(let presentation): didDismiss(presentation)
        case .userClosed(let id): userClosed(id)
        case .acted(let id, let action, let stays): acted(id, action: action, stays: stays)
        case .didDisappear(let id): didDisappear(id)
        }
    }
}

/// The limits on what one scheduler waits for and remembers, so that nothing gets stuck or grows
/// without end.
public struct SchedulerLimits: Sendable, Hashable {
    /// The maximum time for `present` and `dismiss`; after that the scheduler continues and reports
    /// it.
    public var animationTimeout = Duration.seconds(10)
    /// The number of dates of one event that are kept for `event_count(name, duration)`; the oldest
    /// are removed first.
    public var datesPerEvent = 10_000
    /// The number of dates of one popup's impressions that are kept for its caps, or as many as a
    /// cap of the rules needs if that is more; the oldest are removed first.
    public var datesPerPopup = 10_000
    /// The maximum number of hand-made popups in the queues at a time.
    public var foreignPopups = 1_000

    /// The standard limits, to change one by one.
    public init() {}

    /// The limits of a scheduler that is made without other limits.
    public static let standard = SchedulerLimits()
}

/// The amount of work that a scheduler did so far; tests assert on it that the work depends only on
/// what an input changes.
public struct Statistics: Sendable, Hashable {
    /// The number of conditions evaluated, of popups, groups, triggers and named ones.
    public var conditionsEvaluated = 0
    /// The number of times that a waiting task's eligibility was examined.
    public var tasksExamined = 0
}
