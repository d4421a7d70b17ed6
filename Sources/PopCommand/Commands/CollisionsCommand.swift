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
        abstract: "Find popups that compete with each other.",
        usage: "poprules collisions [<popups> ...] [<options>]",
        discussion: """
            Looks for pairs that one user meets: with one trigger on one scheduler,
            under one cap, or with one salt. Each pair was tried on the scheduler, with
            the popup that has priority and without it.

            Example:
              poprules collisions
              poprules collisions welcome paywall --story > meeting.test.yaml
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(
        help: ArgumentHelp(
            "Report only pairs with this popup, or pairs among several popups. Paths of rules"
                + " count as `--rules`.", valueName: "popups"),
        completion: .popups)
    var words: [String] = []

    @Option(help: "Rule files and folders.", completion: .yamlFiles)
    var rules = ["rules"]

    @Option(
        help: "The time from which users meet the popups, by RFC 3339; by default now.")
    var at: String?

    @Flag(help: "Print a test file that shows what happens to the two named popups.")
    var story = false

    @Option(name: .shortAndLong, help: "The format of the pairs.")
    var format = Format.text

    @Option(help: "Colors.")
    var color = ColourChoice.auto

    func run() throws {
        let given = PopupsAndRules(words, rules: rules)
        let popups = given.popups
        if story, popups.count != 2 {
            throw UsageFailure(message: "`--story` needs the names of two popups")
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
                "note: some pairs were not compared, since that takes too much work")
        }
        if story {
            guard let story = collisions.found.compactMap(\.story).first else {
                Terminal.complain("poprules: nothing was seen to happen between the two")
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
