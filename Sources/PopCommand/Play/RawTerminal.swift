import Foundation

/// The terminal of standard input, set to hand on each key at once and unseen.
///
/// It is set by `stty`, which every POSIX system has, so that no C structure is touched here.
struct RawTerminal {
    /// How it was set before, as `stty` writes it.
    private let saved: String

    init() throws {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
            let saved = Self.stty("-g"), !saved.isEmpty
        else { throw EnvironmentFailure(message: "`play` needs a terminal") }
        self.saved = saved
        // Control-C comes as a key, so that the terminal is always left as it was.
        let isSet = Self.stty(
            "-icanon", "-echo", "-isig", "-iexten", "-ixon", "-icrnl", "min", "1", "time", "0")
        guard isSet != nil else {
            throw EnvironmentFailure(message: "cannot set the terminal with `stty`")
        }
    }

    func restore() { _ = Self.stty(saved) }

    /// Columns and rows, nil when the terminal does not say.
    var size: (columns: Int, rows: Int)? {
        let numbers = (Self.stty("size") ?? "").split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 2, numbers.allSatisfy({ (1...1000).contains($0) }) else {
            return nil
        }
        return (numbers[1], numbers[0])
    }

    /// What it prints; nil when it fails.
    private static func stty(_ arguments: String...) -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // Foundation starts it in a process group of its own, and whoever sets a terminal from the background is stopped
        // by SIGTTOU unless that is ignored.
        process.arguments = ["-c", #"trap "" TTOU; exec stty "$@""#, "sh"] + arguments
        process.standardInput = FileHandle.standardInput
        process.standardError = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        do {
            try process.run()
        } catch {
            return nil
        }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: data, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
