import Foundation
import GRDB
import PopCEL
import PopEngine
import PopScheduler
import PopTestSupport
import Testing

@testable import PopHistorySQLite

@Suite struct `A history in SQLite` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var store: SQLiteHistoryStore { SQLiteHistoryStore(path: folder.path("history.db")) }

    private func date(_ seconds: Int64, _ nanoseconds: Int32 = 0) -> Timestamp {
        Timestamp(seconds: 1_790_000_000 + seconds, nanoseconds: nanoseconds)
    }

    @Test func `is read back as it was written, even by another process`() async throws {
        let records: [HistoryRecord] = [
            .impression(popup: "a", date: date(1, 5)), .impression(popup: "a", date: date(3)),
            .impression(popup: "a", date: date(2)), .impressionTakenBack(popup: "a", date: date(3)),
            .dismissal(popup: "a", reason: .userClosed, date: date(4)),
            .impression(popup: "b", date: date(5)), .impressionTakenBack(popup: "b", date: date(5)),
            .impressionTakenBack(popup: "c", date: date(5)),
            .reservation(popup: "c", date: date(8)), .reservation(popup: "c", date: date(7)),
            .impression(popup: "c", date: date(9), reserved: date(8)),
            .reservation(popup: "g", date: date(5)),
            .reservationTakenBack(popup: "g", date: date(5)),
            .dismissal(popup: "d", reason: .timedOut, date: Timestamp(seconds: -1, nanoseconds: 9)),
            .event(name: "e", date: date(6)), .event(name: "e", date: date(1)),
            .session(date: date(1)), .sessionLeft(date: date(2)), .session(date: date(3)),
            .sessionLeft(date: date(4)),
            .event(name: "e", date: date(2), amounts: ["x": .double(.infinity), "y": .uint(.max)]),
            .event(name: "e", date: date(2), amounts: ["x": .int(.min)]),
            .occurrence(trigger: "t", count: 2), .occurrence(trigger: "t", count: 3),
        ]
        let memory = MemoryHistoryStore()
        memory.append(records, user: "ann")
        try await store.append(records, user: "ann")
        let read = try await store.history(of: "ann")
        #expect(read == memory.history(of: "ann"))
    }

    @Test(arguments: 1...5)
    func `a history in SQLite agrees with a history in memory`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let records = (0..<300).map { _ in HistoryRecord.random(using: &generator) }
        let memory = MemoryHistoryStore()
        let store = store
        for start in stride(from: 0, to: records.count, by: 25) {
            let batch = Array(records[start..<min(start + 25, records.count)])
            memory.append(batch, user: "")
            try await store.append(batch, user: "")
        }
        #expect(try await store.history(of: "") == memory.history(of: ""))
    }

    @Test(arguments: HistorySchema.versions.map(\.name))
    func `is read from a read-only file of any version`(
        version: String
    ) throws {
        let file = try DatabaseQueue()
        try file.write { try HistorySchema.migrate($0, upTo: version) }
        #expect(try file.read { try History.read("ann", from: $0) } == History())
    }

    @Test func `keeps users apart and forgets one user on request`() async throws {
        let store = store
        try await store.append([.impression(popup: "a", date: date(1))], user: "ann")
        try await store.append([.impression(popup: "a", date: date(2))], user: "bob")
        #expect(try await store.history(of: "ann").popups["a"]?.impressions == [date(1)])
        try await store.remove(user: "ann")
        #expect(try await store.history(of: "ann") == History())
        #expect(try await store.history(of: "bob").popups["a"]?.shownCount == 1)
    }

    @Test func `forgets one popup of one user`() async throws {
        let store = store
        let memory = MemoryHistoryStore()
        let value = KeyedValue(key: "k", text: "v")
        for user in ["ann", "bob"] {
            for popup in ["a", "b"] {
                let records: [HistoryRecord] = [
                    .reservation(popup: popup, date: date(1)),
                    .counted(popup: popup, value: value, change: .shown, date: date(1)),
                    .exposure(popup: popup, variant: "x", date: date(2), reserved: date(1)),
                    .impression(
                        popup: popup, date: date(3), reserved: date(1), isExposed: true),
                    .acted(popup: popup, action: "close", date: date(4), isClosing: true),
                    .dismissal(popup: popup, reason: .userClosed, date: date(4)),
                    .event(name: "e", date: date(5)),
                ]
                memory.append(records, user: user)
                try await store.append(records, user: user)
            }
        }
        let stores: [any HistoryStore] = [memory, store]
        for each in stores { try await each.remove(popup: "a", user: "ann") }
        let ann = try await store.history(of: "ann")
        #expect(ann.popups.keys.sorted() == ["b"])
        #expect(ann.values.counts.keys.sorted() == ["b"])
        #expect(ann == memory.history(of: "ann"))
        #expect(try await store.history(of: "bob") == memory.history(of: "bob"))
    }

    @Test func `keeps no byte of a user who was forgotten`() async throws {
        let store = store
        for number in 0..<50 {
            try await store.append(
                [.impression(popup: "popup-\(number)", date: date(Int64(number)))],
                user: "ann-the-forgotten")
        }
        #expect(try bytes(of: "ann-the-forgotten"))
        try await store.remove(user: "ann-the-forgotten")
        #expect(try !bytes(of: "ann-the-forgotten"))
    }

    /// Returns true if a file of the store, including its log, contains a string.
    private func bytes(of text: String) throws -> Bool {
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.url, includingPropertiesForKeys: nil)
        return try files.contains { try Data(contentsOf: $0).range(of: Data(text.utf8)) != nil }
    }

    @Test func `forgets the dates that nothing needs, and keeps the counts`() async throws {
        let store = store
        try await store.append(
            (0..<5).flatMap { second -> [HistoryRecord] in
                [
                    .impression(popup: "a", date: date(second)),
                    .event(name: "e", date: date(second)),
                ]
            }, user: "")
        try await store.prune(
            to: HistoryRetention(
                impressionsSince: date(3), eventsSince: date(1), datesPerEvent: 2,
                datesPerPopup: 1))
        let history = try await store.history(of: "")
        #expect(history.popups["a"]?.shownCount == 5)
        #expect(history.popups["a"]?.impressions == [date(4)])
        #expect(history.events["e"]?.count == 5)
        #expect(history.events["e"]?.dates == [date(3), date(4)])
    }

    @Test
    func `the store fails while another process locks the file, and works afterwards`() async throws
    {
        let store = SQLiteHistoryStore(
            path: folder.path("history.db"), busyTimeout: .milliseconds(10))
        try await store.append([.occurrence(trigger: "t", count: 1)], user: "")
        let holder = try FileHolder(path: folder.path("history.db"))
        await #expect(throws: (any Error).self) {
            try await store.append([.occurrence(trigger: "t", count: 2)], user: "")
        }
        try holder.letGo()
        try await store.append([.occurrence(trigger: "t", count: 3)], user: "")
        #expect(try await store.history(of: "").occurrences == ["t": 3])
    }

    @Test func `the store fails when the disk is full, and keeps its records`() async throws {
        let store = SQLiteHistoryStore(
            path: folder.path("history.db"), busyTimeout: .zero, pageLimit: 32)
        try await store.append([.occurrence(trigger: "t", count: 1)], user: "")
        let many = (0..<10_000).map { HistoryRecord.event(name: "event\($0)", date: date(0)) }
        await #expect(throws: (any Error).self) { try await store.append(many, user: "") }
        let history = try await store.history(of: "")
        #expect(history.occurrences == ["t": 1])
        #expect(history.events.isEmpty)
    }

    @Test
    func `the store moves a damaged file aside, reports it once and starts from scratch`()
        async throws
    {
        try Data(repeating: 0x58, count: 10_000).write(
            to: folder.url.appendingPathComponent("history.db"))
        let store = store
        let told = await #expect(throws: (any Error).self) {
            try await store.history(of: "")
        }
        // Embedding 11: the message named neither the file nor the place where it was put aside.
        let file = folder.path("history.db")
        let message = told.map { "\($0)" } ?? ""
        #expect(message.hasPrefix("the history file \(file) was damaged (SQLite error 26"))
        #expect(message.contains("it was moved to \(file).damaged, and a new, empty file"))
        try await store.append([.occurrence(trigger: "t", count: 1)], user: "")
        #expect(try await store.history(of: "").occurrences == ["t": 1])
        #expect(FileManager.default.fileExists(atPath: folder.path("history.db.damaged")))
    }

    /// Embedding 8: SQLite takes a NUL as the end of a string.
    @Test func `distinguishes users and names that differ after a NUL (embedding 8)`() async throws
    {
        let store = store
        let users = ["a", "a\0b", "a\0c", "a\0", "\0", ""]
        for (place, user) in users.enumerated() {
            let records: [HistoryRecord] = [
                .impression(popup: "p", date: date(Int64(place))),
                .impressionTakenBack(popup: "p", date: date(Int64(place) + 1)),
                .reservation(popup: "p\0\(place)", date: date(1)),
                .event(name: "e\0", date: date(2)), .occurrence(trigger: "t\0", count: place),
            ]
            let memory = MemoryHistoryStore()
            memory.append(records, user: user)
            try await store.append(records, user: user)
            #expect(try await store.history(of: user) == memory.history(of: user))
        }
        try await store.remove(user: "a")
        try await store.remove(user: "a\0c")
        #expect(try await store.history(of: "a") == History())
        #expect(try await store.history(of: "a\0b").popups["p"]?.impressions == [date(1)])
        #expect(try await store.history(of: "a\0c") == History())
    }

    @Test(arguments: ["'many'", "x'00ff'", "-1", "9223372036854775807"])
    func `treats a column with a foreign value as damage`(value: String)
        async throws
    {
        let store = store
        try await store.append([.impression(popup: "a", date: date(1))], user: "")
        let other = try DatabaseQueue(path: folder.path("history.db"))
        try await other.write { try $0.execute(sql: "UPDATE popup SET shown = \(value)") }
        try other.close()
        await #expect(throws: (any Error).self) { try await store.history(of: "") }
        #expect(try await store.history(of: "") == History())
    }

    @Test(arguments: ["'9x'", "'-1'", "x'00'"])
    func `treats an amount that isn't a number as damage`(value: String) async throws {
        let sent = HistoryRecord.event(name: "e", date: date(1), amounts: ["x": .uint(7)])
        try await store.append([sent], user: "")
        let other = try DatabaseQueue(path: folder.path("history.db"))
        try await other.write { try $0.execute(sql: "UPDATE event_amount SET value = \(value)") }
        try other.close()
        await #expect(throws: (any Error).self) { try await store.history(of: "") }
    }

    @Test func `of a version before sessions keeps its records`() async throws {
        try await store.append([.impression(popup: "a", date: date(1))], user: "ann")
        let known = try await store.history(of: "ann")
        let former = try DatabaseQueue(path: folder.path("history.db"))
        try await former.write { database in
            try database.execute(sql: "DROP TABLE session")
            try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '4'")
        }
        try former.close()
        let store = store
        #expect(try await store.history(of: "ann") == known)
        try await store.append([.session(date: date(5))], user: "ann")
        let history = try await store.history(of: "ann")
        #expect(history.sessions.count == 1)
        #expect(history.popups == known.popups)
    }

    @Test func `of the first version keeps its records`() async throws {
        try await store.append(
            [
                .impression(popup: "a", date: date(1)),
                .dismissal(popup: "a", reason: .userClosed, date: date(2)),
                .event(name: "e", date: date(3)), .occurrence(trigger: "t", count: 4),
            ], user: "ann")
        var known = try await store.history(of: "ann")
        let former = try DatabaseQueue(path: folder.path("history.db"))
        try await former.write { database in
            for table in [
                "reservation", "experiment", "exposure", "exposed_place", "session", "action",
                "goal", "event_amount", "value_count",
            ] {
                try database.execute(sql: "DROP TABLE \(table)")
            }
            try database.execute(sql: "ALTER TABLE popup DROP COLUMN closed")
            try database.execute(sql: "ALTER TABLE popup DROP COLUMN last_action")
            try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier >= '2'")
        }
        try former.close()
        let store = store
        // How a popup was closed the last time was known before closings were counted.
        let closing = HistoryRecord.acted(
            popup: "a", action: "close", date: date(2), isClosing: true)
        known.apply(closing)
        #expect(try await store.history(of: "ann") == known)
        try await store.append([.reservation(popup: "b", date: date(5))], user: "ann")
        #expect(try await store.history(of: "ann").popups["b"]?.reservations == [date(5)])
        #expect(try await store.history(of: "ann").popups["a"] == known.popups["a"])
    }

    @Test func `fails if there is no folder`() async throws {
        let store = SQLiteHistoryStore(path: folder.path("none/history.db"))
        await #expect(throws: (any Error).self) { try await store.history(of: "") }
    }
}

extension HistoryRecord {
    fileprivate static func random(using generator: inout some RandomNumberGenerator) -> Self {
        let name = ["a", "b", "c"][Int.random(in: 0..<3, using: &generator)]
        let date = Timestamp(seconds: .random(in: -3...20, using: &generator), nanoseconds: 7)
        let isExposed = Bool.random(using: &generator)
        let action = ["accept", "close"][Int.random(in: 0..<2, using: &generator)]
        switch Int.random(in: 0..<24, using: &generator) {
        case 20...23:
            let text = [nil, "", "1", "2"][Int.random(in: 0..<4, using: &generator)]
            let change = ValueChange.allCases.randomElement(using: &generator) ?? .shown
            return .counted(
                popup: name, value: KeyedValue(key: "k", text: text), change: change, date: date)
        case 14: return .exposure(popup: name, variant: "control", date: date, reserved: date)
        case 15: return .exposure(popup: name, variant: "short", date: date)
        case 16: return .goalMatched(popup: name, goal: "buy", date: date, exposure: nil)
        case 17: return .goalMatched(popup: name, goal: "buy", date: date, exposure: date)
        case 0: return .impression(popup: name, date: date)
        case 1:
            return .impression(popup: name, date: date, reserved: date, isExposed: isExposed)
        case 6, 7: return .reservation(popup: name, date: date)
        case 8: return .reservationTakenBack(popup: name, date: date, isExposed: isExposed)
        case 2: return .impressionTakenBack(popup: name, date: date, isExposed: isExposed)
        case 3: return .dismissal(popup: name, reason: .timedOut, date: date)
        case 9, 10:
            return .acted(popup: name, action: action, date: date, isClosing: .random())
        case 11: return .endedByAction(popup: name, action: "accept", date: date)
        case 4: return .event(name: name, date: date)
        case 18: return .event(name: name, date: date, amounts: ["n": .int(.random(in: -9...9))])
        case 19:
            return .event(
                name: name, date: date,
                amounts: ["n": .double(.infinity), "m": .uint(.max), "é\0": .double(-0.0)])
        case 12: return .session(date: date)
        case 13: return .sessionLeft(date: date)
        default: return .occurrence(trigger: name, count: Int(date.seconds) + 4)
        }
    }
}
