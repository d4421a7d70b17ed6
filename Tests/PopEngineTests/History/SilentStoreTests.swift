import PopEngine
import PopScheduler
import PopSource
import PopTestSupport
import PopTesting
import Testing

/// Embedding 1 and 2: a store that did not answer stopped everything, in silence.
@Suite struct `A history store that doesn't respond` {
    private let clock = VirtualClock()
    private let store = GatedStore()
    private let rules = "popups: { a: { cap: { lifetime: 1 } }, b: { trigger: manual } }"

    private var options: EngineOptions {
        var options = EngineOptions()
        options.clock = clock
        return options
    }

    private func engine(user: String = "ann") async throws -> PopupEngine {
        await PopupEngine(
            rules: try .parse(rules), presenter: IdlePresenter(), user: user, history: store,
            options: options)
    }

    /// With a call under way that keeps the first record.
    private func hungEngine() async throws -> PopupEngine {
        let engine = try await engine()
        store.close(for: "ann")
        engine.start()
        await store.waitUntilAsked(for: "ann")
        return engine
    }

    @Test
    func
        `is reported after a while, popups continue, and it gets the missed records (embedding 1)`()
        async throws
    {
        let engine = try await hungEngine()
        var events = engine.events.makeAsyncIterator()
        clock.advance(by: .seconds(10))
        try await events.pass { kind in
            guard case .historyUnavailable(let error) = kind else { return false }
            return "\(error)" == "the history store has not responded for 10.0 seconds"
        }
        try await events.pass { if case .scheduler(.shown) = $0 { true } else { false } }
        await #expect(throws: (any Error).self) { try await engine.flush() }

        store.open()
        try await events.pass { if case .historyRestored = $0 { true } else { false } }
        try await engine.flush()
        #expect(store.inner.history(of: "ann") == engine.history)
        #expect(engine.history.popups["a"]?.shownCount == 1)
        await engine.stop()
    }

    @Test func `does not prevent an engine from ending, which reports what is lost (embedding 1)`()
        async throws
    {
        let engine = try await hungEngine()
        let events = engine.events
        engine.beginStop()
        clock.advance(by: .seconds(10))
        await engine.stop()
        var lost = 0
        for await event in events {
            if case .historyLost(let records) = event.kind { lost += records }
        }
        #expect(lost > 0)
        store.open()
    }

    @Test func `for one user delays no popup, no later switch and no end (embedding 2)`()
        async throws
    {
        let engine = try await engine()
        var events = engine.events.makeAsyncIterator()
        engine.start()
        try await events.pass { if case .scheduler(.shown) = $0 { true } else { false } }
        store.close(for: "slow")
        let slow = Task { await engine.switchUser("slow") }
        await store.waitUntilAsked(for: "slow")

        engine.userClosed("a")
        engine.enqueue("b")
        try await events.pass { kind in
            if case .scheduler(.shown(let task)) = kind { task.popup == "b" } else { false }
        }
        #expect(await engine.switchUser("fast").state == .taken)
        #expect(engine.user == "fast")
        await engine.stop()
        #expect(await slow.value.state == .stopped)
        store.open()
    }

    @Test func `about a user for too long gives an empty history, which is reported (embedding 2)`()
        async throws
    {
        let engine = try await engine()
        var events = engine.events.makeAsyncIterator()
        store.close(for: "slow")
        let slow = Task { await engine.switchUser("slow") }
        await store.waitUntilAsked(for: "slow")
        clock.advance(by: .seconds(10))
        #expect(await slow.value.state == .taken)
        #expect(engine.user == "slow")
        try await events.pass { if case .historyUnavailable = $0 { true } else { false } }
        store.open()
        await engine.stop()
    }

    @Test func `does not prevent creating an engine (embedding 2)`() async throws {
        store.close(for: "ann")
        let making = Task { try await engine() }
        await store.waitUntilAsked(for: "ann")
        clock.advance(by: .seconds(10))
        let made = try await making.value
        store.open()
        await made.stop()
    }

    /// The history that was read is older than the records that were written during the read.
    @MainActor
    @Test func `for a user whose history changes in the meantime is asked again (embedding 2)`()
        async throws
    {
        var options = options
        options.engineLimits.formerUsers = 0
        let store = LateStore()
        let presenter = HeldPresenter()
        let engine = await PopupEngine(
            rules: try .parse("popups: { a: {} }"), presenter: presenter, user: "ann",
            history: store, options: options)
        engine.start()
        while engine.showing.isEmpty || engine.openWork > 0 { await Task.yield() }
        await engine.switchUser("bob")
        while presenter.held == nil { await Task.yield() }
        store.isLate = true
        let back = Task { await engine.switchUser("ann") }
        while store.waiting == nil { await Task.yield() }
        // The end of what ann saw is written while she is being read.
        presenter.held?.resume()
        while store.inner.history(of: "ann").popups["a"]?.dismissals != 1 { await Task.yield() }
        store.isLate = false
        store.waiting?.resume()
        #expect(await back.value.state == .taken)
        #expect(engine.history.popups["a"]?.lastReason == .userSwitched)
        await engine.stop()
    }
}

/// A store that reads immediately and answers when the test allows it.
private final class LateStore: HistoryStore {
    private struct State {
        var isLate = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    let inner = MemoryHistoryStore()
    private let state = LockedValue(State())
    var isLate: Bool {
        get { state.withLock { $0.isLate } }
        set { state.withLock { $0.isLate = newValue } }
    }
    var waiting: CheckedContinuation<Void, Never>? { state.withLock { $0.waiting } }

    func history(of user: String) async -> History {
        let history = inner.history(of: user)
        if isLate {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiting = continuation }
            }
        }
        return history
    }

    func append(_ records: [HistoryRecord], user: String) { inner.append(records, user: user) }
    func remove(user: String) { inner.remove(user: user) }
}

/// Takes its first popup down when it is let.
@MainActor
private final class HeldPresenter: Presenter {
    private(set) var held: CheckedContinuation<Void, Never>?

    func present(_ popup: Popup) async {}

    func dismiss(_ popup: Popup) async {
        guard held == nil else { return }
        await withCheckedContinuation { held = $0 }
    }
}

extension EngineEvents.AsyncIterator {
    /// Reads on until an event is of the kind.
    fileprivate mutating func pass(_ isMeant: (EngineEvent.Kind) -> Bool) async throws {
        while let event = await next() { if isMeant(event.kind) { return } }
        Issue.record("the events ended")
    }
}
