import Foundation

/// Runs the built `poprules` as a user would.
enum Program {
    /// The folder of the program: the one that contains the bundle of the tests.
    private static let folder = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().path

    /// Runs a shell command that finds `poprules`; its two outputs come as one, in order.
    static func shell(
        _ command: String, in folder: URL
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "exec 2>&1; \(command)"]
        process.currentDirectoryURL = folder
        process.environment = [
            "PATH":
                "\(Self.folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
            "HOME": ProcessInfo.processInfo.environment["HOME"] ?? "/", "LC_ALL": "C.UTF-8",
            "COLUMNS": "80",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}

/// A folder that is removed after the test.
struct TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "poprules-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func write(_ text: String, to path: String) throws {
        let file = url.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
