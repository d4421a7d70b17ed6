internal import PopReports
import PopSource

extension Validation {
    /// More rounds than fixes ever need to reveal each other.
    private static let maximumRounds = 10

    /// What is left after all safe fixes, and the files that they change.
    func fixed(progress: Progress) throws -> FixOutcome {
        var changed: [String: [UInt8]] = [:]
        var original: [String: [UInt8]] = [:]
        var count = 0
        var outcome = try look(progress: progress)
        for _ in 0..<Self.maximumRounds {
            let fixed = FixedFiles(outcome.diagnostics, sources: outcome.sources)
            if fixed.contents.isEmpty { break }
            count += fixed.count
            for (file, bytes) in fixed.contents {
                let source = outcome.sources[file]
                if original[source.path] == nil { original[source.path] = source.bytes }
                changed[source.path] = bytes
            }
            outcome = try look(changed: changed, progress: progress)
        }
        let files = changed.keys.sorted().map { path in
            FixOutcome.File(path: path, old: original[path] ?? [], new: changed[path] ?? [])
        }
        return FixOutcome(rest: outcome, files: files, count: count)
    }
}

/// What `--fix` comes to.
struct FixOutcome {
    struct File {
        var path: String
        var old: [UInt8]
        var new: [UInt8]
    }

    /// What is found in the files as they are afterwards.
    var rest: Validation.Outcome
    var files: [File]
    /// Findings that were fixed.
    var count: Int

    /// Such as `3 fixes in 2 files`.
    var summary: String {
        "\(count) fix\(count == 1 ? "" : "es") in \(files.count) file\(files.count == 1 ? "" : "s")"
    }

    /// Writes the files. Those that were changed since they were read are left alone, and returned.
    func write() throws -> [EnvironmentFailure] {
        try files.compactMap { file in
            do {
                try OutputFile.change(file.path, from: file.old, to: file.new)
                return nil
            } catch let failure as EnvironmentFailure {
                return failure
            }
        }
    }

    func diff(style: TextStyle) -> String {
        files.map { UnifiedDiff(path: $0.path, old: $0.old, new: $0.new).text(style: style) }
            .joined()
    }
}
