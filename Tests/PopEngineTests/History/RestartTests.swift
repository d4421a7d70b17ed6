import Foundation
import PopCEL
import PopEngine
import PopHistorySQLite
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `An app that is started again every day` {
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
    func `exceeds no cap across restarts, whatever was pruned in between`(
        rules: String, days: [Int]
    ) async throws {
        #expect(try await shows(rules) == days)
    }
}
