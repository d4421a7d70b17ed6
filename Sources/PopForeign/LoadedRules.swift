internal import PopAdvice
internal import PopAnalysis
internal import PopCEL
internal import PopExplanations
internal import PopReplay
internal import PopReports
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopStories
internal import PopValidation
internal import PopWire

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Rules, and the files that they are from.
struct LoadedRules: Sendable {
    let rules: RuleSet
    /// The model of rules that are from files.
    private(set) var model: RuleModel?
    private(set) var sources = SourceSet()

    init(bundle: [UInt8]) throws(ForeignError) {
        do {
            rules = try RuleSet(bundle: bundle)
        } catch {
            throw .unreadable(error.description)
        }
    }

    /// Reads a file or a folder; with what was found that keeps nothing from being used.
    static func read(_ path: String) throws(ForeignError) -> (rules: LoadedRules, findings: String)
    {
        let sources: SourceSet
        do {
            sources = try RuleFiles.read(path)
        } catch {
            throw .unreadable(error.description)
        }
        let model = RuleModel.check(sources)
        let checked = model.then { RuleSet.compile($0) }
        let findings = findingsText(
            checked.diagnostics.withoutRepeats, in: sources,
            popups: checked.value?.popups.count ?? 0)
        guard let rules = checked.value, !checked.diagnostics.hasErrors else {
            throw .findings(findings)
        }
        return (LoadedRules(rules: rules, model: model.value, sources: sources), findings)
    }

    private init(rules: RuleSet, model: RuleModel?, sources: SourceSet) {
        self.rules = rules
        self.model = model
        self.sources = sources
    }

    /// The names of what they have, as JSON.
    var description: [UInt8] {
        func names(_ names: [String]) -> JSON { .array(names.map { .string($0) }) }
        let json = JSON.object([
            "popups": names(rules.popups.map(\.id)), "events": names(rules.events.map(\.name)),
            "keys": names(rules.keys.map(\.name)),
            "schedulers": names(rules.schedulers.map(\.name)),
        ])
        return Array((json.compact + "\n").utf8)
    }
}

/// Findings as `validate --format json` prints them.
func findingsText(_ diagnostics: Diagnostics, in sources: SourceSet, popups: Int) -> String {
    let summary = Summary(popups: popups, files: sources.files.count, diagnostics: diagnostics)
    let report = Report(diagnostics.atMost(.standard), sources: sources, summary: summary)
    return ReportFormat.json.renderer().render(report)
}

// The reports of the `poprules` commands with the same names.

/// Returns the report of `validate` on a file or a folder, with errors or without.
func check(_ path: String) throws(ForeignError) -> String {
    do {
        let outcome = try Validation(arguments: [path], now: now).look()
        let report = Report(
            outcome.diagnostics.atMost(.standard), sources: outcome.sources,
            summary: outcome.summary)
        return ReportFormat.json.renderer().render(report)
    } catch {
        throw .unreadable(words(of: error))
    }
}

/// Returns the changes from rules to others: `format` is one of `diff`.
func difference(
    from before: RuleSet, to after: RuleSet, format: String
) throws(ForeignError) -> String {
    let changes = RuleChanges(from: before, to: after, limits: .ofCommand())
    switch format {
    case "json": return changes.json.pretty + "\n"
    case "text":
        let lines = changes.text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { escapedForTerminal(String($0)) }.joined(separator: "\n")
    case "markdown": return changes.markdown
    case "html": return changes.html
    default: throw .invalidArgument("`\(format)` is not a format: use json, text, markdown or html")
    }
}

/// Plays the tests of a file and returns the results; `text` replaces the content on the disk.
func stories(of path: String, text: String?) throws(ForeignError) -> String {
    guard TestFile.isTestFile(path) else {
        throw .invalidArgument("`\(path)` is not a test file: its name must end with .test.yaml")
    }
    let path = normalised(path)
    let workspace: Workspace
    do {
        workspace = try Workspace([path], given: text.map { [path: Array($0.utf8)] } ?? [:])
    } catch {
        throw .unreadable(error.description)
    }
    let found = workspace.diagnostics
    if found.hasErrors {
        throw .findings(
            findingsText(found, in: workspace.sources, popups: workspace.popupCount))
    }
    let stories = workspace.played().map { json(of: $0, in: workspace.sources) }
    return JSON.object(["stories": .array(stories)]).compact + "\n"
}

private func json(of played: PlayedStory, in sources: SourceSet) -> JSON {
    let failures = Diagnostics(played.failures)
    let report = Report(
        failures, sources: sources,
        summary: Summary(popups: 0, files: sources.files.count, diagnostics: failures))
    return .object([
        "title": .string(played.story.title),
        "log": .array(played.log.map { $0.json(test: played.story.title) }),
        "failures": .array(report.findings.map { JSONRenderer.json($0, in: report) }),
        "timeline": .string(Timeline.draw(played.story)),
        "svg": .string(TimelinePicture.draw(played.story)),
    ])
}

/// Returns the result of an expression. With rules, it may use all names that their conditions may;
/// without, the names to which the context gives values.
func evaluation(
    of expression: String, context: String, at time: String?, in loaded: LoadedRules?
) throws(ForeignError) -> String {
    guard let date = time.map({ Timestamp(parsing: $0) }) ?? now else {
        throw .invalidArgument("`\(time ?? "")` is not a time such as 2026-11-20T09:00:00Z")
    }
    let (value, parts) =
        if let loaded {
            try evaluated(expression, context: context, at: date, in: loaded)
        } else {
            try evaluated(expression, context: context, at: date)
        }
    do {
        let value = try value.get()
        guard case .object(let members) = wireValues(["value": value.withoutTypes]) else {
            return ""
        }
        let more: [JSON.Member] = [
            JSON.Member(key: "text", value: .string(value.text(atMost: PrintLimits.wholeValue))),
            JSON.Member(key: "parts", value: .array(parts.map { .string($0) })),
        ]
        return JSON.object(members + more).compact + "\n"
    } catch {
        throw .noValue("the expression cannot be evaluated: \(error.message)")
    }
}

extension Value {
    /// The value with a string for each type and optional in it, which JSON can't express.
    fileprivate var withoutTypes: Value {
        switch self {
        case .type, .optional: .string(text(atMost: PrintLimits.wholeValue))
        case .list(let items): .list(items.map(\.withoutTypes))
        case .map(let map):
            .map(ValueMap(map.map { (key: $0.key, value: $0.value.withoutTypes) }))
        case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .version:
            self
        }
    }
}

private typealias Evaluated = (value: Result<Value, EvaluationError>, parts: [String])

private func evaluated(
    _ expression: String, context: String, at date: Timestamp
) throws(ForeignError) -> Evaluated {
    var sources = SourceSet()
    let file = sources.add(path: "context", bytes: Array(context.utf8))
    var values = try usable(ContextFile.parse(file), in: sources)
    if values["now"] == nil { values["now"] = .timestamp(date) }
    let expression = sources.add(path: "expression", bytes: Array(expression.utf8))
    let evaluation = try usable(Evaluation.of(expression, values: values), in: sources)
    return (evaluation.value, evaluation.tree)
}

private func evaluated(
    _ expression: String, context: String, at date: Timestamp, in loaded: LoadedRules
) throws(ForeignError) -> Evaluated {
    guard let model = loaded.model else {
        throw .invalidArgument(
            "these rules are from a bundle, which lacks the names that conditions may use: load the"
                + " rules from files")
    }
    var sources = loaded.sources
    let given = sources.add(path: "context", bytes: Array(context.utf8))
    let file = sources.add(path: "expression", bytes: Array(expression.utf8))
    let map = TextMap(file: file.id, offset: 0, length: file.bytes.count)
    let parsed = Expression.parse(expression, map: map, advice: .full)
    let compiled = parsed.then { RuleSet.compile(model, with: $0) }
    let (rules, program) = try usable(compiled, in: sources)
    var question = ExplainQuery(rules: rules, start: date, budget: .ofCommand())
    question.context = try usable(ContextFile.parse(given, keys: rules.keys), in: sources)
    let answer = question.played().situation.evaluated(program)
    return (answer.value, answer.tree)
}

/// A value without errors.
private func usable<Value>(
    _ checked: Checked<Value>, in sources: SourceSet
) throws(ForeignError) -> Value {
    guard let value = checked.value, !checked.diagnostics.hasErrors else {
        let errors = Diagnostics(checked.diagnostics.list.filter { $0.level == .error })
        throw .findings(findingsText(errors, in: sources, popups: 0))
    }
    return value
}

/// The current time, to the second, as in the commands.
private var now: Timestamp {
    Timestamp(seconds: Int64(Date().timeIntervalSince1970.rounded(.down)))
}

/// Returns the message of an error of the environment.
private func words(of error: any Error) -> String {
    switch error {
    case let error as EnvironmentFailure: error.message
    case let error as UsageFailure: error.message
    default: "\(error)"
    }
}
