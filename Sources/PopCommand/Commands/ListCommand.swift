import ArgumentParser
internal import PopReports
import PopScheduler
import PopSource
import PopStories
import PopValidation

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the popups in the order of their priority.",
        usage: "poprules list [<options>] [<paths> ...]",
        discussion: """
            Example:
              poprules list rules --owner team-maps
              poprules list rules --resolved
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(
        help: ArgumentHelp("Rule files and folders.", valueName: "paths"), completion: .yamlFiles)
    var given = ["rules"]

    @OptionGroup var option: RulesOption

    /// The paths that were given in one way or another.
    var paths: [String] { option.paths(given) }

    @Option(help: "List only popups of this owner.")
    var owner: String?

    @Option(help: "List only popups with this tag.")
    var tag: String?

    @Flag(help: "Show the value of every key of each popup, including defaults.")
    var resolved = false

    @Option(name: .shortAndLong, help: "The output format.")
    var format = Format.text

    @Option(help: "When to use colors.")
    var color = ColourChoice.auto

    /// A name that no popup has is a mistake, and no list without entries.
    private func refuseUnknown(_ kind: String, named name: String?, among names: [String]) throws {
        guard let name, !names.contains(name) else { return }
        let known = Set(names).sorted()
        let rest =
            known.isEmpty
            ? "; the rules have no \(kind)s"
            : "; the rules have \(known.map { "`\($0)`" }.joined(separator: ", "))"
        throw UsageFailure(message: "no popup has the \(kind) `\(name)`" + rest)
    }

    func run() throws {
        let workspace = try Workspace(readable: paths)
        let rules = try workspace.validRules(
            style: color.style, for: ResultForm(format.rawValue))
        try refuseUnknown(
            "owner", named: owner, among: rules.popups.compactMap { $0.texts.owner })
        try refuseUnknown("tag", named: tag, among: rules.popups.flatMap { $0.texts.tags })
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
