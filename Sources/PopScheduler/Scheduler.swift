public import PopCEL

/// The state machine that decides which popups show: pure, deterministic and total.
///
/// It has no clock and no random source: whatever happens comes in as an `Event` at a `Moment`,
/// whatever is to be done goes out as effects, in order. The same events at the same moments with
/// the same seed give the same effects.
public struct Scheduler: Sendable {
    /// The popups, of the rules and hand-made.
    var catalog: Catalog
    /// The screens.
    var lanes: Lanes
    /// The tasks that wait.
    var queues: Queues
    /// What conditions read and come to, and who waits for that.
    var conditions: Conditions
    /// What users have seen and done.
    var memory: Memory
    /// How the last trigger and the last task of each popup came out.
    var outcomes = Outcomes()
    /// The arms that users are put into, by popup, whatever is drawn.
    var forcedArms: [String: String] = [:]
    /// What was drawn so far.
    var draws: Draws
    /// What the events that made tasks carried, by the tasks' numbers, where contents name it.
    /// Apart from the tasks, few of which have any.
    var payloads: [Int: [String: Value]] = [:]
    /// The values that keys had when places were kept for tasks, by the tasks' numbers, where caps
    /// count for each value of a key. Apart from the tasks for the same reason.
    var valuesOfPlaces: [Int: ValuesOfPlace] = [:]
    /// The triggers that fired while their popup was leaving, by its id.
    var remembered: [String: RememberedTrigger] = [:]
    /// What the host is to do.
    var effects = Effects()

    /// When the app was in the background.
    var absences = Absences()

    /// Whether `started` has come: before it the context is being filled, which changes nothing
    /// yet.
    private(set) var hasStarted = false
    /// Whether a popup was ever forced: apps do not, and nothing is asked of what is.
    var hasForced = false

    var now: Moment
    /// The IANA name or the offset of the zone that the host is in.
    var hostZone = "UTC"
    /// The last values of keys that named no zone.
    var reportedZones: [String: String?] = [:]
    /// What is known of quiet hours, until clocks or rules are others.
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

    /// The same for rules that several schedulers begin with.
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

    /// Takes in one event and says what is to be done about it.
    ///
    /// An instant before that of an earlier event counts as that one. Costs what the event touches:
    /// logarithmic in the number of waiting tasks for each one that is made, chosen or dropped,
    /// plus the conditions that have to be evaluated.
    public mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        advance(to: now)
        apply(event)
        if !event.isMereTime { recheckFormerConditions() }
        settle()
        return effects.take()
    }

    /// What the user has seen and done so far. Linear in the popups.
    public var history: History { memory.history.history(catalog.rules.popups) }

    /// What the machine had to do so far.
    public var statistics: Statistics {
        Statistics(conditionsEvaluated: conditions.evaluations, tasksExamined: queues.examined)
    }

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
