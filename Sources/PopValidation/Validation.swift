package import PopAnalysis
package import PopCEL
package import PopReports
package import PopRuleFiles
internal import PopScheduler
package import PopSource
package import PopStories

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The input of `validate`, ready to be checked once or often.
package struct Validation: Sendable {
    /// As on the command line; empty to use the paths of the configuration.
    package var arguments: [String]
    /// The configuration that is named on the command line.
    package var configuration: String?
    /// The text that `-` refers to.
    package var standardInput: (path: String, bytes: [UInt8])?
    /// The baseline that is named on the command line.
    package var baseline: String?
    /// False to report known findings too, as for a new baseline.
    package var usesBaseline = true
    package var now: Timestamp

    package init(
        arguments: [String], configuration: String? = nil,
        standardInput: (path: String, bytes: [UInt8])? = nil, baseline: String? = nil,
        now: Timestamp
    ) {
        self.arguments = arguments
        self.configuration = configuration
        self.standardInput = standardInput
        self.baseline = baseline
        self.now = now
    }

    /// The result of one check.
    package struct Outcome {
        package var sources: SourceSet
        package var diagnostics: Diagnostics
        package var popups: Int
        package var files: Int
        /// The extent of the advice, and the errors because of which some advice is missing.
        package var advice = Summary.Advice.complete
        package var hidingErrors = 0
        /// True if some conditions were not analyzed, since that takes too much work.
        package var isCutShort = false
        /// The files and folders that were checked.
        let paths: [String]

        /// Folders inside the checked ones that hold files and that the user has not named; looks
        /// for them on the disk.
        package var leftOut: [String] {
            let folders = Set(paths.flatMap { RuleFiles.foldersLeftOut(of: $0) })
            return folders.subtracting(paths).sorted().filter { folder in
                !paths.contains { $0.hasPrefix(folder + "/") }
            }
        }

        package var summary: Summary {
            var summary = Summary(
                popups: popups, files: files, diagnostics: diagnostics, advice: advice,
                hidingErrors: hidingErrors)
            summary.isCutShort = isCutShort
            return summary
        }
    }

    /// Reads and checks everything; files with paths that are keys of `changed` have that content.
    /// `say` is called with a description of each step.
    package func look(
        changed: [String: [UInt8]] = [:], say: (String) -> Void = { _ in }
    ) throws -> Outcome {
        let opened = try open(changed: changed, say: say)
        let limits = AnalysisLimits.ofCommand()
        let findings = opened.findings(now: now, limits: limits, say: say)
        var outcome = try outcome(of: findings, in: opened)
        outcome.isCutShort = !limits.budget.isAllDecided
        (outcome.advice, outcome.hidingErrors) = opened.adviceLookedFor
        return outcome
    }

    /// Reads everything; files with paths that are keys of `changed` have that content.
    package func open(
        changed: [String: [UInt8]] = [:], say: (String) -> Void = { _ in }
    ) throws -> OpenedFiles {
        let project = try Project(named: configuration, given: changed)
        var sources = SourceSet()
        let checked = project.configuration(in: &sources)
        let configuration = checked.value ?? Configuration()
        let input: ValidationInput
        do {
            input =
                arguments.isEmpty
                ? try ValidationInput(configuration, of: project)
                : try ValidationInput(
                    arguments: arguments, standardInput: standardInput?.path, in: &sources)
        } catch let failure as EnvironmentFailure {
            throw failure.beside(checked.diagnostics, of: project)
        }
        var given = changed
        if let standardInput { given[standardInput.path] = standardInput.bytes }
        let before = sources.files.count
        say("reading \(input.paths.joined(separator: ", "))")
        let (groups, groupsOfMappings) = MappingPaths.parted(input.groups)
        var workspace: Workspace
        do {
            workspace = try Workspace(readable: groups, given: given, beside: sources)
        } catch let failure as EnvironmentFailure {
            throw failure.beside(checked.diagnostics, of: project)
        }
        let mappings = try Mapping.read(groupsOfMappings, given: given, into: &workspace)
        return OpenedFiles(
            project: project, configuration: checked, input: input, workspace: workspace,
            mappings: mappings, filesBefore: before)
    }

    /// Returns the findings to report: without those that comments, the baseline and the
    /// configuration leave out.
    package func outcome(of findings: Diagnostics, in opened: OpenedFiles) throws -> Outcome {
        let (workspace, project) = (opened.workspace, opened.project)
        let configuration = opened.configuration.value ?? Configuration()
        var outcome = Outcome(
            sources: workspace.sources,
            diagnostics: SiblingFiles.hint(
                in: findings, about: opened.input.paths, of: workspace.sources),
            popups: workspace.popupCount,
            files: workspace.sources.files.count - opened.filesBefore,
            paths: opened.input.paths)
        outcome.ignore(now: now)
        outcome.diagnostics.report(contentsOf: aboutConfiguration(of: opened))
        if !usesBaseline {
            // All findings belong into the new baseline.
        } else if let baseline {
            try outcome.removeKnown(in: baseline)
        } else if let named = configuration.baseline {
            outcome.removeKnown(in: named, of: project)
        }
        outcome.diagnostics = opened.levelled(outcome.diagnostics, in: outcome.sources)
        return outcome
    }

    /// A sentence for each configuration that is passed over because of its owner, its name or its
    /// place.
    package var notes: [String] {
        guard configuration == nil else { return [] }
        let search = Project.search
        guard search.path == nil, search.notes.isEmpty else { return search.notes }
        return UnusedConfiguration.notes(arguments)
    }

    /// The files and folders whose changes may change the findings.
    package var watchedPaths: [String] {
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
}

/// The files of a validation as they were read.
package struct OpenedFiles: Sendable {
    package var project: Project
    package var configuration: Checked<Configuration>
    package var input: ValidationInput
    package var workspace: Workspace
    package var mappings: [Mapping]
    /// The number of files read before the checked ones.
    var filesBefore: Int

    /// Returns the findings, and advice about parts without errors.
    package func findings(
        now: Timestamp, limits: AnalysisLimits = .standard, say: (String) -> Void = { _ in }
    ) -> Diagnostics {
        say("checking \(workspace.sources.files.count) files")
        return withAdvice(diagnostics, now: now, limits: limits, say: say)
    }

    /// The findings with advice about popups, conditions and groups without errors. `say` is called
    /// with a description of each step.
    package func withAdvice(
        _ known: Diagnostics, now: Timestamp, limits: AnalysisLimits = .standard,
        say: (String) -> Void = { _ in }
    ) -> Diagnostics {
        var diagnostics = known
        for index in workspace.ruleSets.indices {
            for advice in AdviceKind.allCases where workspace.ruleSets[index].checked.value != nil {
                say(advice.activity)
                diagnostics.report(
                    contentsOf: self.advice(
                        advice, ofRuleSet: index, known: diagnostics, now: now, limits: limits,
                        check: {}))
            }
        }
        return diagnostics
    }

    /// The extent of the advice, and the errors because of which advice about other parts than
    /// theirs is missing.
    var adviceLookedFor: (Summary.Advice, errors: Int) {
        let sets = workspace.ruleSets.filter { $0.checked.diagnostics.hasErrors }
        if sets.isEmpty { return (.complete, 0) }
        var (hidden, errors) = (0, 0)
        for set in sets {
            let rules = set.checked.value
            let broken = rules.flatMap { BrokenParts(set.checked.diagnostics, of: $0) }
            if broken == nil { hidden += 1 }
            if let rules, let broken, broken.unclear.count == rules.popups.count { continue }
            errors += set.checked.diagnostics.sorted.count { $0.level == .error }
        }
        return (hidden == workspace.ruleSets.count ? .none : .partial, errors)
    }

    /// Advice of one kind about those parts of a rule set that have no errors. `check` is called
    /// again and again, and can end it by throwing.
    package func advice(
        _ advice: AdviceKind, ofRuleSet index: Int, known: Diagnostics, now: Timestamp,
        limits: AnalysisLimits = .standard, check: () throws -> Void
    ) rethrows -> Diagnostics {
        let set = workspace.ruleSets[index]
        guard let model = set.model, let rules = set.checked.value,
            let broken = BrokenParts(set.checked.diagnostics, of: rules)
        else { return Diagnostics() }
        switch advice {
        case .habits:
            let gaps =
                broken.isEmpty
                ? nil
                : LintSubject.Gaps(popups: broken.unclear, clearSubjects: broken.clearSubjects)
            return try Lints.findings(
                in: LintSubject(model, rules: rules, now: now, gaps: gaps), check: check)
        case .meaning:
            return try Meaning.findings(
                in: rules, known: known, without: broken, limits: limits, check: check)
        case .meetings:
            return try PairChecks.findings(
                in: model, rules: rules, withoutTiesOn: Set(OnePriority.schedulers(in: rules)),
                without: broken, limits: limits, check: check)
        }
    }
}

/// The kinds of advice, in the order in which they are looked for.
package enum AdviceKind: Sendable, CaseIterable {
    /// Gaps in one popup, condition or schedule.
    case habits
    /// The combined meaning of conditions.
    case meaning
    /// The effects of popups that meet.
    case meetings

    /// A description of the step, for users who wait.
    package var activity: String {
        switch self {
        case .habits: "looking for advice"
        case .meaning: "looking for conditions that cannot be true"
        case .meetings: "looking for popups that compete"
        }
    }
}

extension Validation.Outcome {
    /// Leaves out the findings that comments in the files suppress.
    fileprivate mutating func ignore(now: Timestamp) {
        let comments = IgnoreComments(in: sources.files, now: now)
        diagnostics = comments.apply(
            to: diagnostics, allChecksWereRun: !diagnostics.hasErrors
        ).pointingFromComments { [sources] in sources[$0] }
    }

    /// Leaves out the findings of a baseline that the command line names.
    fileprivate mutating func removeKnown(in path: String) throws {
        do {
            let bytes = try RuleFiles.bytes(of: path)
            guard Baseline.isBaseline(bytes) else {
                throw EnvironmentFailure(
                    message: "`\(path)` is not a baseline: use `--write-baseline` to create one")
            }
            removeKnown(in: sources.add(path: path, bytes: bytes))
        } catch let error as ReadError {
            throw EnvironmentFailure(message: "cannot read the baseline: \(error)")
        }
    }

    /// Leaves out the findings of a baseline that the configuration names, which must be in the
    /// folder of the configuration. Nothing is shown of a file that isn't a baseline.
    fileprivate mutating func removeKnown(in named: Located<String>, of project: Project) {
        let path = project.path(of: named.value)
        guard project.holds(path) else { return diagnostics.report(.leadsOut(named)) }
        guard let bytes = try? RuleFiles.bytes(of: path), Baseline.isBaseline(bytes) else {
            let isThere = FileManager.default.fileExists(atPath: path)
            return diagnostics.report(isThere ? .otherFile(named) : .noBaseline(named))
        }
        removeKnown(in: sources.add(path: path, bytes: bytes))
    }

    private mutating func removeKnown(in source: SourceFile) {
        let checked = Baseline.parse(source)
        let looked = Set(sources.files.map(\.path))
        // An entry that is about a file next to the baseline, and not about one from here.
        var elsewhere: String?
        let home = folder(of: source.path)
        if let baseline = checked.value {
            let report = Report(diagnostics, sources: sources, summary: summary)
            diagnostics = baseline.remove(from: report) { file in
                if looked.contains(file) { return true }
                if FileManager.default.fileExists(atPath: file) { return false }
                let isThere =
                    home != "." && !file.hasPrefix("/")
                    && FileManager.default.fileExists(atPath: "\(home)/\(file)")
                if isThere { elsewhere = min(file, elsewhere ?? file) }
                return !isThere
            }
        }
        diagnostics.report(contentsOf: checked.diagnostics)
        if let elsewhere { diagnostics.report(.otherFolder(source, file: elsewhere, home: home)) }
    }
}

extension Diagnostic {
    fileprivate static func noBaseline(_ named: Located<String>) -> Self {
        Diagnostic(
            .configNoMatch, message: "`\(named.value)` is not a baseline", at: named.range,
            label: "there is no such file",
            help: [
                "run `poprules validate --write-baseline \(named.value.quotedForShell)` to"
                    + " create it"
            ])
    }

    fileprivate static func otherFile(_ named: Located<String>) -> Self {
        let file = named.value.quotedForShell
        return Diagnostic(
            .configNoMatch, message: "`\(named.value)` is not a baseline", at: named.range,
            label: "not written by `--write-baseline`",
            help: [
                "run `poprules validate --write-baseline \(file) --force` to replace the file with"
                    + " a baseline of all findings",
                "to hide all findings of a check, remove `baseline`, and use"
                    + " `checks: { P0510: off }`",
            ])
    }

    /// Paths in the baseline are relative to another folder than this one.
    fileprivate static func otherFolder(
        _ baseline: SourceFile, file: String, home: String
    ) -> Self {
        let name = baseline.path.split(separator: "/").last.map(String.init) ?? baseline.path
        return Diagnostic(
            .configStaleBaseline,
            message: "`\(file)` in the baseline is not in this folder, only next to the baseline",
            at: SourceRange(file: baseline.id, 0..<min(1, baseline.bytes.count)),
            label: "contains `\(file)`",
            notes: ["paths in a baseline are relative to the folder in which the command runs"],
            help: [
                "if the baseline was written in its folder, run the command there:"
                    + " `cd \(home.quotedForShell) && poprules validate --baseline"
                    + " \(name.quotedForShell)`"
            ])
    }
}

extension EnvironmentFailure {
    /// The same, with the first errors of the configuration, which may be its cause.
    fileprivate func beside(_ findings: Diagnostics, of project: Project) -> EnvironmentFailure {
        let errors = findings.list.filter { $0.level == .error }.prefix(3)
        guard let path = project.path, !errors.isEmpty else { return self }
        let texts = errors.map { error in
            error.message + (error.help.first.map { " (\($0))" } ?? "")
        }
        let count = errors.count == 1 ? "an error" : "errors"
        return EnvironmentFailure(
            message: "\(message); `\(path)` also has \(count): \(texts.joined(separator: "; "))")
    }
}
