import Foundation
import PopHistorySQLite
import PopScheduler
import Testing

/// The number of times that each race for a history file is run.
enum HistoryRaces {
    /// Set by `HISTORY_RACES`.
    static let rounds =
        ProcessInfo.processInfo.environment["HISTORY_RACES"].flatMap { Int($0) } ?? 20
}

/// E1: of two openers of one new file the second took it for damaged and began another one.
@Suite struct `Apps that start at the same time on a new history file` {
    private let folder: TemporaryFolder
    private let files = FileManager.default

    init() throws { folder = try TemporaryFolder() }

    private struct Child {
        let process = Process()
        let output = Pipe()
        let log: String

        init(_ log: String, database: String) throws {
            self.log = log
            _ = FileManager.default.createFile(atPath: log, contents: nil)
            process.executableURL = crashChild
            process.arguments = [database, log, "3"]
            process.standardOutput = output
            try process.run()
        }

        /// The popups that it presented, once it has ended without a fault of the history.
        func presented() throws -> [String] {
            let told = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(told.isEmpty, "\(String(decoding: told, as: UTF8.self))")
            #expect(process.terminationStatus == 0)
            return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
                .map(String.init)
        }
    }

    @Test(arguments: [2, 3])
    func `lose no impression and move no file aside (E1)`(apps: Int) async throws {
        for round in 0..<HistoryRaces.rounds {
            let database = folder.path("history-\(round).db")
            let children = try (0..<apps).map { number in
                try Child(folder.path("log-\(round)-\(number)"), database: database)
            }
            let presented = try children.flatMap { try $0.presented() }
            let history = try await SQLiteHistoryStore(path: database).history(of: "")
            let counts = Dictionary(grouping: presented) { $0 }.mapValues(\.count)
            #expect(history.popups.mapValues(\.shownCount) == counts, "in round \(round)")
        }
        let aside = try files.contentsOfDirectory(atPath: folder.url.path)
            .filter { $0.contains(".damaged") }
        #expect(aside == [])
    }
}
