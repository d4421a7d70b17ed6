import ArgumentParser
import Foundation

/// Does something again whenever a file that is watched changes, comes or goes.
struct FileWatch {
    /// How often files are looked at.
    private static let interval = 0.3

    private let paths: () -> [String]

    /// Watches files, and all that is in folders; which they are is asked anew at each look.
    init(_ paths: @autoclosure @escaping () -> [String]) { self.paths = paths }

    /// Never returns; failures end a turn and not the watch.
    func repeating(_ turn: () throws -> Void) throws {
        while true {
            let state = state()
            do {
                try turn()
            } catch let failure as EnvironmentFailure {
                Terminal.complain("poprules: \(failure.message)")
            } catch is ExitCode {
                // What was found has been printed.
            }
            Terminal.complain("waiting for changes; end with Control-C")
            while self.state() == state { Thread.sleep(forTimeInterval: Self.interval) }
        }
    }

    /// The times at which the rule and test files were changed, by path.
    private func state() -> [String: Date] {
        let files = FileManager.default
        var times: [String: Date] = [:]
        for path in paths() {
            let inside = (files.subpaths(atPath: path) ?? []).map { "\(path)/\($0)" }
            for file in [path] + inside where file == path || isYAML(file) {
                let attributes = try? files.attributesOfItem(atPath: file)
                times[file] = attributes?[.modificationDate] as? Date
            }
        }
        return times
    }

    private func isYAML(_ path: String) -> Bool {
        path.hasSuffix(".yaml") || path.hasSuffix(".yml")
    }
}
