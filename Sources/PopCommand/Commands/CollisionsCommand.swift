import ArgumentParser
internal import PopAnalysis
internal import PopReports
import PopScheduler
import PopSource
import PopStories
import PopValidation

struct CollisionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "collisions",
        abstract: "Find popups that compete for the same users.",
        usage: "poprules collisions [<popups> ...] [<options>]",
        discussion: """
            Finds pairs of popups that the same user can get, and that affect each other:
            they have the same trigger and the same scheduler, or count toward the same
            cap, or their rollouts have the same `salt` and so select the same users.
            Plays a scenario for each pair, with and without the popup that shows first.

            Example:
              poprules collisions
              poprules collisions welcome paywall --story > meeting.test.yaml
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(
        help: ArgumentHelp(
            "One popup id: report only pairs with this popup. Several ids: report only pairs among"
                + " them. To name the rules, add their path here or use `--rules`.",
            valueName: "popups"),
        completion: .popups)
    var words: [String] = []

    @Option(help: "Rule files and folders.", completion: .yamlFiles)
    var rules = ["rules"]

    @Option(
        help: ArgumentHelp(
            "The time at which users start the app, such as 2026-11-20T09:00:00Z; by default"
                + " now."))
    var at: String?

    @Flag(help: "Print a test file that shows what happens to the two named popups.")
    var story = false

    @Option(name: .shortAndLong, help: "The output format.")
    var format = Format.text

    @Option(help: "When to use colors.")
    var color = ColourChoice.auto

    func run() throws {
        let given = PopupsAndRules(words, rules: rules)
        let popups = given.popups
        if story, popups.count != 2 {
            throw UsageFailure(message: "`--story` needs the ids of two popups")
        }
        let workspace = try Workspace(readable: given.rules)
        let set = try workspace.validRules(
            style: color.style, for: story ? .other : ResultForm(format.rawValue))
        let ids = set.popups.map(\.id)
        let chosen = try popups.map { name in
            guard let place = set.popups.firstPlace(where: { $0.id == name }) else {
                throw unknown("popup", name: name, among: ids)
            }
            return place
        }
        let limits = AnalysisLimits.ofCommand()
        let collisions = try Collisions(set, among: chosen, at: Clock.time(at), limits: limits)
        if !limits.budget.isAllDecided {
            Terminal.complain(
                "note: some pairs were not compared, because that takes too much work")
        }
        if story {
            guard let story = collisions.found.compactMap(\.story).first else {
                Terminal.complain("poprules: no conflict was found between the two popups")
                throw ExitCode(ExitStatus.findings)
            }
            return Terminal.putData(story.testFile)
        }
        switch format {
        case .text:
            // Salts and values may hold anything.
            Terminal.show(.lines(collisions.text(in: set)))
        case .json: Terminal.putData(collisions.json(in: set))
        }
    }
}
