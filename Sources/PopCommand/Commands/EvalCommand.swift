import ArgumentParser
import PopCEL
import PopSource
import PopTesting

struct EvalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eval",
        abstract: "Evaluate an expression.",
        usage: "poprules eval [<options>] <expression>",
        discussion: """
            Names are those that --context and --set give values to.

            Example:
              poprules eval '1 + 2'
              poprules eval -- '-1 + 2'
              poprules eval 'user.launches > 3 && plan == "pro"' \\
                --set user.launches=5 --set plan=pro --explain
            """)

    @Argument(help: "An expression in CEL.")
    var expression: String

    @OptionGroup var context: ContextOptions

    @Flag(help: "Print each part of the expression with its value.")
    var explain = false

    @Option(help: "Colour.")
    var color = ColourChoice.auto

    /// What to do when an expression that begins with `-` was taken for options; nil otherwise.
    static func hint(for arguments: [String]) -> String? {
        let words = arguments.dropFirst()
        guard words.first == configuration.commandName, !words.contains("--"),
            let expression = words.dropFirst().first(where: { word in
                word.first == "-"
                    && word.dropFirst().first.map { !$0.isLetter && $0 != "-" } ?? false
            })
        else { return nil }
        return "\nAn expression that begins with `-` stands behind `--`:"
            + " poprules eval -- '\(expression)'"
    }

    func run() throws {
        let style = color.style
        let values = try context.values(style: style)
        var sources = SourceSet()
        let file = sources.add(path: "expression", bytes: Array(expression.utf8))
        let map = TextMap(file: file.id, offset: 0, length: file.bytes.count)
        var environment = Environment.ofRules()
        for (name, value) in values { environment.declare(Variable(name, type: value.type)) }
        var table = SlotTable()
        let compiled = environment.compile(expression, map: map, slots: &table)
        var renderer = TextRenderer(sources: sources, style: style)
        guard let program = compiled.value, !compiled.diagnostics.hasErrors else {
            Terminal.put(renderer.render(compiled.diagnostics))
            throw ExitCode(ExitStatus.findings)
        }
        var slots = SlotValues(count: table.entries.count)
        for (slot, entry) in table.entries.enumerated() {
            if case .variable(let name) = entry, let value = values[name] {
                slots[slot] = .value(value)
            }
        }
        if explain {
            for row in program.explain(slots).tree { Terminal.say(escapedForTerminal(row)) }
        }
        do {
            let value = try program.evaluate(slots)
            if !explain { Terminal.say(escapedForTerminal(value.description)) }
        } catch {
            Terminal.put(renderer.render(.evaluationFailed(error, in: file)))
            throw ExitCode(ExitStatus.findings)
        }
    }
}

extension Diagnostic {
    fileprivate static func evaluationFailed(_ error: EvaluationError, in file: SourceFile) -> Self
    {
        var diagnostic = Diagnostic(
            .conditionMayError, "the expression cannot be evaluated: \(error.message)",
            at: error.range ?? file.range, label: "this part")
        diagnostic.level = .error
        return diagnostic
    }
}
