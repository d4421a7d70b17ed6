import ArgumentParser
import PopAnalysis
internal import PopReports
import PopRuleFiles
import PopScheduler
import PopSource
import PopStories

struct AudienceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audience",
        abstract: "Show which users may see each popup.",
        usage: "poprules audience [<popups> ...] [<options>]",
        discussion: """
            For each popup, shows its triggers and which users its conditions select,
            with an example of a user who may see it, and of a similar user who may not.
            Without popup ids, shows all popups.

            Example:
              poprules audience welcome
              poprules audience --rules rules --format json
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(
        help: ArgumentHelp(
            "Ids of popups. To name the rules, add their path here or use `--rules`.",
            valueName: "popups"),
        completion: .popups)
    var words: [String] = []

    @Option(help: "Rule files and folders.", completion: .yamlFiles)
    var rules = ["rules"]

    @Option(name: .shortAndLong, help: "The output format.")
    var format = Format.text

    @Option(help: "When to use colors.")
    var color = ColourChoice.auto

    func run() throws {
        let given = PopupsAndRules(words, rules: rules)
        let popups = given.popups
        let workspace = try Workspace(readable: given.rules)
        let rules = try workspace.validRules(
            style: color.style, for: ResultForm(format.rawValue))
        let ids = rules.popups.map { $0.id }
        var places: [PopupIndex] = []
        for name in popups {
            guard let place = ids.firstIndex(of: name) else {
                throw unknown("popup", name: name, among: ids)
            }
            places.append(PopupIndex(place))
        }
        if popups.isEmpty { places = Array(rules.popups.places) }
        let limits = AnalysisLimits.ofCommand()
        let audiences = Audience.all(of: places, in: rules, limits: limits)
        switch format {
        case .text: Terminal.show(.lines(audiences.map { $0.text }.joined(separator: "\n")))
        case .json:
            Terminal.putData(
                JSON.object([
                    "schemaVersion": .int(JSONRenderer.schemaVersion),
                    "popups": .array(audiences.map { $0.json }),
                ]))
        }
        if !limits.budget.isAllDecided {
            Terminal.complain(
                "note: for some of these popups, the users were not determined, because their"
                    + " conditions take too much work")
        }
    }
}
