import ArgumentParser
import PopBacktest
internal import PopReports
import PopRuleFiles
import PopScheduler
import PopSource
import PopValidation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct BacktestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backtest",
        abstract: "Replay a log of user events against rules.",
        usage: "poprules backtest <rules> <log> ... [<options>]",
        discussion: """
            Reads logs in JSON lines, CSV or TSV, also compressed with gzip or zstd. The
            rows can be in any order. Replays the events of each user, and reports how
            often each popup would have shown, to how many users, and what blocked it.

            Example:
              poprules backtest rules events.jsonl.gz
              poprules backtest rules logs/*.csv --mapping shop.mapping.yaml
              poprules backtest rules events.jsonl --against released.popbundle
              duckdb -jsonlines -c "from 'e.parquet'" | poprules backtest rules -
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, csv, html

        /// Determines the format by the file extension; text if that is unknown.
        init(of path: String?) {
            let ending = path.flatMap { $0.split(separator: ".").last }.map { String($0) }
            self = ending.flatMap { Format(rawValue: $0.lowercased()) } ?? .text
        }
    }

    @Argument(help: "The rules: a folder, a file or a bundle.", completion: .yamlFiles)
    var rules: String

    @Argument(help: "Log files with user events, or - for standard input.", completion: .file())
    var logs: [String]

    @Option(
        help: "The mapping file, which defines what the rows of the log mean.",
        completion: .yamlFiles)
    var mapping: String?

    @Option(help: "The vendor that exported the log.")
    var preset: PresetChoice?

    @Option(
        help: "Old rules to compare with: also report which users gain or lose a popup.",
        completion: .yamlFiles)
    var against: String?

    @Option(
        name: .shortAndLong,
        help: "The format of the report; by default, the extension of the output file decides.")
    var format: Format?

    @Option(name: .shortAndLong, help: "The file to write.", completion: .file())
    var output: String?

    @OptionGroup var replacing: ReplacingOption

    @Option(help: "About how much memory the events may use, in MiB.")
    var memory = BacktestLimits.standard.memory >> 20

    @Option(help: "The number of threads; by default one per processor.")
    var jobs: Int?

    @Option(
        help: "A folder for saving progress, so that an interrupted run can continue.",
        completion: .directory)
    var checkpoint: String?

    @Option(help: "When to use colors.")
    var color = ColourChoice.auto

    func validate() throws {
        if mapping != nil, let preset {
            throw ValidationError(
                "--preset cannot be combined with --mapping: write"
                    + " `preset: \(preset.preset.rawValue)` in the mapping file")
        }
        let least = BacktestLimits.standard.leastMemory >> 20
        if memory < least { throw ValidationError("--memory must be at least \(least)") }
        let most = BacktestLimits.standard.mostMemory >> 20
        if memory > most { throw ValidationError("--memory must be at most \(most)") }
        if let jobs, !(1...256).contains(jobs) {
            throw ValidationError("--jobs must be from 1 to 256")
        }
        if checkpoint != nil, logs.contains("-") {
            throw ValidationError("--checkpoint cannot be used with standard input")
        }
        if logs.isEmpty { throw ValidationError("add an event file, or - for standard input") }
    }

    func run() throws {
        if let message = CommandIdioms.logAsRules(
            rules, logs: logs,
            isFolder: { FileOwner($0, followingLinks: true)?.isFolder == true })
        {
            throw UsageFailure(message: message)
        }
        try checkLogsAreNamedOnce()
        if let output {
            let inputs = logs + [rules, mapping, against].compactMap { $0 }
            try OutputFile.checkIsNone(of: inputs, output)
            if !replacing.force { try OutputFile.checkMayReplace(output, by: .result) }
        }
        let newRules = try RuleSet.read(rules, style: color.style, for: form)
        let oldRules = try against.map { try RuleSet.read($0, style: color.style, for: form) }
        let mapping = try readMapping(for: [newRules] + (oldRules.map { [$0] } ?? []))
        var backtest = Backtest(newRules, mapping: mapping, logs: logs)
        backtest.old = oldRules
        backtest.memory = memory << 20
        backtest.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
        backtest.checkpoint = checkpoint
        ProcessGuard.shared.allow(memory: backtest.memory)
        let meter = BacktestMeter()
        let isPiped = logs.contains("-")
        backtest.onProgress = { step in
            meter.note(step)
            if isPiped {
                ProcessGuard.shared.countInput(bytes: step.events * Self.leastBytesOfEvent)
            }
        }
        let report: BacktestReport
        do throws(BacktestError) {
            report = try backtest.run()
        } catch {
            meter.end()
            if case .undecided = error {
                Terminal.complain("poprules: \(error.description)")
                throw ExitCode(ExitStatus.inconclusive)
            }
            throw EnvironmentFailure(message: error.description)
        }
        meter.end()
        let text = written(report)
        guard let output else {
            return form == .text ? Terminal.show(.lines(text)) : Terminal.putData(text)
        }
        try OutputFile.write(text, to: output, kind: .result, force: replacing.force)
    }

    /// The least length of an event in a log, about, in bytes.
    private static let leastBytesOfEvent = 40

    /// Each of its events would count twice.
    private func checkLogsAreNamedOnce() throws {
        for (place, log) in logs.enumerated() {
            let isSame = { (other: String) in
                other == log || FileIdentity(other).map { $0 == FileIdentity(log) } ?? false
            }
            guard let other = logs[..<place].first(where: isSame) else { continue }
            throw UsageFailure(
                message: other == log
                    ? "`\(log)` is given twice" : "`\(other)` and `\(log)` are the same file")
        }
    }

    private var form: ResultForm { ResultForm((format ?? Format(of: output)).rawValue) }

    private func written(_ report: BacktestReport) -> String {
        switch format ?? Format(of: output) {
        case .text: report.text
        case .json: report.json
        case .csv: report.csv
        case .html: report.html
        }
    }

    private func readMapping(for rules: [RuleSet]) throws -> MappingFile {
        guard let mapping else {
            return preset.map { MappingFile.preset($0.preset) } ?? MappingFile()
        }
        let bytes: [UInt8]
        do {
            bytes = try RuleFiles.bytes(of: mapping)
        } catch {
            throw EnvironmentFailure(message: error.description)
        }
        var sources = SourceSet()
        let file = sources.add(path: mapping, bytes: bytes)
        let checked = MappingFile.parse(file, for: rules)
        if checked.diagnostics.hasErrors {
            form.show(checked.diagnostics, in: sources, style: color.style)
            throw ExitCode(ExitStatus.findings)
        }
        return checked.value ?? MappingFile()
    }
}

/// The name of a vendor.
struct PresetChoice: ExpressibleByArgument {
    let preset: LogPreset

    init?(argument: String) {
        guard let preset = LogPreset(rawValue: argument) else { return nil }
        self.preset = preset
    }

    static var allValueStrings: [String] { LogPreset.allCases.map { $0.rawValue } }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// A line of a terminal with the progress of a backtest and the remaining time.
private final class BacktestMeter: Sendable {
    private struct State {
        var progress = Progress()
        var stage = BacktestProgress.Stage.reading
        var began = ContinuousClock.now
    }

    private let state = LockedValue(State())

    func note(_ step: BacktestProgress) {
        state.withLock { state in
            if state.stage != step.stage {
                state.stage = step.stage
                state.began = ContinuousClock.now
            }
            state.progress.say(Self.text(step, since: state.began))
        }
    }

    func end() { state.withLock { $0.progress.end() } }

    private static func text(
        _ step: BacktestProgress, since began: ContinuousClock.Instant
    ) -> String {
        let time = began.duration(to: .now)
        let seconds = max(Double(time.components.seconds), 1)
        let verb = step.stage == .reading ? "reading" : "replaying"
        let rate = Int(Double(step.events) / seconds / 1_000)
        var text = "\(verb): \(step.events) events, \(rate),000 per second"
        if let share = step.share, share > 0 {
            let left = Int(seconds * (1 - share) / share)
            text += ", \(Int(share * 100)) %, \(left) s left"
        }
        return text
    }
}
