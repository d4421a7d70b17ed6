internal import PopCEL
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
        if !StoresInUse.claim(store, for: core) { core.remark([.sharedStore]) }
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

    /// When the clock has to wake the engine.
    package var nextWake: Duration? { core.read(\.nextWake) }

    /// When the main actor will have been silent for too long; nil while it owes no answer.
    package var nextSilence: Duration? { core.nextSilence }

    /// Does immediately what the engine does when the clock wakes it.
    package func wakeUp() { core.wakeUp() }
}
