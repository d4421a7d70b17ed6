import Foundation
import PopEngine
import PopHistorySQLite
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

/// P6: nothing awaited durability. P7: a stopped engine left its popup on the screen.
@MainActor
@Suite struct `An app that ends` {
    private let rules = """
        events: { e: {} }
        popups: { a: { min_show: 1h }, b: { priority: low } }
        """

    private func withFile(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appending(path: "history.db").path)
    }

    @Test func `an app finds all 500 events on disk after it has awaited stop (P6)`() async throws {
        try await withFile { file in
            let driver = await EngineDriver(
                rules: try .parse(rules), history: SQLiteHistoryStore(path: file))
            for _ in 0..<500 { driver.engine.send("e") }
            await driver.engine.stop()
            let kept = try await SQLiteHistoryStore(path: file).history(of: "")
            #expect(kept.events["e"]?.count == 500)
        }
    }

    @Test func `finds all of 500 events on disk after await flush, and continues (P6)`()
        async throws
    {
        try await withFile { file in
            let driver = await EngineDriver(
                rules: try .parse(rules), history: SQLiteHistoryStore(path: file))
            for round in 1...2 {
                for _ in 0..<500 { driver.engine.send("e") }
                try await driver.engine.flush()
                let kept = try await SQLiteHistoryStore(path: file).history(of: "")
                #expect(kept.events["e"]?.count == 500 * round)
            }
            await driver.engine.stop()
            try await driver.engine.flush()
        }
    }

    @Test func `learns from flush that the store fails, and how much is lost (P6)`()
        async throws
    {
        let store = FlakyStore()
        let driver = await EngineDriver(rules: try .parse(rules), history: store)
        store.isBroken = true
        driver.engine.send("e")
        await #expect(throws: FlakyStore.Failure.self) { try await driver.engine.flush() }
        await driver.engine.stop()
        let lost = driver.events.compactMap { event in
            if case .historyLost(let records) = event.kind { records } else { nil }
        }
        #expect(lost == [1])
        await #expect(throws: FlakyStore.Failure.self) { try await driver.engine.flush() }
    }

    @Test func `dismisses the visible popup if configured so, whatever its min_show (P7)`()
        async throws
    {
        let store = MemoryHistoryStore()
        let driver = await EngineDriver(rules: try .parse(rules), history: store)
        await driver.start()
        await driver.engine.stop(dismissing: true)
        #expect(driver.presenter.calls == [.willShow("a"), .present("a"), .dismiss("a")])
        #expect(driver.presenter.screen["main"] == [])
        #expect(store.history(of: "").popups["a"]?.lastReason == .removed)
        #expect(driver.engine.enqueue("b").state == .stopped)
    }

    @Test func `leaves the visible popup if not configured to dismiss (P7)`() async throws {
        let driver = EngineDriver(rules: try .parse(rules))
        await driver.start()
        await driver.engine.stop()
        #expect(driver.presenter.calls == [.willShow("a"), .present("a")])
    }

    @Test func `is not blocked by a popup that never ends, if stop is called again (P7)`()
        async throws
    {
        let driver = EngineDriver(rules: try .parse(rules))
        driver.presenter.animation = .seconds(1_000_000)
        await driver.start()
        let engine = driver.engine
        let stopping = Task { await engine.stop(dismissing: true) }
        await engine.stop()
        await stopping.value
        #expect(engine.send("e").state == .stopped)
    }

    @Test func `releases a presenter that keeps its engine, through stop (P7)`() async throws {
        weak var presenter: KeepingPresenter?
        weak var engine: PopupEngine?
        do {
            let keeping = KeepingPresenter()
            let kept = PopupEngine(rules: try .parse(rules), presenter: keeping)
            keeping.engine = kept
            (presenter, engine) = (keeping, kept)
            kept.start()
            await kept.stop()
        }
        // The task of the engine may be about to end.
        while presenter != nil || engine != nil { await Task.yield() }
    }
}

@MainActor
private final class KeepingPresenter: Presenter {
    var engine: PopupEngine?

    func present(_ popup: Popup) async {}
    func dismiss(_ popup: Popup) async {}
}
