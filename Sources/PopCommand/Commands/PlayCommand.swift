import ArgumentParser
import Dispatch
import PopRuleFiles
import PopScheduler
import PopSource
import PopStories

struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Try out rules in the terminal, in real time.",
        usage: "poprules play [<options>] [<rules>]",
        discussion: """
            Shows the popups that an app would show, and why the other popups wait. Press
            keys to change the context, send events, close popups and advance the clock.
            If you edit the rules, the changes take effect immediately. While the rules
            contain errors, the last valid rules stay in use.

            Example:
              poprules play rules
              poprules play rules --set user.plan=pro
            """)

    @Argument(help: "A rule file or folder.", completion: .yamlFiles)
    var rules = "rules"

    @OptionGroup var context: ContextOptions

    @Option(help: "When to use colors.")
    var color = ColourChoice.auto

    func run() throws {
        // Changes count from before the rules are read.
        let source = RuleSource(rules)
        let ruleSet = try Workspace(readable: [rules]).validRules(style: color.style)
        let values = try context.values(for: ruleSet.keys, style: color.style)
        let terminal = try RawTerminal()
        let (path, style) = (rules, color.style)
        Task { @MainActor in
            let session = PlaySession(
                rules: ruleSet, path: path, context: values, style: style, terminal: terminal)
            let status = await session.run(following: source) { Self.describe($0, path: path) }
            Self.exit(withError: ExitCode(status))
        }
        dispatchMain()
    }

    /// The first error of the rules and its place, in one line.
    private static func describe(_ error: any Error, path: String) -> String {
        guard error is Rejected, let workspace = try? Workspace(readable: [path]),
            let rules = workspace.main,
            let first = rules.checked.diagnostics.sorted.first(where: { $0.level == .error })
        else { return "\(error)".split(separator: "\n").first.map(String.init) ?? "" }
        var places = SourcePlaces(workspace.sources)
        return "\(places.text(of: first.range)): \(first.message)"
    }
}

extension PlayCommand: RunsUntilStopped {
    var runsUntilStopped: Bool { true }
}
