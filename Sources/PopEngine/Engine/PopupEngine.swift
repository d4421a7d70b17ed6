public import PopCEL
public import PopScheduler

/// Decides which popup shows when, from a rule set, and has the app's presenter show it.
///
/// Every call is safe from any thread and from inside every callback, returns without waiting for the screen, the disk
/// or another call's effects, and is handled in the order in which the calls were made. The engine lives until `stop` is
/// called or it is released; it keeps its presenter alive until then.
public final class PopupEngine: Sendable {
    /// What the app knows about its user and its state.
    public let context: ContextStore

    let core: EngineCore
    private let broadcast: EventBroadcast
    private let store: any HistoryStore

    /// Starts with a history that ends with the process; its events, caps and `after` know this session alone.
    public convenience init(
        rules: RuleSet, presenter: any Presenter, context: ContextStore = ContextStore(),
        user: String = "", options: EngineOptions = EngineOptions()
    ) {
        self.init(
            rules: rules, presenter: presenter, context: context, user: user,
            store: MemoryHistoryStore(), history: History(), options: options)
    }

    /// Starts with what the store knows of the user. When it cannot be read, that is told as an event, and the history
    /// begins empty.
    public convenience init(
        rules: RuleSet, presenter: any Presenter, context: ContextStore = ContextStore(),
        user: String = "", history store: any HistoryStore, options: EngineOptions = EngineOptions()
    ) async {
        let loaded = await Self.load(user, from: store)
        self.init(
            rules: rules, presenter: presenter, context: context, user: user, store: store,
            history: loaded.history, options: options)
        if let problem = loaded.problem { core.tell(problem) }
    }

    private init(
        rules: RuleSet, presenter: any Presenter, context: ContextStore, user: String,
        store: any HistoryStore, history: History, options: EngineOptions
    ) {
        let (work, continuation) = AsyncStream.makeStream(of: Work.self)
        let core = EngineCore(
            rules: rules, user: user, history: history, options: options, work: continuation)
        self.core = core
        self.context = context
        self.store = store
        broadcast = EventBroadcast(observer: options.observer)
        context.attach(core, keys: rules.keys)
        let stage = Stage(
            core: core, context: context, presenter: presenter, store: store, broadcast: broadcast)
        Task {
            var stage = stage
            await stage.run(work)
        }
        if options.startsByItself { Task { @MainActor in core.start() } }
    }

    deinit { core.stop() }

    private static func load(
        _ user: String, from store: any HistoryStore
    ) async -> (history: History, problem: EngineEvent.Kind?) {
        do {
            // In a task of its own: one that is cancelled must not take the user for one who has seen nothing.
            return (try await Task { try await store.history(of: user) }.value, nil)
        } catch {
            return (History(), .historyUnavailable(message: "\(error)"))
        }
    }
}

// MARK: Calls

extension PopupEngine {
    /// Fires `trigger: start`, once, whoever calls it how often.
    public func start() { core.start() }

    /// Ends everything: no call has any effect afterwards, and the sequences of events end.
    public func stop() { core.stop() }

    /// Makes a task of the popup, whatever its triggers are.
    public func enqueue(_ id: String) { core.handle(.enqueue(id)) }

    /// Gives a popup that the app makes by hand a place in the queue of its scheduler.
    ///
    /// The condition is asked whenever the context changes, and right before the popup shows; it runs on any thread. The
    /// presenter is asked to show the popup; the app reports its end by `didDisappear` or `userClosed`.
    public func enqueue(
        _ popup: ForeignPopup,
        when condition: @escaping @Sendable (ContextValues) -> Bool = { _ in true }
    ) {
        core.enqueue(popup, condition: condition, isTrue: condition(context.snapshot))
    }

    /// Tells the engine of something that happened: popups whose trigger it is get a task, and the history counts it.
    public func send(_ event: String, _ payload: [String: Value] = [:]) {
        core.handle(.send(event, payload: payload))
    }

    /// Takes the popup down, once it has been visible for its `min_show`; one that waits ends.
    public func dismiss(_ id: String) { core.handle(.dismiss(id)) }

    /// Ends the popup's task at once, taking it off the screen first if it is there.
    public func remove(_ id: String) { core.handle(.remove(id)) }

    /// Empties the queues and dismisses what shows.
    public func removeAll() { core.handle(.removeAll) }

    /// Shows nothing new on the scheduler, or on any, until `resume`; what shows stays.
    public func suspend(scheduler: String? = nil) { core.handle(.suspend(scheduler: scheduler)) }

    /// Undoes `suspend`.
    public func resume(scheduler: String? = nil) { core.handle(.resume(scheduler: scheduler)) }

    /// Looks again for something to show. Worth a call when the system says that somebody has set the calendar, because the
    /// engine's own waking counts the time that passes.
    public func poke() { core.handle(.poke) }

    /// Reports that a person closed the popup. It is taken down at once.
    public func userClosed(_ id: String) { core.handle(.userClosed(id)) }

    /// Reports that the popup went off the screen without having been asked to.
    public func didDisappear(_ id: String) { core.handle(.didDisappear(id)) }

    /// Ends all tasks and goes on with another user's history. Until that is read the calls of others go to the user before.
    public func switchUser(_ user: String) async {
        if let known = core.knownHistory(of: user) { return core.switchUser(user, loaded: known) }
        let loaded = await Self.load(user, from: store)
        if let problem = loaded.problem { core.tell(problem) }
        core.switchUser(user, loaded: loaded.history)
    }

    /// Goes on with other rules: waiting tasks take their new definitions, what shows keeps its own until it ends.
    public func reload(_ rules: RuleSet) {
        context.attach(core, keys: rules.keys) { core.reload(rules, context: $0) }
    }

    /// Tells that rules were found to be wrong, and that the last good ones stay in force.
    public func refuseRules(_ message: String) { core.tell(.rulesRefused(message: message)) }
}

// MARK: State

extension PopupEngine {
    /// The id of the popup on the screen of each scheduler that shows one, by the scheduler's name.
    public var showing: [String: String] { core.read { scheduler, _ in scheduler.showing } }

    /// The ids of the popups that wait on each scheduler, in order, by the scheduler's name.
    public var waiting: [String: [String]] { core.read { scheduler, _ in scheduler.waiting } }

    /// Whether nothing waits and nothing shows.
    public var isEmpty: Bool { core.read { scheduler, _ in scheduler.isEmpty } }

    /// The names of the schedulers that are suspended.
    public var suspended: Set<String> { core.read { scheduler, _ in scheduler.suspended } }

    /// What the current user has seen and done.
    public var history: History { core.read { scheduler, _ in scheduler.history } }

    /// What the scheduler had to do so far, for metrics.
    public var statistics: Statistics { core.read { scheduler, _ in scheduler.statistics } }

    /// Why a popup shows, waits or is absent at this moment; nil when there is no popup of that id.
    public func explain(_ id: String) -> PopupExplanation? {
        core.read { scheduler, now in scheduler.explain(id, at: now) }
    }

    /// The events from now on, a sequence of its own for each call; of more than `limit` unread ones the oldest are lost.
    public func events(buffering limit: Int = 256) -> EngineEvents {
        broadcast.subscribe(buffering: limit)
    }

    /// The events from now on; of more than 256 unread ones the oldest are lost.
    public var events: EngineEvents { events() }
}

// MARK: Tests

extension PopupEngine {
    /// What the stage has yet to do, calls of the presenter that run included.
    package var openWork: Int { core.openWork }

    /// When the clock has to wake the engine.
    package var nextWake: Duration? { core.read { scheduler, _ in scheduler.nextWake } }

    /// Does at once what the clock's waking does.
    package func wakeUp() { core.handle(.timePassed) }
}
