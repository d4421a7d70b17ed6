import PopCEL
import PopEngine
import PopScheduler
import Testing

/// Everything at once from many threads, on the real clock. `make test-threads` runs it under ThreadSanitizer.
@MainActor
@Suite struct `An engine under stress` {
    private static let rules = """
        schedulers:
          main: { gap: [0s, 1ms] }
          toast: { strategy: lifo, gap: 1ms, max_waiting: 5 }
        context:
          n: { type: int, default: 0 }
          ok: { type: bool, default: true }
        events: { e: { total: double } }
        groups: { g: { when: ok } }
        popups:
          a: { priority: high, when: n % 2 == 0, min_show: 1ms, hide_after: 2ms, trigger: [start, { changed: n }] }
          b: { switch: latent, grace: 1ms, dismiss_when: n > 40, trigger: [start, { event: e }] }
          c: { switch: discard, untriggered: discard, delay: 1ms, trigger: [manual, { event: e, where: event.total > 5.0 }] }
          d: { scheduler: toast, group: g, max_wait: 5ms, hide_after: 1ms, trigger: [manual, { event: e, every: 3 }] }
          e: { scheduler: toast, after: [d], trigger: [manual, { changed: ok }] }
        """

    @Test func `never shows two popups on one screen and ends every task once`() async throws {
        let rules = try RuleSet.parse(Self.rules)
        let presenter = StressPresenter()
        let ledger = Ledger()
        var options = EngineOptions()
        options.seed = 1
        options.observer = { event in ledger.add(event) }
        let engine = await PopupEngine(
            rules: rules, presenter: presenter, user: "u0", history: MemoryHistoryStore(),
            options: options)
        presenter.engine = engine
        engine.start()

        await withTaskGroup { group in
            for worker in 0..<6 {
                group.addTask { @concurrent in
                    for step in 0..<150 {
                        await Self.call(worker &* 31 &+ step &* 7, engine, rules)
                        if step.isMultiple(of: 10) { await Task.yield() }
                    }
                }
            }
            group.addTask { @concurrent in
                for await event in engine.events(buffering: 16) where event.number > 200 { return }
            }
        }
        engine.suspend()
        while !engine.isEmpty || engine.openWork > 0 {
            // Callbacks may still have made tasks.
            engine.removeAll()
            await Task.yield()
        }
        #expect(presenter.collisions == 0)
        #expect(ledger.open.isEmpty)
        #expect(ledger.endedTwice.isEmpty)
        #expect(ledger.disorder == 0)
        presenter.engine = nil
        engine.stop()
    }

    private nonisolated static func call(_ number: Int, _ engine: PopupEngine, _ rules: RuleSet)
        async
    {
        let popup = ["a", "b", "c", "d", "e"][number % 5]
        switch number % 17 {
        case 0, 1: engine.context["n"] = number % 50
        case 2:
            engine.context.update { context in
                context["n"] = (context["n"] ?? 0) + 1
                context["ok"] = number % 3 == 0
            }
        case 3, 4: engine.send("e", ["total": .double(Double(number % 10))])
        case 5, 6: engine.enqueue(popup)
        case 7: engine.dismiss(popup)
        case 8: engine.remove(popup)
        case 9: engine.userClosed(popup)
        case 10: engine.suspend(scheduler: "toast")
        case 11, 12: engine.resume()
        case 13: engine.enqueue(ForeignPopup(id: "f\(number % 3)")) { $0["ok"] ?? true }
        case 14: _ = (engine.explain(popup), engine.showing, engine.waiting, engine.context.json)
        case 15 where number % 4 == 0: engine.reload(rules)
        case 16 where number % 4 == 0: await engine.switchUser("u\(number % 3)")
        default: engine.poke()
        }
    }
}

/// Notices a second popup on a screen, and calls the engine from inside its callbacks.
@MainActor
private final class StressPresenter: Presenter {
    var engine: PopupEngine?
    private(set) var collisions = 0
    private var screen: [String: String] = [:]
    private var calls = 0

    func willShow(_ popup: Popup) -> WillShowAnswer {
        calls += 1
        if calls.isMultiple(of: 11) { return .cancel }
        return calls.isMultiple(of: 7) ? .postpone(.milliseconds(1)) : .show
    }

    func present(_ popup: Popup) async throws {
        calls += 1
        if calls.isMultiple(of: 13) { throw CancellationError() }
        if screen[popup.scheduler] != nil { collisions += 1 }
        screen[popup.scheduler] = popup.id
        engine?.enqueue("c")
        await Task.yield()
    }

    func dismiss(_ popup: Popup) async {
        engine?.poke()
        await Task.yield()
        screen[popup.scheduler] = nil
    }
}

/// Which tasks were queued and have not ended.
private final class Ledger: Sendable {
    private struct State {
        var open: Set<TaskID> = []
        var ended: Set<TaskID> = []
        var endedTwice: [TaskID] = []
        var last: UInt64 = 0
        var disorder = 0
    }

    private let state = Guarded(State())

    var open: Set<TaskID> { state.withLock(\.open) }
    var endedTwice: [TaskID] { state.withLock(\.endedTwice) }
    var disorder: Int { state.withLock(\.disorder) }

    func add(_ event: EngineEvent) {
        state.withLock { state in
            if event.number != state.last + 1 { state.disorder += 1 }
            state.last = event.number
            guard case .scheduler(let event) = event.kind, let task = event.task else { return }
            if case .queued = event { state.open.insert(task) }
            guard event.ending != nil else { return }
            state.open.remove(task)
            if !state.ended.insert(task).inserted { state.endedTwice.append(task) }
        }
    }
}
