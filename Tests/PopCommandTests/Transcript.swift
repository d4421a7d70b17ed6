import Foundation

/// A console session as it is stored in a file: `$ ` and a command, then its output, then `[exit
/// N]` unless N is 0.
struct Transcript {
    var steps: [(command: String, output: String)] = []

    init(_ text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        for line in lines {
            if line.hasPrefix("$ ") {
                steps.append((String(line.dropFirst(2)), ""))
            } else if !steps.isEmpty {
                steps[steps.count - 1].output += line + "\n"
            }
        }
    }

    /// The session as it goes now: each command is run by a shell in the folder.
    func replayed(in folder: URL) throws -> String {
        try steps.map { step in
            let outcome = try Program.shell(step.command, in: folder)
            let exit = outcome.status == 0 ? "" : "[exit \(outcome.status)]\n"
            return "$ \(step.command)\n" + Self.withoutTiming(outcome.output) + exit
        }.joined()
    }

    /// The session as it was written down.
    var text: String {
        steps.map { "$ \($0.command)\n" + Self.withoutTiming($0.output) }.joined()
    }

    /// Durations are the only output that differs from run to run.
    private static func withoutTiming(_ text: String) -> String {
        text.replacing(/\(\d+ ms\)/, with: "(3 ms)")
    }
}
