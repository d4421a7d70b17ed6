public import PopCEL
public import PopScheduler
internal import PopSource

/// Decides which popup shows when, from a rule set, and has the app's presenter show it.
///
/// Every call is safe from any thread and from inside every callback, returns without waiting for
/// the screen, the disk or another call's effects, and is handled in the order in which the calls
/// were made. Input that doesn't fit the rules is reported in the call's outcome and as an event.
///
/// The engine lives until `stop` is called or it is released. Until then it keeps its presenter
/// alive: a presenter that keeps the engine has to do so weakly, or the app has to call `stop`.
public final class PopupEngine: Sendable {
    /// The app's knowledge about its user and its state.
    public let context: ContextStore

    let core: EngineCore
    let store: any HistoryStore
    private let broadcast: EventBroadcast
    let statuses = StatusBroadcast()

    /// Creates an engine with a history that ends with the process; its events, caps and `after`
    /// only cover this session. It shows nothing before `start`.
    public convenience init(
        rules: RuleSet, presenter: any Presenter, context: ContextStore = ContextStore(),
        user: String = "", options: EngineOptions = EngineOptions()
    ) {
        self.init(
            rules: rules, presenter: presenter, context: context, user: user,
            store: MemoryHistoryStore(), history: History(), options: options)
    }

    /// Creates an engine with the user's stored history. It shows nothing before `start`. If the
    /// history can't be read, or not within `EngineLimits.silence`, an event reports that, and the
    /// history begins empty.
    ///
    /// A store object serves one engine; another object on the same file may serve another engine.
    public convenience init(
        rules: RuleSet, presenter: any Presenter, context: ContextStore = ContextStore(),
        user: String = "", history store: any HistoryStore, options: EngineOptions = EngineOptions()
    ) async {
        let loaded = await LoadedHistory.read(
            user, from: store, silence: options.engineLimits.silence, clock: options.clock)
        self.init(
            rules: rules, presenter: presenter, context: context, user: user, store: store,
            history: loaded.history, options: options)
        core.tell(loaded.problem)
        if !HistoryStoreRegistry.claim(store, for: core) { core.remark([.sharedStore]) }
    }

    private init(
        rules: RuleSet, presenter: any Presenter, context: ContextStore, user: String,
        store: any HistoryStore, history: History, options: EngineOptions
    ) {
        let (signals, signal) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let core = EngineCore(
            rules: rules, user: user, history: history, options: options, signal: signal)
        self.core = core
        self.context = context
        self.store = store
        broadcast = EventBroadcast(observer: options.observer)
        context.state.withLock { $0.attach(core, keys: rules.keys) }
        let stage = Stage(
            core: core, context: context, presenter: presenter, store: store, broadcast: broadcast,
            statuses: statuses)
        Task {
            var stage = stage
            await stage.run(signals)
        }
    }

    deinit { leave(dismissing: false) }

    func leave(dismissing: Bool) {
        context.state.withLock { $0.detach(core) }
        core.stop(dismissing: dismissing)
    }
}

extension EngineCore {
    /// Reports the problem that prevented a store from being read, if any.
    func tell(_ problem: (any Error)?) {
        if let problem { tell(.historyUnavailable(problem)) }
    }
}

// MARK: State

extension PopupEngine {
    /// The ID of the popup on the screen of each scheduler that shows one, by the scheduler's name.
    /// After `stop`, the popups that it left there.
    public var showing: [String: String] { core.read(\.showing) }

    /// The ids of the popups that wait on each scheduler, in order, by the scheduler's name.
    public var waiting: [String: [String]] { core.scheduler.waiting }

    /// Indicates whether nothing waits and nothing shows.
    public var isEmpty: Bool { core.read(\.isEmpty) }

    /// The names of the schedulers that are suspended; before `start` all of them.
    public var suspended: Set<String> { core.read(\.suspended) }

    /// Whose history decides.
    public var user: String { core.user }

    /// The current suspensions, each with its owner.
    public var suspensions: Set<Suspension> {
        core.read(\.suspensions).subtracting([.untilStart])
    }

    /// The history of the current user.
    public var history: History { core.scheduler.history }

    /// The counts of the scheduler's work so far, for metrics.
    public var statistics: Statistics { core.read(\.statistics) }

    /// Explains why a popup shows, waits or is absent at this moment; nil if there is no popup with
    /// that ID.
    ///
    /// Its `standstill` gives the reason if the engine itself can't show anything, such as a main
    /// actor that does not answer.
    public func explain(_ id: String) -> PopupExplanation? {
        var explanation = core.scheduler.explain(id, at: core.now)
        explanation?.standstill = core.standstill
        return explanation
    }

    /// The events from now on, a separate sequence for each call; if more than `limit` events are
    /// unread, the oldest are lost. A limit below 1 counts as 1: a reader without any buffer would
    /// miss all events between two of its steps.
    public func events(buffering limit: Int = 256) -> EngineEvents {
        broadcast.subscribe(buffering: limit)
    }

    /// The events from now on; of more than 256 unread ones the oldest are lost. Read it before
    /// `start` and before the task that goes through them: that may run only after the first.
    public var events: EngineEvents { events() }
}

// MARK: Tests

extension PopupEngine {
    /// The number of items that the stage has yet to do, including running calls of the presenter.
    package var openWork: Int { core.openWork }

    /// Indicates whether a heavy call is being processed.
    package var isWorkingIn: Bool { core.isWorkingIn }

    /// The number of user switches that were begun.
    package var switchesBegun: Int { core.switchesBegun }

    /// The time at which the clock has to wake the engine; nil if nothing is due.
    package var nextWake: Duration? { core.read(\.nextWake) }

    /// When the main actor will have been silent for too long; nil while it owes no answer.
    package var nextSilence: Duration? { core.nextSilence }

    /// Does immediately what the engine does when the clock wakes it.
    package func wakeUp() { core.wakeUp() }
}

extension PopupEngine {
    /// Fires `trigger: start` and lets popups show; only the first call has an effect. The first
    /// popup is chosen by the current values of the context.
    ///
    /// Calls before `start` take effect immediately, except that nothing shows. Popups that they
    /// put into a queue wait there. Popups with a higher priority that `start` triggers come before
    /// them.
    @discardableResult
    public func start() -> CallOutcome { core.start() }

    /// Reports an app event to the engine: popups with this trigger get a task, and the history
    /// counts it.
    ///
    /// The outcome names fields that the rules do not declare, and declared fields that are
    /// missing. A value of the wrong type is refused.
    @discardableResult
    public func send(_ event: String, _ payload: [String: Value] = [:]) -> CallOutcome {
        core.send(event, payload: payload)
    }

    /// Takes the popup down, once it has been visible for its `min_show`; one that waits ends.
    @discardableResult
    public func dismiss(_ id: String) -> CallOutcome { core.handle(.dismiss(id)) }

    /// Ends the popup's task immediately, and takes it off the screen first if it shows.
    @discardableResult
    public func remove(_ id: String) -> CallOutcome { core.handle(.remove(id)) }

    /// Empties the queues and dismisses what shows.
    @discardableResult
    public func removeAll() -> CallOutcome { core.handle(.removeAll) }

    /// Reports the device's time zone to the engine. Call it at the start and after each change,
    /// with an IANA name such as `Europe/Berlin`, or an offset such as `+02:00`. Times that the
    /// rules mark with `zone: local` are read in this zone; UTC until the first call.
    @discardableResult
    public func zoneChanged(_ zone: String) -> CallOutcome { core.handle(.zoneChanged(zone)) }

    /// Forces the user's arm of a popup's experiment, from its next task on: the name of a variant,
    /// or `control`; nil returns to the normal assignment. For tests and debugging.
    @discardableResult
    public func forceArm(_ arm: String?, of popup: String) -> CallOutcome {
        core.handle(.forceArm(popup: popup, arm: arm))
    }

    /// Reports that the app goes to the background. Nothing new is shown until `foreground`, and no
    /// time is visible time: `hide_after`, `min_show`, `grace`, `delay` and `gap` are paused.
    @discardableResult
    public func background() -> CallOutcome { core.handle(.background) }

    /// Reports that the app is back. After the `session.timeout` of the rules, measured by the
    /// calendar, a session begins.
    @discardableResult
    public func foreground() -> CallOutcome {
        if core.isNextSessionDue { reloadForSession() }
        return core.handle(.foreground)
    }

    /// Begins a session for all users, such as after a sign-in: the session counts of caps start
    /// from zero, and `trigger: session` fires. The first session begins with `start`.
    @discardableResult
    public func beginSession() -> CallOutcome {
        reloadForSession()
        return core.handle(.beginSession)
    }

    /// Shows nothing new on the scheduler, or on any, until `resume`; what shows stays.
    ///
    /// Parts of an app that do not know of each other give their names: neither lifts what the
    /// other suspended.
    @discardableResult
    public func suspend(by owner: String? = nil, scheduler: String? = nil) -> CallOutcome {
        core.handle(.suspend(by: owner, scheduler: scheduler))
    }

    /// Ends the suspension by the same owner of the same scheduler, or of all schedulers if none is
    /// named, and no other suspension.
    @discardableResult
    public func resume(by owner: String? = nil, scheduler: String? = nil) -> CallOutcome {
        core.handle(.resume(by: owner, scheduler: scheduler))
    }

    /// Looks again for something to show, and evaluates the conditions of hand-made popups. Call it
    /// if these read data that the engine doesn't know, and when the system reports that the
    /// calendar was set, because the engine's own waking counts the time that passes.
    @discardableResult
    public func poke() -> CallOutcome {
        core.askForeign()
        return core.handle(.poke)
    }

    /// Reports that the user closed the popup. It is taken down immediately.
    @discardableResult
    public func userClosed(_ id: String) -> CallOutcome { core.handle(.userClosed(id)) }

    /// Reports that the user used a button of the popup, by the name of the action that its
    /// template declares. It is taken down immediately, unless it stays: for example, if a link
    /// opens above it.
    ///
    /// Refused if the template declares no such action, and if the popup isn't on a screen.
    @discardableResult
    public func acted(_ id: String, _ action: String, stays: Bool = false) -> CallOutcome {
        core.handle(.acted(id, action: action, stays: stays))
    }

    /// Reports that the popup left the screen although the engine had not dismissed it.
    @discardableResult
    public func didDisappear(_ id: String) -> CallOutcome { core.handle(.didDisappear(id)) }

    /// Reports that rules were found to be wrong, and that the last good ones stay in force.
    public func refuseRules(_ message: String) { core.tell(.rulesRefused(message: message)) }
}

// MARK: Rules

extension PopupEngine {
    /// Continues with other rules: waiting tasks take their new definitions; popups that show keep
    /// their old ones until they end.
    ///
    /// The rules are loaded on the caller's thread, and other callers aren't blocked: their calls
    /// are handled afterward. With thousands of popups, call it off the main actor, as `follow`
    /// does.
    public func reload(_ rules: RuleSet) {
        if post(rules) { core.workOff() }
    }

    /// Works other rules in off the caller's actor.
    func reloadElsewhere(_ rules: RuleSet) async {
        if post(rules) { await core.workOffElsewhere() }
    }

    private func post(_ rules: RuleSet) -> Bool {
        let payloads = PayloadTable(rules)
        return context.state.withLock { state in
            state.declare(rules.keys, for: core) { context in
                core.reload(rules, payloads: payloads, context: context)
            }
        }
    }
}

extension EngineCore {
    @concurrent func workOffElsewhere() async { workOff() }
}
