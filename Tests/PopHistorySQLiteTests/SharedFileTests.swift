import Foundation
import GRDB
import PopCEL
import PopEngine
import PopScheduler
import PopTestSupport
import Testing

@testable import PopHistorySQLite

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Operations of other processes on the file of a history.
@Suite struct `A shared history file` {
    private let folder: TemporaryFolder
    private let files = FileManager.default

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path("history.db") }
    private var store: SQLiteHistoryStore { SQLiteHistoryStore(path: path) }

    private func date(_ seconds: Int64) -> Timestamp {
        Timestamp(seconds: 1_790_000_000 + seconds)
    }

    private var aside: [String] {
        get throws {
            try files.contentsOfDirectory(atPath: folder.url.path)
                .filter { $0.contains(".damaged") }.sorted()
        }
    }

    private static func fill(_ store: SQLiteHistoryStore, _ records: [HistoryRecord]) async throws {
        for record in records { try await store.append([record], user: "ann") }
    }

    /// S-M8, E1: the second store failed at tables that the first had made, and took the file for
    /// damaged. Nil means that the file doesn't exist yet.
    @Test(arguments: [nil, "1", "5", "7"])
    func `two stores that open one file at the same time share its records (E1)`(version: String?)
        async throws
    {
        let events = (0..<5).map { HistoryRecord.event(name: "e", date: date($0)) }
        for race in 0..<HistoryRaces.rounds {
            let path = folder.path("history-\(race).db")
            if let version {
                let file = try DatabaseQueue(path: path)
                try await file.write { try HistorySchema.migrate($0, upTo: version) }
                try file.close()
            }
            let stores = [SQLiteHistoryStore(path: path), SQLiteHistoryStore(path: path)]
            await withThrowingTaskGroup { group in
                for store in stores {
                    group.addTask { try await Self.fill(store, events) }
                }
                await #expect(throws: Never.self) { try await group.waitForAll() }
            }
            for store in stores {
                #expect(try await store.history(of: "ann").events["e"]?.count == 10)
            }
        }
        #expect(try aside.isEmpty)
    }

    /// S-M8: an older version of the app on a file of a newer one forgot everything.
    @Test func `a file with other columns isn't treated as damaged`() async throws {
        let store = store
        try await store.append([.impression(popup: "a", date: date(1))], user: "ann")
        let other = try DatabaseQueue(path: path)
        try await other.write {
            try $0.execute(sql: "ALTER TABLE popup RENAME COLUMN shown TO seen")
        }
        await #expect(throws: DatabaseError.self) { try await store.history(of: "ann") }
        await #expect(throws: DatabaseError.self) { try await self.store.history(of: "ann") }
        #expect(try aside.isEmpty)
        try await other.write {
            try $0.execute(sql: "ALTER TABLE popup RENAME COLUMN seen TO shown")
        }
        #expect(try await store.history(of: "ann").popups["a"]?.shownCount == 1)
    }

    /// E17: it was taken for damaged, or shared with the history.
    @Test(arguments: [
        "CREATE TABLE popup (id INTEGER PRIMARY KEY, title TEXT)", "CREATE TABLE note (text TEXT)",
        "PRAGMA application_id = 77",
    ])
    func `a file of another program is refused and stays unchanged`(sql: String) async throws {
        let other = try DatabaseQueue(path: path)
        try await other.writeWithoutTransaction { try $0.execute(sql: sql) }
        try other.close()
        let before = files.contents(atPath: path)
        for _ in 0..<2 {
            let told = await #expect(throws: ForeignFile.self) {
                try await store.append([.impression(popup: "a", date: date(1))], user: "ann")
            }
            let help = "is a database of another program: use a separate file for the history"
            #expect(told?.description == "\(path) \(help)")
        }
        #expect(files.contents(atPath: path) == before)
        #expect(try files.contentsOfDirectory(atPath: folder.url.path) == ["history.db"])
    }

    /// E17: the one that was put aside before was deleted.
    @Test func `a damaged file is moved aside next to earlier files`() async throws {
        for content in ["first", "second", "third"] {
            for name in files.subpaths(atPath: folder.url.path) ?? []
            where !name.contains("damaged") {
                try files.removeItem(atPath: folder.path(name))
            }
            try Data(repeating: content.utf8.first ?? 0, count: 5_000)
                .write(to: URL(fileURLWithPath: path))
            let store = store
            await #expect(throws: DamagedFile.self) { try await store.history(of: "ann") }
        }
        let kept = [".damaged", ".damaged-2", ".damaged-3"].map {
            files.contents(atPath: path + $0)?.first
        }
        #expect(kept == ["f", "s", "t"].map { $0.utf8.first })
    }

    /// E3: what came after was written into a file that nobody finds again.
    @Test(arguments: [false, true])
    func `a file that was removed is created again, which is reported`(isReplaced: Bool)
        async throws
    {
        let (one, other) = (store, store)
        try await one.append([.event(name: "e", date: date(1))], user: "ann")
        for suffix in ["", "-wal", "-shm"] where files.fileExists(atPath: path + suffix) {
            try files.removeItem(atPath: path + suffix)
        }
        if isReplaced {
            try await other.append([.event(name: "e", date: date(2))], user: "ann")
        }
        await #expect(throws: RemovedFile.self) {
            try await one.append([.event(name: "e", date: date(3))], user: "ann")
        }
        try await one.append([.event(name: "e", date: date(3))], user: "ann")
        let dates = try await store.history(of: "ann").events["e"]?.dates
        #expect(dates == (isReplaced ? [date(2), date(3)] : [date(3)]))
    }

    /// E3: it was noticed at the next start only.
    @Test(arguments: [0, 4_096, 8_192])
    func `a file that is truncated while open is moved aside at the next write`(
        size: UInt64
    ) async throws {
        let (one, other) = (store, store)
        let events = (0..<20).map { HistoryRecord.event(name: "e", date: date($0)) }
        try await one.append(events, user: "ann")
        var known = try await one.history(of: "ann")
        _ = try await other.history(of: "ann")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.truncate(atOffset: size)
        try file.close()
        let later = HistoryRecord.event(name: "e", date: date(30))
        let told = await #expect(throws: DamagedFile.self) {
            try await one.append([later], user: "ann")
        }
        #expect(told?.description.contains("was truncated while it was open") == true)
        #expect(try aside.contains("history.db.damaged"))
        try await one.append([later], user: "ann")
        // The other one finds another file, and goes on with it.
        await #expect(throws: RemovedFile.self) { try await other.hasForeignChanges() }
        let dates = try await store.history(of: "ann").events["e"]?.dates ?? []
        #expect(dates.last == date(30))
        #expect(try await other.history(of: "ann").events["e"]?.dates == dates)
        known.apply(later)
        #expect(dates == [date(30)] || dates == known.events["e"]?.dates)
    }

    /// E18: the file grew as long as the process ran, and never became shorter. Others that have it
    /// open don't take it for truncated.
    @Test(arguments: [true, false])
    func `that is pruned becomes shorter, even a file of a former version (E18)`(
        isNew: Bool
    ) async throws {
        if !isNew {
            let file = try DatabaseQueue(path: path)
            try await file.write { try HistorySchema.migrate($0, upTo: "7") }
            try file.close()
        }
        let (one, other) = (store, store)
        _ = try await other.history(of: "ann")
        let events = (0..<20_000).map { HistoryRecord.event(name: "e", date: date($0)) }
        try await one.append(events, user: "ann")
        // The content of the log is in the file afterwards.
        try await one.remove(user: "nobody")
        let before = try #require(DatabaseFileState(path: path)).bytes
        try await other.append([.event(name: "f", date: date(1))], user: "ann")
        for _ in 0..<2 {
            try await one.prune(
                to: HistoryRetention(
                    impressionsSince: date(0), eventsSince: date(0), datesPerEvent: 100,
                    datesPerPopup: 100))
        }
        let after = try #require(DatabaseFileState(path: path)).bytes
        #expect(before > 1_000_000 && after < before / 10, "\(before) bytes, then \(after)")
        for store in [other, one, store] {
            try await store.append([.event(name: "f", date: date(2))], user: "ann")
            #expect(try await store.history(of: "ann").events["e"]?.count == 20_000)
        }
        #expect(try aside.isEmpty)
    }

    /// E18: only a reload of the rules pruned it.
    @Test func `is pruned while the process runs (E18)`() async throws {
        var options = EngineOptions()
        options.limits.datesPerEvent = 50
        options.engineLimits.recordsBetweenPrunings = 500
        let rules = try RuleSet.parse(
            """
            events: { e: {} }
            popups: { a: { trigger: manual, when: 'event_count("e", duration("1d")) > 100000' } }
            """)
        let engine = await PopupEngine(
            rules: rules, presenter: NoPresenter(), history: store,
            options: options)
        engine.start()
        for round in 0..<20 {
            for _ in 0..<250 { engine.send("e") }
            try await engine.flush()
            let kept = try await DatabaseQueue(path: path).read { database in
                try Int.fetchOne(database, sql: "SELECT count(*) FROM event_date") ?? 0
            }
            #expect(kept <= 50 + 500 + 250, "in round \(round)")
        }
        #expect(engine.history.events["e"]?.count == 5_000)
        await engine.stop()
    }

    /// A file that grows, for any reason, wasn't truncated.
    @Test func `a file that other processes extend stays unchanged`() async throws {
        let (one, other) = (store, store)
        let name = String(repeating: "x", count: 2_000)
        for round in 0..<200 {
            let event = HistoryRecord.event(name: "\(name)\(round)", date: date(Int64(round)))
            try await (round.isMultiple(of: 2) ? one : other).append([event], user: "ann")
            if round.isMultiple(of: 50) {
                try await one.prune(
                    to: HistoryRetention(
                        impressionsSince: date(0), eventsSince: date(Int64(round)),
                        datesPerEvent: 1, datesPerPopup: 1))
                try await other.remove(user: "nobody")
            }
        }
        #expect(try aside.isEmpty)
        #expect(try await store.history(of: "ann").events.count == 200)
    }

    /// E8: caps were forgotten at the next start. Users who were forgotten stay forgotten.
    @Test
    func `a file that was removed gets back the records that were read from it`() async throws {
        let (one, other) = (store, store)
        for user in ["ann", "bob"] {
            try await one.append(
                [
                    .impression(popup: "a", date: date(1)), .session(date: date(1)),
                    .event(name: "e", date: date(1), amounts: ["n": .int(3)]),
                    .occurrence(trigger: "t", count: 2),
                ], user: user)
        }
        var known = try await one.history(of: "ann")
        _ = try await other.history(of: "ann")
        for suffix in ["", "-wal", "-shm"] where files.fileExists(atPath: path + suffix) {
            try files.removeItem(atPath: path + suffix)
        }
        for store in [one, other] {
            await #expect(throws: RemovedFile.self) { try await store.hasForeignChanges() }
        }
        let later = HistoryRecord.event(name: "e", date: date(2))
        try await one.append([later], user: "ann")
        known.apply(later)
        #expect(try await store.history(of: "ann") == known)
        #expect(try await store.history(of: "bob") == History())
    }

    /// S-M8: the clock was a year ahead at one start.
    @Test func `the store keeps the needed records after the clock was ahead`() async throws {
        let store = store
        let events = (0..<5).map { HistoryRecord.event(name: "e", date: date($0)) }
        let shown = (0..<5).map { HistoryRecord.impression(popup: "a", date: date($0)) }
        try await store.append(events + shown, user: "ann")
        let year = Duration.seconds(365 * 86_400)
        let ahead = try #require(date(4).adding(year))
        var retention = HistoryRetention(
            impressionsSince: try #require(ahead.subtracting(.seconds(2))),
            eventsSince: try #require(ahead.subtracting(.seconds(1))), datesPerEvent: 100,
            datesPerPopup: 100)
        retention.date = ahead
        try await store.prune(to: retention)
        let history = try await store.history(of: "ann")
        #expect(history.popups["a"]?.impressions.count == 5)
        #expect(history.events["e"]?.dates.count == 5)
    }

    /// S-M8: records of later days prove that time has passed; the clock itself doesn't.
    @Test(arguments: [0, 365]) func `the store forgets dates after as many later days`(
        daysAhead: Int64
    ) async throws {
        let store = store
        let days = (0..<20).map { date(86_400 * $0) }
        try await store.append(
            days.map { HistoryRecord.event(name: "e", date: $0) }
                + days.map { HistoryRecord.impression(popup: "a", date: $0) }, user: "ann")
        let now = date(86_400 * (19 + daysAhead))
        var retention = HistoryRetention(
            impressionsSince: try #require(now.subtracting(.seconds(5 * 86_400))),
            eventsSince: try #require(now.subtracting(.seconds(10 * 86_400))),
            datesPerEvent: 100, datesPerPopup: 100)
        retention.date = now
        try await store.prune(to: retention)
        let history = try await store.history(of: "ann")
        #expect(history.popups["a"]?.impressions == Array(days[11...]))
        #expect(history.events["e"]?.dates == Array(days[6...]))
        #expect(history.popups["a"]?.shownCount == 20)
    }

    /// S-L6: other accounts could read the copies in the folder for temporary files.
    @Test func `is copied so that only its owner can read it`() throws {
        try Data("secret".utf8).write(to: URL(fileURLWithPath: path))
        try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let folder = try SQLiteHistoryStore.privateFolder()
        defer { try? files.removeItem(at: folder) }
        let copy = folder.appendingPathComponent("copy").path
        try SQLiteHistoryStore.copyPrivately(path, to: copy)
        let rights = [folder.path, copy].map { path in
            var status = stat()
            return unsafe stat(path, &status) == 0 ? UInt32(status.st_mode) & 0o777 : 0
        }
        #expect(rights == [0o700, 0o600])
    }
}

@MainActor
private final class NoPresenter: Presenter {
    nonisolated init() {}
    func present(_ popup: Popup) async {}
    func dismiss(_ popup: Popup) async {}
}
