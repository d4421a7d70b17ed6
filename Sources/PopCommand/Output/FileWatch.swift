import ArgumentParser
import Dispatch
internal import PopReports
import PopRuleFiles
import PopValidation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Does something again whenever a file that is watched changes, comes or goes.
struct FileWatch {
    /// The interval between two looks at the files.
    private static let interval = DispatchTimeInterval.milliseconds(300)
    /// The maximum number of further looks at files that keep changing.
    private static let patience = 10

    private let paths: () -> [String]

    /// Watches files, and the contents of folders; the paths are evaluated again at each look.
    init(_ paths: @autoclosure @escaping () -> [String]) { self.paths = paths }

    /// Never returns; failures end a turn and not the watch. A result from a time when files
    /// changed isn't shown; the files are looked at again.
    func repeating<Found>(
        _ look: () throws -> Found, show: (Found) throws -> Void
    ) throws {
        while true {
            var state = state()
            do {
                var found = Result { try look() }
                for _ in 0..<Self.patience where self.state() != state {
                    state = stillState()
                    found = Result { try look() }
                }
                try show(found.get())
            } catch let failure as EnvironmentFailure {
                Terminal.complain("poprules: \(failure.message)")
            } catch is ExitCode {
                // The findings have been printed.
            }
            Terminal.complain("waiting for changes; press Control-C to stop")
            while self.state() == state { Self.wait() }
            _ = stillState()
        }
    }

    private static func wait() { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + interval) }

    /// Returns the state once nothing has changed for an interval: several files may be saved one
    /// after the other.
    private func stillState() -> [String: State] {
        var last = state()
        for _ in 0..<Self.patience {
            Self.wait()
            let now = state()
            if now == last { break }
            last = now
        }
        return last
    }

    /// The attributes that reveal a change of a file.
    private struct State: Equatable {
        var changed: Date?
        var size: UInt64?
        var number: UInt64?
    }

    /// The rule and test files as they are, by path.
    private func state() -> [String: State] {
        let files = FileManager.default
        var states: [String: State] = [:]
        for path in paths() {
            let found = (try? files.subpathsOfDirectory(atPath: path)) ?? []
            let inside = found.map { "\(path)/\($0)" }
            for file in [path] + inside where file == path || isYAML(file) {
                guard let attributes = try? files.attributesOfItem(atPath: file) else { continue }
                states[file] = State(
                    changed: attributes[.modificationDate] as? Date,
                    size: attributes.number(.size),
                    number: attributes.number(.systemFileNumber))
            }
        }
        return states
    }

    private func isYAML(_ path: String) -> Bool {
        path.hasSuffix(".yaml") || path.hasSuffix(".yml")
    }
}
