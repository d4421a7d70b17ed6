import ArgumentParser
import Foundation
import PopRuleFiles
import PopScheduler
import PopSource
import PopTesting

extension Workspace {
    /// Reads what the command line names; a file that cannot be read ends the command.
    init(
        readable paths: [String], given: [String: [UInt8]] = [:],
        beside sources: SourceSet = SourceSet()
    ) throws {
        do {
            try self.init(paths, given: given, beside: sources, home: Project.home)
        } catch {
            throw EnvironmentFailure(message: error.description)
        }
    }

    /// The named rule set, or an end to the command with all findings printed.
    func validRules(style: TextStyle) throws -> RuleSet {
        guard let rules = main else { throw EnvironmentFailure(message: "there are no rules") }
        try requireValid(rules.checked.diagnostics, style: style)
        guard let value = rules.checked.value else { throw ExitCode(ExitStatus.findings) }
        return value
    }

    /// Ends the command when there are errors: what follows would be about rules that nobody has. What could be better
    /// in the rules is for `validate` to say.
    func requireValid(_ diagnostics: Diagnostics, style: TextStyle) throws {
        guard diagnostics.hasErrors else { return }
        var renderer = TextRenderer(sources: sources, style: style)
        Terminal.put(renderer.render(Diagnostics(diagnostics.list.filter { $0.level >= .warning })))
        throw ExitCode(ExitStatus.findings)
    }
}

/// Does something with files; what goes wrong is the environment's.
func environment<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch {
        throw EnvironmentFailure(message: error.localizedDescription)
    }
}
