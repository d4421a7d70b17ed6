import Foundation
import PopCEL
import PopEngine
import PopHistorySQLite
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

/// P11: two processes on one history file showed twice the cap.
@MainActor
@Suite struct `Two engines on one history file (P11)` {
    private let rules = """
        events: { e: {} }
        popups:
          once: { trigger: manual, priority: high, cap: { lifetime: 1 } }
          other: { trigger: manual }
        """

    @Test
    func `two engines with one file obey common caps and lose no unsaved record (P11)`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "history.db").path
        // A connection each, as two processes have.
        let app = await EngineDriver(
            rules: try .parse(rules), history: SQLiteHistoryStore(path: file))
        let widget = await EngineDriver(
            rules: try .parse(rules), history: SQLiteHistoryStore(path: file))
        await app.start()
        await widget.start()
        app.engine.enqueue("once")
        await app.settle()
        #expect(app.engine.showing == ["main": "once"])

        widget.engine.send("e")
        widget.engine.enqueue("once")
        widget.engine.enqueue("other")
        await widget.settle()
        #expect(widget.engine.showing == ["main": "other"])
        #expect(widget.presenter.calls == [.willShow("other"), .present("other")])
        #expect(widget.engine.explain("once")?.reason == .lifetimeCap)
        #expect(widget.engine.history.events["e"]?.count == 1)

        await app.engine.stop()
        await widget.engine.stop()
        let kept = try await SQLiteHistoryStore(path: file).history(of: "")
        #expect(kept.popups.mapValues(\.shownCount) == ["once": 1, "other": 1])
        #expect(kept.events["e"]?.count == 1)
    }
}
