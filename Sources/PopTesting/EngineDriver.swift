public import PopCEL
public import PopEngine
public import PopScheduler
internal import PopSource

/// An engine with a virtual clock and a recording presenter, for the tests of an app: time passes
/// only when the test advances it, and all effects of a call have happened when `settle` returns.
///
/// ```swift
/// let driver = EngineDriver(rules: rules)
/// driver.engine.context["app.screen"] = "map"
/// await driver.start()
/// await driver.advance(by: .seconds(3))
/// #expect(driver.presenter.calls == [.willShow("primer"), .present("primer")])
/// ```
@MainActor
public final class EngineDriver {
    /// The engine under test, which a test may call directly too.
    public let engine: PopupEngine
    /// Moved on by `advance`, which wakes the engine; a test may set its date.
    public let clock: VirtualClock
    /// Notes what the engine asks to show, and answers as the test has set it.
    public let presenter: RecordingPresenter
    private let log: EventLog

    /// Each driver starts at the same date with the same seed, unless others are given.
    public init(
        rules: RuleSet, context: [String: Value] = [:], user: String = "",
        clock: VirtualClock = VirtualClock(), seed: UInt64 = 1
    ) {
        self.clock = clock
        presenter = RecordingPresenter(clock: clock)
        log = EventLog()
        engine = PopupEngine(
            rules: rules, presenter: presenter, context: ContextStore(context), user: user,
            options: Self.options(clock, seed: seed, log: log))
    }

    /// With a history that the test or an earlier engine has made.
    public init(
        rules: RuleSet, context: [String: Value] = [:], user: String = "",
        history: any HistoryStore, clock: VirtualClock = VirtualClock(), seed: UInt64 = 1
    ) async {
        self.clock = clock
        presenter = RecordingPresenter(clock: clock)
        log = EventLog()
        engine = await PopupEngine(
            rules: rules, presenter: presenter, context: ContextStore(context), user: user,
            history: history, options: Self.options(clock, seed: seed, log: log))
    }

    private static func options(
        _ clock: VirtualClock, seed: UInt64, log: EventLog
    ) -> EngineOptions {
        var options = EngineOptions()
        options.clock = DrivenClock(clock: clock)
        options.seed = seed
        options.observer = { event in log.add(event) }
        return options
    }

    /// Every event so far, in order.
    public var events: [EngineEvent] { log.events }

    /// The events of tasks and refused calls so far, in order.
    public var hostEvents: [HostEvent] {
        events.compactMap { if case .scheduler(let event) = $0.kind { event } else { nil } }
    }

    /// Starts the engine and settles.
    public func start() async {
        engine.start()
        await settle()
    }

    /// Returns when everything has happened that can happen without time passing.
    public func settle() async {
        while engine.openWork > presenter.animationCount { await Task.yield() }
    }

    /// Lets time pass, stopping wherever something is due.
    public func advance(by duration: Duration) async {
        await settle()
        let end = clock.now.instant + duration
        while clock.now.instant < end {
            let due = [engine.nextWake, presenter.nextEnd].compactMap { $0 }.min() ?? end
            clock.advance(by: min(due, end) - clock.now.instant)
            engine.wakeUp()
            await settle()
            // One at a time: what follows from one end must not race with what follows from the
            // next.
            while presenter.endAnimation() { await settle() }
        }
    }
}

/// The driver wakes the engine itself: a second waking from another thread could come between any
/// two of its steps.
private struct DrivenClock: MomentClock {
    let clock: VirtualClock

    var now: Moment { clock.now }

    func sleep(until instant: Duration) async throws {
        try await clock.sleep(until: .seconds(Int64.max))
    }
}

/// Collects events from any thread.
private final class EventLog: Sendable {
    private let list = LockedValue<[EngineEvent]>([])

    var events: [EngineEvent] { list.withLock { $0 } }

    func add(_ event: EngineEvent) { list.withLock { $0.append(event) } }
}
