import ArgumentParser
internal import PopReports
import PopRuleFiles
import PopScheduler
import PopSource
import PopStories
import PopValidation

extension Workspace {
    /// Reads what the command line names as one rule set; what is not there ends the command.
    init(readable paths: [String]) throws {
        try Self.refuseEmpty(paths)
        try self.init(readable: [FileGroup(paths)])
    }

    /// Reads what the command line names, each folder as a rule set of its own, as a test file sees
    /// it.
    init(eachOf paths: [String]) throws {
        try Self.refuseEmpty(paths)
        try self.init(readable: FileGroup.each(of: paths.map(normalised)))
    }

    /// The named rule set, or an end to the command with all findings printed.
    func validRules(style: TextStyle) throws -> RuleSet {
        guard let rules = main else { throw EnvironmentFailure(message: "there are no rules") }
        try requireValid(rules.checked.diagnostics, style: style)
        guard let value = rules.checked.value else { throw ExitCode(ExitStatus.findings) }
        return value
    }

    /// Ends the command when there are errors: what follows would be about rules that nobody has.
    /// What could be better in the rules is for `validate` to say.
    func requireValid(_ diagnostics: Diagnostics, style: TextStyle) throws {
        guard diagnostics.hasErrors else { return }
        var renderer = TextRenderer(sources: sources, style: style)
        let grave = Diagnostics(diagnostics.list.filter { $0.level >= .warning })
        Terminal.put(renderer.render(grave.atMost(.standard)))
        throw ExitCode(ExitStatus.findings)
    }
}

/// Does something with files; what goes wrong is the environment's.
func environment<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch {
        throw EnvironmentFailure(message: "\(error)")
    }
}
