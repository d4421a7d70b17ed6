internal import PopReports
internal import PopRuleFiles
package import PopSource
internal import PopStories

// What is told of one file, for who asks again and again.
extension Validation {
    /// Whether what is told of a file follows from what was found in it, and from whether there are
    /// errors anywhere: no baseline knows findings, and no file was named without those beside it.
    package func tellsByFile(of opened: OpenedFiles) -> Bool {
        let named = Set(opened.input.paths)
        return baseline == nil && opened.configuration.value?.baseline == nil
            && !opened.workspace.sources.files.contains { named.contains($0.path) }
    }

    /// What is told of what was found in a file, in the order of printing, and whether that hangs
    /// on whether all checks were run. What is wrong with the configuration no comment leaves out.
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

    /// What is wrong with the configuration and with what is to be looked at.
    package func aboutConfiguration(of opened: OpenedFiles) -> Diagnostics {
        var found = opened.configuration.diagnostics
        found.report(contentsOf: opened.input.diagnostics)
        if arguments.isEmpty { opened.reportUnusedPatterns(in: &found) }
        return found
    }
}

extension OpenedFiles {
    /// The findings at the levels that are configured, with those fixes alone that may be made.
    func levelled(_ findings: Diagnostics, in files: SourceSet) -> Diagnostics {
        CheckLevels(configuration.value ?? Configuration()).apply(to: findings) { file in
            files[file].isOnDisk ? project.relative(files[file].path) : nil
        }.withoutBlindFixes(in: files)
    }

    /// Patterns of the configuration that no file matches, when all files were looked at.
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
            .configNoMatch, message: "no file that was looked at matches `\(named.value)`",
            at: named.range, label: "matches nothing",
            help: ["paths are relative to the folder of the configuration"])
        diagnostic.level = .warning
        return diagnostic
    }
}
