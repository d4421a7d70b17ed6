import Foundation
import PopHistorySQLite
import PopScheduler
import Testing

@Suite struct `An app that is killed at any point` {
    private func presentations(_ log: String) throws -> [Substring] {
        try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    }

    @Test
    func `a killed app exceeds no cap after any restart, and its database can be opened`()
        async throws
    {
        let folder = try TemporaryFolder()
        let log = folder.path("presented.log")
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        var generator = SystemRandomNumberGenerator()
        for round in 0..<24 {
            let count = try presentations(log).count
            let process = Process()
            process.executableURL = crashChild
            process.arguments = [folder.path("history.db"), log]
            try process.run()
            // Every other time once popups show, however slow the machine is; else while it starts.
            while round.isMultiple(of: 2), process.isRunning, try presentations(log).count == count
            {
                try await Task.sleep(for: .milliseconds(5))
            }
            try await Task.sleep(for: .milliseconds(.random(in: 0...60, using: &generator)))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let presented = try presentations(log).map(String.init)
        #expect(!presented.isEmpty, "no child came as far as to present a popup")
        let twice = Dictionary(grouping: presented) { $0 }.filter { $0.value.count > 1 }.keys
        #expect(twice.isEmpty, "presented more than once")

        let history = try await SQLiteHistoryStore(path: folder.path("history.db")).history(of: "")
        // Each has its place before it is presented; the app may be killed before it reports that
        // the popup is visible.
        let places = history.popups.mapValues { $0.shownCount + $0.reservations.count }
        #expect(Set(presented).isSubset(of: Set(places.filter { $0.value == 1 }.keys)))
        #expect(places.values.allSatisfy { $0 <= 1 })
    }
}
