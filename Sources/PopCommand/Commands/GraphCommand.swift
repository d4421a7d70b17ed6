import ArgumentParser
internal import PopReports
import PopScheduler
import PopSource
import PopStories

struct GraphCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Draw which popups depend on which other popups.",
        discussion: """
            Example:
              poprules graph rules
              poprules graph rules --format svg > rules.svg
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, svg, mermaid, dot
    }

    @Argument(
        help: ArgumentHelp("Rule files and folders.", valueName: "paths"), completion: .yamlFiles)
    var given = ["rules"]

    @OptionGroup var option: RulesOption

    /// The paths that were given in one way or another.
    var paths: [String] { option.paths(given) }

    @Option(name: .shortAndLong, help: "The output format.")
    var format = Format.text

    @Option(help: "When to use colors.")
    var color = ColourChoice.auto

    func run() throws {
        let workspace = try Workspace(readable: paths)
        let graph = RuleGraph(
            try workspace.validRules(
                style: color.style, for: ResultForm(format.rawValue)))
        switch format {
        case .text: Terminal.show(.lines(graph.text))
        case .svg: Terminal.putData(graph.svg)
        case .mermaid: Terminal.putData(graph.mermaid)
        case .dot: Terminal.putData(graph.dot)
        }
    }
}
