import ArgumentParser
internal import PopReports
import PopRuleFiles
import PopSource
import PopStories
import PopValidation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Find mistakes in rules, tests and mappings.",
        discussion: """
            Without paths, checks the files that are listed in the nearest poprules.yaml
            (in this folder or above). Without a poprules.yaml, checks the folder rules.

            Exits with 0 if there is no error, 1 if there are errors, 2 if an argument is
            wrong, and 3 if a path does not exist.

            Example:
              poprules validate rules
              poprules validate 'apps/**/*.yaml' -f text -o - -f sarif -o found.sarif
            """)

    @Argument(
        help: ArgumentHelp(
            "Files, folders, quoted patterns, or - for standard input.", valueName: "paths"),
        completion: .yamlFiles)
    var given: [String] = []

    @OptionGroup var option: RulesOption

    /// The paths that were given in one way or another.
    var paths: [String] { option.paths(given, default: []) }

    @Option(
        help: ArgumentHelp(
            "The file name to show in findings for standard input.", valueName: "name"))
    var stdinFilename: String?

    @OptionGroup var report: ReportOptions

    @Option(
        help: ArgumentHelp("The lowest level that makes the command fail.", valueName: "level"))
    var failLevel = FailLevel.error

    @Option(help: ArgumentHelp("The lowest level that is shown.", valueName: "level"))
    var minLevel = FailLevel.info

    @Option(
        help: ArgumentHelp("Use this file instead of poprules.yaml.", valueName: "file"),
        completion: .yamlFiles)
    var config: String?

    @Option(
        help: ArgumentHelp("Report only findings that are not in a baseline.", valueName: "file"),
        completion: .file())
    var baseline: String?

    @Option(
        help: ArgumentHelp("Write a baseline of all findings; exit with 0.", valueName: "file"),
        completion: .file())
    var writeBaseline: String?

    @Flag(help: "Apply safe fixes to the files.")
    var fix = false

    @Flag(help: "With --fix: show the changes, but do not write them.")
    var dryRun = false

    @Flag(help: "Validate again whenever a file changes.")
    var watch = false

    @Option(help: "The time to compare dates with, such as 2026-11-20T09:00:00Z; by default now.")
    var at: String?

    @Flag(name: .shortAndLong, help: "Print only the findings, without a summary.")
    var quiet = false

    func validate() throws {
        if minLevel.level > failLevel.level {
            throw ValidationError(
                "--min-level \(minLevel) would hide findings that make the command fail"
                    + " (--fail-level \(failLevel)): use --min-level \(failLevel) or a lower level")
        }
        if dryRun, !fix { throw ValidationError("--dry-run needs --fix") }
        if stdinFilename != nil, !paths.contains("-") {
            throw ValidationError("--stdin-filename needs standard input: add `-` as the path")
        }
        if paths.contains("-"), fix || watch {
            throw ValidationError("--fix and --watch need files, not standard input")
        }
        if let writeBaseline,
            report.output.contains(where: { OutputFile.isSame($0, as: writeBaseline) })
        {
            throw ValidationError("--output and --write-baseline cannot write the same file")
        }
        if watch, fix || writeBaseline != nil {
            throw ValidationError("--watch cannot be combined with --fix or --write-baseline")
        }
    }

    func run() throws {
        var validation = Validation(
            arguments: paths, configuration: config,
            standardInput: paths.contains("-") ? try standardInput() : nil,
            baseline: baseline, now: try Clock.time(at))
        validation.usesBaseline = writeBaseline == nil
        for note in validation.notes { Terminal.complain("poprules: \(note)") }
        guard watch else { return try run(validation) }
        try FileWatch(validation.watchedPaths).repeating {
            let (started, progress) = (ContinuousClock.now, Progress())
            defer { progress.end() }
            return (try validation.look(say: progress.say), started)
        } show: {
            try finish($0.0, since: $0.1)
        }
    }

    private func run(_ validation: Validation) throws {
        let started = ContinuousClock.now
        let progress = Progress()
        if fix {
            let fixed = try validation.fixed(say: progress.say)
            progress.end()
            return try finish(fixed, since: started)
        }
        let outcome = try validation.look(say: progress.say)
        progress.end()
        if let writeBaseline { return try write(outcome, toBaseline: writeBaseline) }
        try finish(outcome, since: started)
    }

    private func finish(
        _ outcome: Validation.Outcome, since started: ContinuousClock.Instant
    ) throws {
        let result = makeReport(outcome, since: started)
        try report.write(result)
        if !quiet, !outcome.leftOut.isEmpty {
            Terminal.complain("\(leftOutText(outcome.leftOut))")
        }
        if result.fails { throw ExitCode(ExitStatus.findings) }
    }

    private func finish(_ fixed: FixOutcome, since started: ContinuousClock.Instant) throws {
        if dryRun, !fixed.files.isEmpty {
            Terminal.show(.styled(fixed.diff(style: report.color.style)))
            if !quiet { Terminal.complain("would make \(fixed.summary)") }
            throw ExitCode(ExitStatus.findings)
        }
        let failures = try fixed.write()
        for failure in failures { Terminal.complain("poprules: \(failure.message)") }
        guard failures.isEmpty else { throw ExitCode(ExitStatus.environment) }
        if !quiet, !fixed.files.isEmpty {
            Terminal.complain("made \(fixed.summary)")
            for name in fixed.names { Terminal.complain("  \(name)") }
        }
        try finish(fixed.rest, since: started)
    }

    private func makeReport(
        _ outcome: Validation.Outcome, since started: ContinuousClock.Instant
    ) -> Report {
        let summary = outcome.summary
        let closing =
            "\(summary.text) (\(Clock.milliseconds(since: started)) ms)"
            + (summary.notice.map { "\n" + $0 } ?? "")
        let shown = outcome.diagnostics.list.filter { $0.level >= minLevel.level }
        return Report(
            Diagnostics(shown).atMost(.standard), sources: outcome.sources,
            summary: summary,
            failLevel: failLevel.level, closingLine: quiet ? nil : closing)
    }

    private func leftOutText(_ folders: [String]) -> String {
        let more = folders.count > 3 ? " and \(folders.count - 3) more" : ""
        return "note: subfolders are not checked unless you name them; skipped:"
            + " \(folders.prefix(3).joined(separator: ", "))\(more)"
    }

    private func write(_ outcome: Validation.Outcome, toBaseline path: String) throws {
        let found = Report(
            outcome.diagnostics, sources: outcome.sources, summary: outcome.summary)
        guard let (text, count) = Baseline.text(for: found) else {
            throw EnvironmentFailure(
                message: "there are \(found.findings.count) findings, too many for a baseline: fix"
                    + " some, or change levels in `poprules.yaml`")
        }
        try OutputFile.checkIsNone(of: outcome.sources, path)
        try OutputFile.write(
            text, to: path, kind: .baseline, force: report.replacing.force)
        guard !quiet, !OutputFile.isStandardOutput(path) else { return }
        // Standard output is empty for programs that expect another format.
        let others = Set(found.findings.map(\.check).filter(\.isAlwaysTold).map(\.id)).sorted()
        let note =
            others.isEmpty
            ? ""
            : "; a baseline cannot contain \(others.joined(separator: ", ")), because these mean"
                + " that something was not checked"
        Terminal.show(
            "wrote \(count) finding\(count == 1 ? "" : "s") to \(path)\(note)\n",
            to: report.isForPeople ? .output : .error)
    }

    private func standardInput() throws -> (path: String, bytes: [UInt8]) {
        let path = stdinFilename.map(normalised) ?? "<stdin>"
        return (path, try InputFile.standardInput(named: path))
    }
}

/// The lowest level that makes a command fail.
enum FailLevel: String, ExpressibleByArgument, CaseIterable {
    case error
    case warning
    case info

    var level: Level {
        switch self {
        case .error: .error
        case .warning: .warning
        case .info: .info
        }
    }
}

extension ValidateCommand: RunsUntilStopped {
    var runsUntilStopped: Bool { watch }
}
