import ArgumentParser
internal import PopReports
import PopScheduler
import PopSource
import PopStories

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the popups in the order in which they go first.",
        usage: "poprules list [<options>] [<paths> ...]",
        discussion: """
            Example:
              poprules list rules --owner team-maps
              poprules list rules --resolved
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(help: "Rule files and folders.", completion: .yamlFiles)
    var paths = ["rules"]

    @Option(help: "Only popups of this owner.")
    var owner: String?

    @Option(help: "Only popups with this tag.")
    var tag: String?

    @Flag(help: "What every key of each popup comes to, written or by default.")
    var resolved = false

    @Option(name: .shortAndLong, help: "How the list is printed.")
    var format = Format.text

    @Option(help: "Colour.")
    var color = ColourChoice.auto

    func run() throws {
        let workspace = try Workspace(readable: paths)
        let rules = try workspace.validRules(
            style: color.style, for: ResultForm(format.rawValue))
        let list = RuleList(rules) { popup in
            (owner == nil || popup.texts.owner == owner)
                && (tag.map(popup.texts.tags.contains) ?? true)
        }
        var places = SourcePlaces(workspace.sources)
        switch format {
        case .text:
            let text = resolved ? list.resolvedText(&places) : list.text(&places)
            Terminal.show(.lines(text))
        case .json: Terminal.putData(list.json(&places, isResolved: resolved))
        }
    }
}
