import Foundation
import PopCEL
import PopEngine
import PopHistorySQLite
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `An app whose disk fails` {
    private let folder: URL
    private var file: String { folder.appending(path: "history.db").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    private static let popups = (0..<40).map { "p\($0)" }
    private static let rules =
        "popups:\n"
        + popups
        .map { "  \($0): { hide_after: 1s, trigger: [start, manual], cap: { lifetime: 1 } }\n" }
        .joined()

    /// Shows all eligible popups, requests all of them again, and returns the shown popups and the
    /// reported problems.
    private func play(_ store: SQLiteHistoryStore, _ half: () throws -> Void = {}) async throws -> (
        shown: [String], told: [String]
    ) {
        let driver = await EngineDriver(rules: try .parse(Self.rules), history: store)
        await driver.start()
        await driver.advance(by: .seconds(20))
        try half()
        await driver.advance(by: .seconds(30))
        for id in Self.popups { driver.engine.enqueue(id) }
        await driver.advance(by: .seconds(50))
        let events = driver.engine.events
        await driver.engine.stop()
        for await _ in events {}
        let shown = driver.presenter.calls.compactMap { call in
            if case .present(let id) = call { id } else { nil }
        }
        return (shown, driver.events.compactMap(\.historyWord))
    }

    @Test
    func `an app on a full disk shows every popup once and reports the fault once`() async throws {
        defer { remove() }
        let store = SQLiteHistoryStore(path: file, busyTimeout: .zero, pageLimit: 32)
        try await store.append(
            [.impression(popup: "p0", date: Timestamp(seconds: 0))], user: "")
        try await fill(store)
        let outcome = try await play(store)
        // The records from before can still be read.
        #expect(outcome.shown == Array(Self.popups.dropFirst()))
        #expect(outcome.told == ["unavailable"])
    }

    /// Takes the room that there is, in every table that pages are added to.
    private func fill(_ store: SQLiteHistoryStore) async throws {
        let date = Timestamp(seconds: 0)
        let kinds: [(String) -> HistoryRecord] = [
            { .event(name: $0, date: date) }, { .impression(popup: $0, date: date) },
            { .reservation(popup: $0, date: date) }, { .occurrence(trigger: $0, count: 1) },
        ]
        for record in kinds {
            for number in 0..<2000 {
                do { try await store.append([record("e\(number)")], user: "") } catch { break }
            }
        }
    }

    @Test func `an app that can't write shows every popup once and reports the fault once`()
        async throws
    {
        defer { remove() }
        // A folder in the place of the file: that is read-only for everyone.
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        let outcome = try await play(SQLiteHistoryStore(path: file))
        #expect(outcome.shown == Self.popups)
        // Once for reading, once for writing.
        #expect(outcome.told == ["unavailable", "unavailable"])
    }

    @Test
    func `an app whose file was removed reports it once and keeps the rest in a new file`()
        async throws
    {
        defer { remove() }
        let store = SQLiteHistoryStore(path: file)
        let outcome = try await play(store) {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: file + suffix)
            }
        }
        #expect(outcome.shown == Self.popups)
        #expect(outcome.told == ["unavailable", "restored"])
        // The next start knows the impressions after the loss.
        let kept = try await SQLiteHistoryStore(path: file).history(of: "")
        #expect(Set(Self.popups.suffix(15)).isSubset(of: kept.popups.keys))
    }

    @Test(arguments: 1...24)
    func `an app whose file was damaged anywhere continues and keeps new records`(seed: UInt64)
        async throws
    {
        defer { remove() }
        let first = try await play(SQLiteHistoryStore(path: file))
        #expect(first.shown == Self.popups)
        try damage(seed)
        // Regardless of the lost bytes, no popup shows twice in one run, and a fault is reported
        // once for reading and once for writing.
        for _ in 0..<2 {
            let outcome = try await play(SQLiteHistoryStore(path: file))
            #expect(Set(outcome.shown).count == outcome.shown.count)
            #expect(outcome.told.count { $0 == "unavailable" } <= 2)
        }
        let last = try await play(SQLiteHistoryStore(path: file))
        #expect(last.shown == [] && last.told == [], "\(last)")
    }

    /// Overwrites a few bytes at random offsets.
    private func damage(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes = try Data(contentsOf: URL(filePath: file))
        for _ in 0..<Int.random(in: 1...64, using: &generator) {
            bytes[Int.random(in: bytes.indices, using: &generator)] =
                UInt8.random(in: 0...255, using: &generator)
        }
        try bytes.write(to: URL(filePath: file))
    }
}

extension EngineEvent {
    fileprivate var historyWord: String? {
        switch kind {
        case .historyUnavailable: "unavailable"
        case .historyRestored: "restored"
        default: nil
        }
    }
}
