import Foundation
import PopCEL
import PopEngine
import PopHistorySQLite
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `An app that starts every day` {
    /// On how many of ten days, the first included, `a` is shown.
    private func shows(_ rules: String) async throws -> [Int] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var days: [Int] = []
        for day in 0..<10 {
            let date = Timestamp(seconds: 1_767_225_600 + Int64(day) * 86_400)
            let driver = await EngineDriver(
                rules: try .parse(rules),
                history: SQLiteHistoryStore(path: folder.appending(path: "history.db").path),
                clock: VirtualClock(date: date))
            await driver.start()
            if driver.engine.showing["main"] == "a" { days.append(day) }
            let events = driver.engine.events
            await driver.engine.stop()
            for await _ in events {}
        }
        return days
    }

    @Test(arguments: [
        ("popups: { a: { cap: { lifetime: 2 } } }", [0, 1]),
        ("popups: { a: { cap: { every: 3d } } }", [0, 3, 6, 9]),
        ("popups: { a: { cap: { windows: [{ max: 2, per: 5d }] } } }", [0, 1, 5, 6]),
        (
            "schedulers: { main: { cap: { max: 1, per: 4d } } }\npopups: { a: {} }", [0, 4, 8]
        ),
        (
            "groups: { g: { cap: { max: 1, per: 4d } } }\npopups: { a: { group: g } }", [0, 4, 8]
        ),
    ])
    func `an app exceeds no cap across restarts, whatever was pruned in between`(
        rules: String, days: [Int]
    ) async throws {
        #expect(try await shows(rules) == days)
    }

    /// Returns the popup on the screen at each start, one start for each number of days on the
    /// clock. Each start sends an event `f`, and those of the first hundred days also an event `e`.
    private func shows(
        _ rules: String, days: [Int64], reloads: Bool = false
    ) async throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var shown: [String] = []
        for day in days {
            let date = Timestamp(seconds: 1_767_225_600 + day * 86_400)
            let driver = await EngineDriver(
                rules: try .parse(rules),
                history: SQLiteHistoryStore(path: folder.appending(path: "history.db").path),
                clock: VirtualClock(date: date))
            await driver.start()
            driver.engine.send("f")
            if day < 100 { driver.engine.send("e") }
            await driver.settle()
            if reloads {
                driver.engine.reload(try .parse(rules))
                await driver.settle()
            }
            shown.append(driver.engine.showing["main"] ?? "-")
            let events = driver.engine.events
            await driver.engine.stop()
            for await _ in events {}
        }
        return shown
    }

    /// S-M8: the clock was a year ahead at one start, or at several, and was corrected then.
    @Test(arguments: [[400], [400, 400], [400, 401, 800]], [false, true])
    func `an app exceeds no cap after the clock was ahead, and forgets no event`(
        ahead: [Int64], reloads: Bool
    ) async throws {
        let days = [0] + ahead + [1, 2]
        func rules(_ popup: String) -> String {
            """
            events: { e: {}, f: {} }
            popups:
              a: { trigger: { event: e }, \(popup) }
              z: { when: 'event_count("f", duration("120h")) > 1000' }
            """
        }
        for cap in ["every: 5d", "windows: [{ max: 1, per: 5d }]"] {
            let shown = try await shows(rules("cap: { \(cap) }"), days: days, reloads: reloads)
            #expect(shown.first == "a")
            #expect(shown.suffix(2) == ["-", "-"], "\(cap) \(shown)")
        }
        let counted = rules("when: 'event_count(\"e\", duration(\"120h\")) > 1'")
        let shown = try await shows(counted, days: days, reloads: reloads)
        #expect(shown.suffix(2) == ["a", "a"], "\(shown)")
    }
}
