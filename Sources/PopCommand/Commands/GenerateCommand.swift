import ArgumentParser
internal import PopReports
import PopScheduler
import PopSource
import PopStories
import PopValidation

struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generate Swift types from rules.",
        discussion: """
            Example:
              poprules generate swift rules -o Sources/App/Rules.swift
            """,
        subcommands: [GenerateSwiftCommand.self])
}

struct GenerateSwiftCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swift",
        abstract: "Generate Swift types for context keys, events, popups and contents.",
        usage: "poprules generate swift [<options>] [<rules> ...]",
        discussion: """
            If you use these types instead of strings, the compiler finds wrong names.

            Example:
              poprules generate swift rules -o Sources/App/Rules.swift
            """)

    @Argument(
        help: ArgumentHelp("Rule files and folders.", valueName: "rules"), completion: .yamlFiles)
    var given = ["rules"]

    @OptionGroup var option: RulesOption

    /// The paths that were given in one way or another.
    var rules: [String] { option.paths(given) }

    @Option(name: .shortAndLong, help: "The file to write, or - for standard output.")
    var output = "-"

    @OptionGroup var replacing: ReplacingOption

    @Option(help: "When to use colors.")
    var color = ColourChoice.auto

    func run() throws {
        if output == "-",
            let message = CommandIdioms.output(
                among: rules, ending: ".swift", of: "generate swift", isFile: leadsSomewhere)
        {
            throw UsageFailure(message: message)
        }
        let workspace = try Workspace(readable: rules)
        let ruleSet = try workspace.validRules(style: color.style, for: .other)
        guard let model = workspace.main?.model else { return }
        try OutputFile.checkIsNone(of: workspace.sources, output)
        do {
            let code = try SwiftCode(ruleSet, model: model)
            try OutputFile.write(code.text, to: output, kind: .swift, force: replacing.force)
            OutputFile.sayWritten(output, details: "")
        } catch let clash as SwiftNameClash {
            Terminal.complain(
                "poprules: `\(clash.first)` and `\(clash.second)` (\(clash.kind)) would both"
                    + " become `\(clash.name)` in Swift: rename one of them")
            throw ExitCode(ExitStatus.findings)
        }
    }
}
