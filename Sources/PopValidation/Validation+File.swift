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
            to: Diagnostics(findings), allChecksWereRun: allChecksWereRun)
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
            help: ["write paths relative to the folder of the configuration"])
        diagnostic.level = .warning
        return diagnostic
    }
}
