import ArgumentParser
internal import PopAdvice
import PopCEL
import PopExplanations
internal import PopReports
import PopRuleFiles
import PopScheduler
import PopSource
import PopStories
import PopValidation

struct EvalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eval",
        abstract: "Evaluate an expression.",
        usage: "poprules eval [<options>] <expression>",
        discussion: """
            The expression may use `now`, and the names that --context and --set set. With
            --rules, it may also use all names that conditions in these rules may use.

            Example:
              poprules eval '1 + 2'
              poprules eval -- '-1 + 2'
              poprules eval 'user.launches > 3 && plan == "pro"' \\
                --set user.launches=5 --set plan=pro --explain
              poprules eval 'newcomer && now.getHours() < 12' --rules rules
            """)

    @Argument(help: "A CEL expression, such as 'user.launches > 3'.")
    var expression: String

    @OptionGroup var context: ContextOptions

    @Option(help: "Rule files and folders.", completion: .yamlFiles)
    var rules: [String] = []

    @OptionGroup var past: HistoryOption

    @Option(help: "The value of `now`, such as 2026-11-20T09:00:00Z; by default the current time.")
    var at: String?

    @Flag(help: "Print each part of the expression with its value.")
    var explain = false

    @Option(help: "When to use colors.")
    var color = ColourChoice.auto

    /// Returns a hint if an expression that begins with `-` was mistaken for options; nil
    /// otherwise.
    static func hint(for arguments: [String]) -> String? {
        let words = arguments.dropFirst()
        guard words.first == configuration.commandName, !words.contains("--"),
            let expression = words.dropFirst().first(where: { word in
                word.first == "-"
                    && word.dropFirst().first.map { !$0.isLetter && $0 != "-" } ?? false
            })
        else { return nil }
        return "\nPut `--` before an expression that starts with `-`:"
            + " poprules eval -- \(expression.singleQuotedForShell)"
    }

    func run() throws {
        let style = color.style
        let evaluation =
            try rules.isEmpty ? evaluationOfNames(style) : evaluationInRules(style)
        if explain { for row in evaluation.tree { Terminal.say("\(row)") } }
        do {
            let value = try evaluation.value.get()
            if !explain {
                Terminal.say("\(value.text(atMost: PrintLimits.wholeValue))")
            }
        } catch {
            var renderer = TextRenderer(sources: evaluation.sources, style: style)
            Terminal.show(
                .styled(renderer.render(.evaluationFailed(error, in: evaluation.file))))
            throw ExitCode(ExitStatus.findings)
        }
    }

    /// The result of the expression, and its place.
    private struct Evaluated {
        var value: Result<Value, EvaluationError>
        var tree: [String]
        var sources: SourceSet
        var file: SourceFile
    }

    /// With the names that `--context` and `--set` give values to, and `now`.
    private func evaluationOfNames(_ style: TextStyle) throws -> Evaluated {
        guard past.history == nil else {
            throw UsageFailure(message: "`--history` needs `--rules`")
        }
        var values = try context.values(style: style)
        if values["now"] == nil { values["now"] = .timestamp(try Clock.time(at)) }
        var sources = SourceSet()
        let file = sources.add(path: "expression", bytes: Array(expression.utf8))
        let evaluation = try usable(
            Evaluation.of(file, values: values), in: sources, style: style)
        return Evaluated(
            value: evaluation.value, tree: evaluation.tree, sources: sources, file: file)
    }

    /// C11: with everything that the conditions of the rules may name.
    private func evaluationInRules(_ style: TextStyle) throws -> Evaluated {
        var workspace = try Workspace(readable: rules)
        _ = try workspace.validRules(style: style)
        guard let model = workspace.main?.model else { throw ExitCode(ExitStatus.findings) }
        let file = workspace.add(path: "expression", bytes: Array(expression.utf8))
        let compiled = parsed(in: file).then { RuleSet.compile(model, with: $0) }
        let (rules, program) = try usable(compiled, in: workspace.sources, style: style)
        var question = ExplainQuery(
            rules: rules, start: try Clock.time(at), budget: .ofCommand())
        question.context = try context.values(for: rules.keys, style: style)
        question.history = try past.read(rules, start: question.start, style: style)
        let evaluated = question.played().situation.evaluated(program)
        return Evaluated(
            value: evaluated.value, tree: evaluated.tree,
            sources: workspace.sources, file: file)
    }

    private func parsed(in file: SourceFile) -> Checked<Expression> {
        Expression.parse(
            expression, map: TextMap(file: file.id, offset: 0, length: file.bytes.count),
            advice: .full)
    }

    /// Returns the compiled value; diagnostics that are errors end the command.
    private func usable<Compiled>(
        _ compiled: Checked<Compiled>, in sources: SourceSet, style: TextStyle
    ) throws -> Compiled {
        if let value = compiled.value, !compiled.diagnostics.hasErrors { return value }
        var findings = compiled.diagnostics.list.filter { $0.level == .error }
        if rules.isEmpty {
            for index in findings.indices where findings[index].check == .conditionUnknownKey {
                findings[index].help += [
                    "use `--set NAME=VALUE` to set a value, or `--rules FOLDER` to use the names of"
                        + " rules"
                ]
            }
        }
        var renderer = TextRenderer(sources: sources, style: style)
        Terminal.show(.styled(renderer.render(Diagnostics(findings))))
        throw ExitCode(ExitStatus.findings)
    }
}

extension Diagnostic {
    fileprivate static func evaluationFailed(_ error: EvaluationError, in file: SourceFile) -> Self
    {
        var diagnostic = Diagnostic(
            .conditionMayError, message: "the expression cannot be evaluated: \(error.message)",
            at: error.range ?? file.range, label: "cannot be evaluated")
        diagnostic.level = .error
        return diagnostic
    }
}
