import PopEngine
import PopScheduler
import PopSource
import PopTestSupport
import PopTesting
import Testing

/// P9: the work queue grew without bound because of a slow observer or store.
@Suite struct `An engine that gets calls faster than it can handle them` {
    private func engine(
        _ store: some HistoryStore, waitingWork: Int = 100, unsavedRecords: Int = 100_000,
        observer: @escaping @Sendable (EngineEvent) -> Void
    ) async throws -> PopupEngine {
        var options = EngineOptions()
        options.clock = VirtualClock()
        options.engineLimits.waitingWork = waitingWork
        options.engineLimits.unsavedRecords = unsavedRecords
        options.observer = observer
        return await PopupEngine(
            rules: try .parse("events: { e: {} }\npopups: { a: { trigger: { event: e } } }"),
            presenter: IdlePresenter(), history: store, options: options)
    }

    @Test
    func `the engine omits events, reports how many, and loses no record (P9)`() async throws {
        let log = EventNumbers()
        let store = GatedStore()
        let engine = try await engine(store) { log.add($0) }
        store.close(for: "")
        for _ in 0..<5000 { engine.send("e") }
        // The open work is a hundred events and the records being stored, not five thousand.
        #expect(engine.openWork < 250)
        store.open()
        await engine.stop()
        #expect(store.inner.history(of: "").events["e"]?.count == 5000)
        let (told, leftOut, last) = log.all
        #expect(leftOut > 4000)
        #expect(told + leftOut == last, "the hole in the numbers is what was left out")
    }

    @Test
    func `the engine drops the oldest records for a blocked store, and reports how many (P9)`()
        async throws
    {
        let log = EventNumbers()
        let store = GatedStore()
        let engine = try await engine(store, unsavedRecords: 100) { log.add($0) }
        store.close(for: "")
        for _ in 0..<5000 { engine.send("e") }
        store.open()
        await engine.stop()
        let kept = store.inner.history(of: "").events["e"]?.count ?? 0
        #expect(kept < 1000 && kept > 0)
        // The reservation of the popup that shows may be among the lost records.
        #expect((5000...5001).contains(kept + log.lostRecords))
    }
}

private final class EventNumbers: Sendable {
    private let state = LockedValue((told: UInt64(0), leftOut: UInt64(0), last: UInt64(0), lost: 0))

    func add(_ event: EngineEvent) {
        state.withLock { state in
            state.told += 1
            state.last = event.number
            switch event.kind {
            case .eventsLeftOut(let count): state.leftOut += UInt64(count)
            case .historyLost(let records): state.lost += records
            default: break
            }
        }
    }

    var all: (told: UInt64, leftOut: UInt64, last: UInt64) {
        state.withLock { ($0.told, $0.leftOut, $0.last) }
    }
    var lostRecords: Int { state.withLock(\.lost) }
}
