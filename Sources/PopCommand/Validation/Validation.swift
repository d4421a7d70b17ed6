import PopAnalysis
import PopCEL
import PopLints
internal import PopReports
import PopRuleFiles
import PopScheduler
import PopSource
import PopStories

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Everything that `validate` is asked to look at, ready to be looked at once or often.
struct Validation {
    /// As the command line has them; none for what the configuration names.
    var arguments: [String]
    /// The configuration that is named on the command line.
    var configuration: String?
    /// The text that `-` stands for.
    var standardInput: (path: String, bytes: [UInt8])?
    /// The baseline that is named on the command line.
    var baseline: String?
    var now: Timestamp

    /// What one look found.
    struct Outcome {
        var sources: SourceSet
        var diagnostics: Diagnostics
        var popups: Int
        var files: Int
        /// Folders inside those looked at that hold files and that nobody named.
        var leftOut: [String]

        var summary: Summary { Summary(popups: popups, files: files, diagnostics: diagnostics) }
    }

    /// Reads and checks everything; files whose paths are keys of `changed` have that content.
    func look(changed: [String: [UInt8]] = [:], progress: Progress) throws -> Outcome {
        let project = try Project(named: configuration)
        var sources = SourceSet()
        let checked = project.configuration(in: &sources)
        let configuration = checked.value ?? Configuration()
        let input =
            arguments.isEmpty
            ? try ValidationInput(configuration, of: project)
            : try ValidationInput(
                arguments: arguments, standardInput: standardInput?.path, in: &sources)
        var given = changed
        if let standardInput { given[standardInput.path] = standardInput.bytes }
        let before = sources.files.count
        progress.say("reading \(input.paths.joined(separator: ", "))")
        let workspace = try Workspace(readable: input.groups, given: given, beside: sources)
        var outcome = Outcome(
            sources: workspace.sources,
            diagnostics: SiblingFiles.hint(
                in: findings(in: workspace, progress), about: input.paths, of: workspace.sources),
            popups: workspace.popupCount, files: workspace.sources.files.count - before,
            leftOut: leftOut(of: input.paths))
        outcome.ignore(now: now)
        outcome.diagnostics.report(contentsOf: checked.diagnostics)
        outcome.diagnostics.report(contentsOf: input.diagnostics)
        if let baseline {
            try outcome.removeKnown(in: baseline)
        } else if let named = configuration.baseline {
            outcome.removeKnown(in: named, of: project)
        }
        if arguments.isEmpty { outcome.reportUnused(configuration.overrides, of: project) }
        let files = outcome.sources
        outcome.diagnostics = CheckLevels(configuration).apply(to: outcome.diagnostics) { file in
            files[file].isOnDisk ? project.relative(files[file].path) : nil
        }
        outcome.diagnostics = outcome.diagnostics.withoutBlindFixes(in: files)
        return outcome
    }

    private func leftOut(of paths: [String]) -> [String] {
        let named = Set(paths)
        let folders = Set(paths.flatMap { RuleFiles.foldersLeftOut(of: $0) })
        return folders.subtracting(named).sorted().filter { folder in
            !paths.contains { $0.hasPrefix(folder + "/") }
        }
    }

    /// The files and folders whose changes may change what is found.
    var watchedPaths: [String] {
        guard let project = try? Project(named: configuration) else { return arguments }
        var sources = SourceSet()
        let configured = project.configuration(in: &sources).value ?? Configuration()
        let named =
            arguments.isEmpty
            ? (configured.rules.isEmpty ? ["rules"] : configured.rules.map(\.value))
                .map { project.path(of: $0) }
            : arguments
        let paths = named.map { PathPattern.isPattern($0) ? PathPattern.fixedFolder(of: $0) : $0 }
        return paths + [project.path].compactMap { $0 }
    }

    /// What is wrong, and advice about rule sets without errors.
    private func findings(in workspace: Workspace, _ progress: Progress) -> Diagnostics {
        progress.say("checking \(workspace.sources.files.count) files")
        var diagnostics = workspace.diagnostics
        for rules in workspace.ruleSets {
            guard let model = rules.model, let value = try? rules.checked.get() else { continue }
            progress.say("looking for advice about \(value.popups.count) popups")
            let subject = LintSubject(model, rules: value, now: now)
            diagnostics.report(contentsOf: Lints.findings(in: subject))
            diagnostics.report(contentsOf: Meaning.findings(in: value, known: diagnostics))
            diagnostics.report(
                contentsOf: PairChecks.findings(
                    in: model, rules: value,
                    withoutTiesOn: Set(OnePriority.schedulers(in: value))))
        }
        return diagnostics
    }
}

extension Validation.Outcome {
    /// Leaves out what comments in the files are about.
    fileprivate mutating func ignore(now: Timestamp) {
        let comments = IgnoreComments(in: sources.files, now: now)
        diagnostics = comments.apply(
            to: diagnostics, allChecksWereRun: !diagnostics.hasErrors)
    }

    /// Leaves out what a baseline knows that the command line names.
    fileprivate mutating func removeKnown(in path: String) throws {
        do {
            let bytes = try RuleFiles.bytes(of: path)
            guard Baseline.isBaseline(bytes) else {
                throw EnvironmentFailure(
                    message: "`\(path)` is no baseline: `--write-baseline` writes one")
            }
            removeKnown(in: sources.add(path: path, bytes: bytes))
        } catch let error as ReadError {
            throw EnvironmentFailure(message: "the baseline: \(error)")
        }
    }

    /// Leaves out what a baseline knows that the configuration names, which stands in the folder of
    /// that. Of a file that is none, nothing is shown.
    fileprivate mutating func removeKnown(in named: Located<String>, of project: Project) {
        let path = project.path(of: named.value)
        guard project.holds(path) else { return diagnostics.report(.leadsOut(named)) }
        guard let bytes = try? RuleFiles.bytes(of: path), Baseline.isBaseline(bytes) else {
            return diagnostics.report(.noBaseline(named))
        }
        removeKnown(in: sources.add(path: path, bytes: bytes))
    }

    private mutating func removeKnown(in source: SourceFile) {
        let checked = Baseline.parse(source)
        let looked = Set(sources.files.map(\.path))
        if let baseline = checked.value {
            let report = Report(diagnostics, sources: sources, summary: summary)
            diagnostics = baseline.remove(from: report) { file in
                looked.contains(file) || !FileManager.default.fileExists(atPath: file)
            }
        }
        diagnostics.report(contentsOf: checked.diagnostics)
    }

    /// Patterns of the configuration that no file matches, when all files were looked at.
    fileprivate mutating func reportUnused(
        _ overrides: [Configuration.Override], of project: Project
    ) {
        let paths = sources.files.compactMap { project.relative($0.path) }
        for named in overrides.flatMap(\.paths) {
            let pattern = PathPattern(named.value)
            if !paths.contains(where: { pattern.matches($0) }) {
                diagnostics.report(.unusedPattern(named))
            }
        }
    }
}

extension Diagnostic {
    fileprivate static func noBaseline(_ named: Located<String>) -> Self {
        Diagnostic(
            .configNoMatch, message: "`\(named.value)` is no baseline", at: named.range,
            label: "missing, or not written by `--write-baseline`",
            help: ["`poprules validate --write-baseline \(named.value)` writes it"])
    }

    fileprivate static func unusedPattern(_ named: Located<String>) -> Self {
        var diagnostic = Diagnostic(
            .configNoMatch, message: "no file that was looked at matches `\(named.value)`",
            at: named.range, label: "matches nothing",
            help: ["paths are relative to the folder of the configuration"])
        diagnostic.level = .warning
        return diagnostic
    }
}
