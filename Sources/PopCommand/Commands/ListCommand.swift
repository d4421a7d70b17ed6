import ArgumentParser
import PopScheduler
import PopSource
import PopTesting

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the popups in the order in which they go first.",
        discussion: """
            Example:
              poprules list rules --owner team-maps
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(help: "Rule files and folders.")
    var paths = ["rules"]

    @Option(help: "Only popups of this owner.")
    var owner: String?

    @Option(help: "Only popups with this tag.")
    var tag: String?

    @Option(name: .shortAndLong, help: "How the list is printed.")
    var format = Format.text

    @Option(help: "Colour: auto, always or never.")
    var color = ColourChoice.auto

    func run() throws {
        let workspace = try Workspace(readable: paths)
        let rules = try workspace.validRules(style: color.style)
        let list = RuleList(rules) { popup in
            (owner == nil || popup.owner == owner) && (tag.map(popup.tags.contains) ?? true)
        }
        var places = SourcePlaces(workspace.sources)
        switch format {
        case .text: Terminal.put(list.text(&places))
        case .json: Terminal.say(list.json(&places).pretty)
        }
    }
}
