import Foundation
import PopCEL
import PopHistorySQLite
import PopScheduler
import Testing

/// Runs a command in which a folder lies on a read-only file system, for root too; nothing outside
/// of it sees that.
private enum ReadOnlyDisk {
    static func run(_ folder: TemporaryFolder, _ command: [String]) throws -> (
        status: Int32, output: String
    ) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let mount = #"mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@""#
        process.arguments = ["unshare", "-rm", "sh", "-c", mount, folder.url.path] + command
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    /// True if the system allows a read-only disk.
    static let isPossible: Bool = {
        guard let folder = try? TemporaryFolder(),
            let reading = try? run(folder, ["ls", folder.url.path]),
            let writing = try? run(folder, ["touch", folder.path("a")])
        else { return false }
        let isUntouched = !FileManager.default.fileExists(atPath: folder.path("a"))
        return reading.status == 0 && writing.status != 0 && isUntouched
    }()
}

@Suite struct `An app on a read-only disk` {
    /// The state in which the last app left the files of the database.
    enum Ending: CaseIterable {
        case closed
        case killed
        case killedAndCopied
    }

    @Test(
        .enabled(if: ReadOnlyDisk.isPossible, "unshare(1) cannot mount a folder read-only here"),
        arguments: Ending.allCases)
    func `an app on a read-only disk knows earlier impressions and reports the disk once`(
        ending: Ending
    )
        async throws
    {
        let (disk, folder) = (try TemporaryFolder(), try TemporaryFolder())
        let log = folder.path("presented.log")
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        try await showTen(on: disk, log, ending)

        let before = try FileManager.default.contentsOfDirectory(atPath: disk.url.path)
        let run = try ReadOnlyDisk.run(
            disk, [crashChild.path, disk.path("history.db"), log, "30"])
        #expect(run.status == 0)
        #expect(run.output.split(separator: "\n").count == 1, "\(run.output)")
        let presented = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(presented.map(String.init) == (0..<30).map { "popup\($0)" })
        let after = try FileManager.default.contentsOfDirectory(atPath: disk.url.path)
        #expect(after.sorted() == before.sorted())
    }

    /// An earlier run, while the disk could be written.
    private func showTen(on disk: TemporaryFolder, _ log: String, _ ending: Ending) async throws {
        let process = Process()
        process.executableURL = crashChild
        process.arguments = [disk.path("history.db"), log, "10"]
        try process.run()
        process.waitUntilExit()
        switch ending {
        case .closed:
            // The last connection that is closed puts everything into the database itself.
            _ = try await SQLiteHistoryStore(path: disk.path("history.db")).history(of: "")
        case .killed: break
        case .killedAndCopied:
            try FileManager.default.removeItem(atPath: disk.path("history.db-shm"))
        }
    }
}
