import ArgumentParser
import PopEngine
import PopScheduler
import PopStories
import PopValidation
import PopWire

struct CompileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile",
        abstract: "Compile rules to one file that apps load.",
        usage: "poprules compile [<options>] [<rules> ...]",
        discussion: """
            An app loads the file with `RuleSet(bundle:)`. The file works exactly like the
            rule files.

            Example:
              poprules compile rules -o rules.popbundle
            """)

    @Argument(
        help: ArgumentHelp("Rule files and folders.", valueName: "rules"), completion: .yamlFiles)
    var given = ["rules"]

    @OptionGroup var option: RulesOption

    /// The paths that were given in one way or another.
    var rules: [String] { option.paths(given) }

    @Option(name: .shortAndLong, help: "The file to write, or - for standard output.")
    var output = "rules.popbundle"

    @OptionGroup var replacing: ReplacingOption

    @Option(help: "When to use colors.")
    var color = ColourChoice.auto

    func run() throws {
        if output == "rules.popbundle",
            let message = CommandIdioms.output(
                among: rules, ending: ".popbundle", of: "compile", isFile: leadsSomewhere)
        {
            throw UsageFailure(message: message)
        }
        let workspace = try Workspace(readable: rules)
        let ruleSet = try workspace.validRules(style: color.style, for: .other)
        try OutputFile.checkIsNone(of: workspace.sources, output)
        let bundle = ruleSet.bundle()
        try OutputFile.write(bundle, to: output, kind: .bundle, force: replacing.force)
        OutputFile.sayWritten(
            output,
            details: ": \(ruleSet.popups.count) popup\(ruleSet.popups.count == 1 ? "" : "s"),"
                + " \(bundle.count) bytes")
    }
}
