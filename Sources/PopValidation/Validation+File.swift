internal import PopReports
internal import PopRuleFiles
package import PopSource
internal import PopStories

// The findings of one file that are reported, for callers that need them again and again.
extension Validation {
    /// Returns true if the reported findings of a file depend only on the findings in it, and on
    /// whether there are errors anywhere: no baseline hides findings, and no file was named without
    /// the others in its folder.
    package func tellsByFile(of opened: OpenedFiles) -> Bool {
        let named = Set(opened.input.paths)
        return baseline == nil && opened.configuration.value?.baseline == nil
            && !opened.workspace.sources.files.contains { named.contains($0.path) }
    }

    /// Returns the findings to report of a file, in the order of printing, and whether they depend
    /// on whether all checks were run. Comments do not suppress findings about the configuration.
    package func told(
        of findings: [Diagnostic], aboutConfiguration: [Diagnostic], in file: SourceFile,
        of opened: OpenedFiles, allChecksWereRun: Bool
    ) -> (list: [Diagnostic], isAboutComments: Bool) {
        let comments = IgnoreComments(in: [file], now: now)
        var told = comments.apply(
            to: Diagnostics(findings), allChecksWereRun: allChecksWereRun
        ).pointingFromComments { _ in file }
        told.report(contentsOf: Diagnostics(aboutConfiguration))
        told = opened.levelled(told, in: opened.workspace.sources)
        return (told.sorted, !comments.isEmpty)
    }

    /// Returns the findings about the configuration and about the paths to check.
    package func aboutConfiguration(of opened: OpenedFiles) -> Diagnostics {
        var found = opened.configuration.diagnostics
        found.report(contentsOf: opened.input.diagnostics)
        if arguments.isEmpty { opened.reportUnusedPatterns(in: &found) }
        return found
    }
}

extension OpenedFiles {
    /// The findings at the configured levels, with only those fixes that may be made.
    func levelled(_ findings: Diagnostics, in files: SourceSet) -> Diagnostics {
        CheckLevels(configuration.value ?? Configuration()).apply(to: findings) { file in
            files[file].isOnDisk ? project.relative(files[file].path) : nil
        }.withoutBlindFixes(in: files)
    }

    /// The patterns of the configuration that no file matches, if all files were checked.
    fileprivate func reportUnusedPatterns(in found: inout Diagnostics) {
        let paths = workspace.sources.files.compactMap { project.relative($0.path) }
            .map { PathNames($0) }
        for named in (configuration.value?.overrides ?? []).flatMap(\.paths) {
            let pattern = PathPattern(named.value)
            if !paths.contains(where: { pattern.matches($0) }) {
                found.report(.unusedPattern(named))
            }
        }
    }
}

extension Diagnostic {
    fileprivate static func unusedPattern(_ named: Located<String>) -> Self {
        var diagnostic = Diagnostic(
            .configNoMatch, message: "no checked file matches `\(named.value)`",
            at: named.range, label: "matches nothing",
            help: [
                "correct the pattern, or remove it; a pattern must match the paths of checked"
                    + " files, relative to the folder of the configuration file"
            ])
        diagnostic.level = .warning
        return diagnostic
    }
}

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
                // The contents of two such files would be kept as one.
                if let place = changed.index(forKey: source.path),
                    ExactText(changed[place].key) != ExactText(source.path)
                {
                    throw EnvironmentFailure(
                        message: "two files whose names look alike, `\(source.path)`, differ only"
                            + " in their Unicode normalization: rename one of them before --fix")
                }
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

    /// The maximum number of changed files that are named.
    private static let mostNames = 20

    /// The changed files in the order of their paths, then the number of those left out.
    package var names: [String] {
        let names = files.prefix(Self.mostNames).map(\.path)
        let others = files.count - names.count
        return others > 0 ? names + ["and \(others) more"] : names
    }

    /// Such as `3 fixes in 2 files`.
    package var summary: String {
        "\(count) fix\(count == 1 ? "" : "es") in \(files.count) file\(files.count == 1 ? "" : "s")"
    }
}
