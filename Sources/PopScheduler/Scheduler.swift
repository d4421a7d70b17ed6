public import PopCEL

/// The state machine that decides which popups show: pure, deterministic and total.
///
/// It has no clock and no random source: whatever happens comes in as an `Event` at a `Moment`,
/// whatever is to be done goes out as effects, in order. The same events at the same moments with
/// the same seed give the same effects.
public struct Scheduler: Sendable {
    var catalog: Catalog

    /// In the order of the rules, then those that a reload took away while a popup was on their
    /// screen.
    var lanes: ParallelArray<LaneIndex, Lane>
    /// Tasks that wait or are chosen, by the index of their popup.
    var tasks: TaskTable
    /// When waiting and chosen tasks have to be looked at again, by the index of their popup.
    var instants = IndexedHeap<Duration>()
    var dates = IndexedHeap<Timestamp>()

    /// The values of context keys that former rules declared and these do not.
    var formerContext: [String: Value] = [:]
    var sources: SlotStore.Sources
    var store: SlotStore
    var watchKeys: WatchKeys
    var watchers: Watchers
    var groupImpressions: ParallelArray<GroupIndex, CappedDates>
    /// How many dates of one popup's impressions are kept.
    var datesPerPopup = 0
    /// What the users who are not there saw in this session.
    var away = SessionsAway()
    /// Whether `started` has come: before it the context is being filled, which changes nothing
    /// yet.
    var hasStarted = false
    /// Popups whose last trigger was filtered out, and by what.
    var filtered: [String: FilteredTrigger] = [:]
    /// How the last task of each popup ended.
    var endings: [String: ReasonCode] = [:]
    /// What kept the last task of a popup from showing when it was dropped for that.
    var obstacles: [String: FormerObstacle] = [:]

    /// What is suspended, and by whom.
    public internal(set) var suspensions: Set<Suspension> = []
    var user: String
    var now: Moment
    var taskCount = 0
    var generator: SplitMix64
    let timeZones: any TimeZones
    let limits: SchedulerLimits
    var effects: [Effect] = []
    var tasksExamined = 0

    /// Starts without context and without tasks; the session begins at `now`.
    public init(
        rules: RuleSet, seed: UInt64, user: String = "", history: History = History(),
        at now: Moment, timeZones: any TimeZones = SystemTimeZones(),
        limits: SchedulerLimits = .standard
    ) {
        catalog = Catalog(rules)
        self.user = user
        self.now = now
        self.timeZones = timeZones
        self.limits = limits
        lanes = ParallelArray(rules.schedulers.map(Lane.init))
        tasks = TaskTable(count: rules.popups.count)
        sources = SlotStore.Sources(
            history: KeptHistory(history, count: rules.popups.count, place: catalog.ruledPlace),
            sessionStarted: now.date)
        store = SlotStore(rules, sources: sources, now: now.date)
        watchKeys = WatchKeys(rules, slots: store.graph.count)
        watchers = Watchers(count: watchKeys.count)
        groupImpressions = []
        generator = SplitMix64(seed: seed)
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
        var given: [Effect] = []
        swap(&given, &effects)
        return given
    }

    /// What the user has seen and done so far. Linear in the popups.
    public var history: History { sources.history.history(catalog.rules.popups) }

    /// What the machine had to do so far.
    public var statistics: Statistics {
        Statistics(conditionsEvaluated: store.evaluations, tasksExamined: tasksExamined)
    }

    mutating func emit(_ event: consuming HostEvent) {
        if let ending = event.ending, let task = event.task { endings[task.popup] = ending }
        perform(.emit(event))
    }

    /// Adds to what is to be done. There are mostly two to four effects: room for them is asked for
    /// once.
    mutating func perform(_ effect: consuming Effect) {
        if effects.isEmpty { effects.reserveCapacity(4) }
        effects.append(effect)
    }

    /// Adds two. Mostly they are the first and all, and a list that is made of two is made in half
    /// the instructions.
    mutating func perform(_ first: consuming Effect, _ second: consuming Effect) {
        if effects.isEmpty {
            effects = [first, second]
        } else {
            effects.append(first)
            effects.append(second)
        }
    }

    private mutating func apply(_ event: Event) {
        switch event {
        case .started:
            hasStarted = true
            fireStart(catalog.triggers.start)
        case .update(let values, let unset): update(values, unset: unset)
        case .send(let name, let payload): send(name, payload: payload)
        case .enqueue(let id): enqueue(id)
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
        case .historyChanged(let history): historyChanged(history)
        case .reload(let rules, let context): reload(rules, context: context)
        case .poke, .timePassed: break
        case .answered(let presentation, let answer): answered(presentation, answer: answer)
        case .didPresent(let presentation): didPresent(presentation)
        case .presentFailed(let presentation, let message):
            presentFailed(presentation, message: message)
        case .didDismiss(let presentation): didDismiss(presentation)
        case .userClosed(let id): userClosed(id)
        case .didDisappear(let id): didDisappear(id)
        }
    }
}
