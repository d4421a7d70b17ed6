internal import PopReports
internal import PopSource

extension Validation {
    /// More rounds than fixes ever need to reveal each other.
    private static let maximumRounds = 10

    /// Returns the findings that are left after all safe fixes, and the files that the fixes
    /// change.
    package func fixed(say: (String) -> Void = { _ in }) throws -> FixOutcome {
        var changed: [String: [UInt8]] = [:]
        var original: [String: [UInt8]] = [:]
        var count = 0
        var outcome = try look(say: say)
        for _ in 0..<Self.maximumRounds {
            let fixed = FixedFiles(outcome.diagnostics, sources: outcome.sources)
            if fixed.contents.isEmpty { break }
            count += fixed.count
            for (file, bytes) in fixed.contents {
                let source = outcome.sources[file]
                if original[source.path] == nil { original[source.path] = source.bytes }
                changed[source.path] = bytes
            }
            outcome = try look(changed: changed, say: say)
        }
        let files = changed.keys.sorted().map { path in
            FixOutcome.File(path: path, old: original[path] ?? [], new: changed[path] ?? [])
        }
        return FixOutcome(rest: outcome, files: files, count: count)
    }
}

/// The result of `--fix`.
package struct FixOutcome {
    package struct File {
        package var path: String
        package var old: [UInt8]
        package var new: [UInt8]
    }

    /// The findings about the files after the fixes.
    package var rest: Validation.Outcome
    package var files: [File]
    /// Findings that were fixed.
    package var count: Int

    /// Such as `3 fixes in 2 files`.
    package var summary: String {
        "\(count) fix\(count == 1 ? "" : "es") in \(files.count) file\(files.count == 1 ? "" : "s")"
    }
}
