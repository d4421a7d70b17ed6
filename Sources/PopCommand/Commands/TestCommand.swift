import ArgumentParser
internal import PopAnalysis
internal import PopReports
import PopScheduler
import PopSource
import PopStories
import PopValidation

struct TestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run the tests in *.test.yaml with a virtual clock.",
        usage: "poprules test [<options>] [<paths> ...]",
        discussion: """
            Exits with 0 if all tests passed, and with 1 if a test failed or cannot run.

            Example:
              poprules test rules
              poprules test rules --run 'new user' --coverage text --threshold 80
              poprules test rules --bootstrap > rules/all.test.yaml
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, junit, tap
    }

    enum CoverageFormat: String, ExpressibleByArgument, CaseIterable {
        case text, json, lcov, html
    }

    @Argument(
        help: ArgumentHelp("Test files, or folders with rules and tests.", valueName: "paths"),
        completion: .yamlFiles)
    var given = ["rules"]

    @OptionGroup var option: RulesOption

    /// The paths that were given in one way or another.
    var paths: [String] { option.paths(given) }

    @Option(
        name: .customLong("run"),
        help: ArgumentHelp("Run only tests whose name matches this regex.", valueName: "regex"))
    var wanted: String?

    @Flag(help: "Stop at the first failure.")
    var failFast = false

    @Flag(help: "Update stored snapshots that differ from the result of a test.")
    var update = false

    @Option(name: .shortAndLong, help: "The output format.")
    var format = Format.text

    @Option(help: "Report which parts of the rules the tests cover, in this format.")
    var coverage: CoverageFormat?

    @Flag(help: "With --coverage text: list all parts that no test covers.")
    var coverageAll = false

    @Option(
        help: ArgumentHelp(
            "The file for the coverage report, or - for standard output.", valueName: "file"))
    var coverageOutput: String?

    @OptionGroup var replacing: ReplacingOption

    @Option(
        help: ArgumentHelp(
            "Fail if the coverage is below this percentage, such as 80 or 99.5.",
            valueName: "percent"))
    var threshold: String?

    @Flag(help: "Run again whenever a file changes.")
    var watch = false

    @Flag(help: "Print a test file with a test for each popup.")
    var bootstrap = false

    @Option(help: "When to use colors.")
    var color = ColourChoice.auto

    @Flag(name: .shortAndLong, help: "Print only failed tests.")
    var quiet = false

    func validate() throws {
        if coverageAll, coverage != .text {
            throw ValidationError("--coverage-all needs --coverage text")
        }
        if coverageTakesOutput, format != .text {
            throw ValidationError(
                "only one format can go to standard output; set --coverage-output to a file")
        }
    }

    func run() throws {
        if bootstrap { return try writeSkeleton() }
        guard watch else {
            let started = ContinuousClock.now
            return try run(Workspace(eachOf: paths), since: started)
        }
        let watched = watchedPaths()
        try FileWatch(watched).repeating {
            (started: ContinuousClock.now, workspace: try Workspace(eachOf: paths))
        } show: {
            try run($0.workspace, since: $0.started)
        }
    }

    /// Returns the named paths, and the rules elsewhere that the tests are about.
    private func watchedPaths() -> [String] {
        paths + ((try? Workspace(eachOf: paths))?.sources.files.map(\.path) ?? [])
    }

    private func writeSkeleton() throws {
        let workspace = try Workspace(readable: paths)
        let rules = try workspace.validRules(style: color.style, for: .other)
        let budget = AnalysisLimits.ofCommand().budget
        if rules.popups.isEmpty {
            throw EnvironmentFailure(
                message: "the rules have no popups, so there is nothing to test")
        }
        let skeleton = TestSkeleton(rules, within: budget)
        guard skeleton.hasTests else {
            throw EnvironmentFailure(
                message: "no test was written, because finding one takes too much work")
        }
        Terminal.putData(skeleton.text)
        if !budget.isAllDecided {
            Terminal.complain(
                "note: some popups may lack a test, because finding all takes too much work")
        }
    }

    private func run(_ workspace: Workspace, since started: ContinuousClock.Instant) throws {
        let style = color.style
        var options = try options()
        let threshold = try percentage()
        let findings = workspace.diagnostics
        do {
            try workspace.requireValid(findings, style: style, for: form)
        } catch {
            // C8: without this line the findings could pass for failed tests.
            let noTest = noTestRun(findings, in: workspace.sources)
            if format == .tap { Terminal.putData("TAP version 14\nBail out! \(noTest)\n") }
            Terminal.show("\(noTest)\n", to: stream)
            throw error
        }
        guard !workspace.tests.isEmpty else {
            throw EnvironmentFailure(
                message: "there is no test file (`*.test.yaml`) in \(paths.joined(separator: ", "))"
            )
        }
        try requireMatch(workspace, wanted: wanted, options: options)
        let report = try environment { try workspace.run(&options) }
        if format == .text { showWarnings(findings, in: workspace.sources, style: style) }
        show(report, of: workspace, style: style, since: started)
        let isEnough =
            try options.coverage.map {
                try showCoverage($0, of: workspace, least: threshold)
            } ?? true
        if report.failed > 0 || !isEnough { throw ExitCode(ExitStatus.findings) }
    }

    /// Shows what was seen of the rules; answers whether that is enough.
    private func showCoverage(
        _ seen: Coverage, of workspace: Workspace, least: CoverageReport.Percentage?
    ) throws -> Bool {
        let covered = CoverageReport(seen, of: workspace.ruleSets.compactMap(\.checked.value))
        try show(covered, of: workspace)
        guard let least, let threshold, !covered.total.reaches(least) else { return true }
        Terminal.complain(
            "poprules: the coverage is \(covered.total.text), below the threshold \(threshold) %")
        return false
    }

    /// Such as `no test was run: there are 2 errors in the rules`.
    private func noTestRun(_ findings: Diagnostics, in sources: SourceSet) -> String {
        let errors = findings.list.filter { $0.level == .error }
        let places = Set(errors.map { TestFile.isTestFile(sources[$0.range.file].path) })
        let place =
            places.count == 2
            ? "the rules and the tests" : places == [true] ? "the tests" : "the rules"
        let count = errors.count == 1 ? "is 1 error" : "are \(errors.count) errors"
        return "no test was run: there \(count) in \(place)"
    }

    private func options() throws -> TestOptions {
        var options = TestOptions()
        options.failsFast = failFast
        options.updatesSnapshots = update
        if coverage != nil || threshold != nil { options.coverage = Coverage() }
        options.pattern = try wanted.map(TestOptions.pattern)
        return options
    }

    private func percentage() throws -> CoverageReport.Percentage? {
        guard let threshold else { return nil }
        let meant = CommandIdioms.percentage(in: threshold).map { "write `--threshold \($0)`" }
        guard let percentage = CoverageReport.Percentage(threshold) else {
            throw UsageFailure(
                message: "`--threshold \(threshold)` is not a percentage such as 80 or 99.5"
                    + (meant.map { ": \($0)" } ?? ""))
        }
        // It is met by almost any tests, so a part of 1 is meant.
        if (1..<100).contains(percentage.hundredths), let meant {
            throw UsageFailure(
                message: "`--threshold \(threshold)` is less than one percent, because the"
                    + " threshold is a percentage: \(meant)")
        }
        return percentage
    }
}

// MARK: output

extension TestCommand {
    /// Indicates whether coverage is written to standard output, in a format that text would break.
    private var coverageTakesOutput: Bool {
        coverageOutput == "-" && coverage != nil && coverage != .text
    }

    private var form: ResultForm {
        coverageTakesOutput ? .other : ResultForm(format.rawValue)
    }

    /// The stream for readable text.
    private var stream: Terminal.Stream { form == .text ? .output : .error }

    private func show(
        _ report: TestReport, of workspace: Workspace, style: TextStyle,
        since started: ContinuousClock.Instant
    ) {
        var renderer = TextRenderer(sources: workspace.sources)
        switch format {
        case .text: show(report, in: workspace.sources, style: style, since: started)
        case .json: Terminal.putData(report.json(workspace.sources))
        case .junit: Terminal.putData(withoutCommandMarks(report.junit(&renderer), escape: .xml))
        case .tap: Terminal.putData(report.tap(&renderer))
        }
    }

    private func show(
        _ report: TestReport, in sources: SourceSet, style: TextStyle,
        since started: ContinuousClock.Instant
    ) {
        var renderer = TextRenderer(sources: sources, style: style)
        for file in report.files {
            for result in file.results where !(quiet && result.passed) {
                let verdict = TerminalLines.styled(
                    result.passed ? style.good("ok  ") : style.bad("FAIL"))
                Terminal.show(
                    "\(verdict)  \("\(file.path): \(result.name.value)")\n", to: stream)
                if result.passed { continue }
                let failures = TerminalLines.styled(
                    renderer.render(Diagnostics(result.failures)))
                Terminal.show("\n\(failures)", to: stream)
            }
        }
        guard !quiet else { return }
        let time = Clock.milliseconds(since: started)
        Terminal.show("\(report.summary) (\(time) ms)\n", to: stream)
    }

    /// Shows the warnings about the tests themselves; `validate` shows those about the rules.
    private func showWarnings(
        _ findings: Diagnostics, in sources: SourceSet, style: TextStyle
    ) {
        let own = findings.list.filter {
            $0.level == .warning && TestFile.isTestFile(sources[$0.range.file].path)
        }
        guard !own.isEmpty else { return }
        var renderer = TextRenderer(sources: sources, style: style)
        Terminal.show(.styled(renderer.render(Diagnostics(own))), to: stream)
    }

    private func show(_ report: CoverageReport, of workspace: Workspace) throws {
        guard let coverage else { return }
        var places = SourcePlaces(workspace.sources)
        let text =
            switch coverage {
            case .text: report.text(&places, isWhole: coverageAll)
            case .json: report.json(&places).pretty + "\n"
            case .lcov: report.lcov(&places)
            case .html: report.html(&places)
            }
        let path = coverageOutput ?? (coverage == .text ? nil : "coverage.\(coverage.rawValue)")
        guard let path else { return Terminal.show(.lines((quiet ? "" : "\n") + text)) }
        if path == "-" { return Terminal.putData(text) }
        try OutputFile.checkIsNone(of: workspace.sources, path)
        try OutputFile.write(text, to: path, kind: .result, force: replacing.force)
        Terminal.complain("coverage written to \(path)")
    }
}

extension TestCommand: RunsUntilStopped {
    var runsUntilStopped: Bool { watch }
}
