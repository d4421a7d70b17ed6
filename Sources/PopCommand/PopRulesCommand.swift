import ArgumentParser
internal import PopReports
import PopRuleFiles
import PopSource
import PopValidation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The executable `poprules`.
@main
struct PopRulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poprules",
        abstract: "Validate, test and explain rules for in-app popups.",
        discussion: """
            Example:
              poprules init            create a starter folder with examples
              poprules validate rules  check the rules
              poprules test rules      run the tests
            """,
        version: Product.version,
        subcommands: [
            ValidateCommand.self, TestCommand.self, SimulateCommand.self, PlayCommand.self,
            ExplainCommand.self, AudienceCommand.self, DiffCommand.self, CollisionsCommand.self,
            BacktestCommand.self, PageCommand.self, ListCommand.self, GraphCommand.self,
            EvalCommand.self,
            CompileCommand.self, GenerateCommand.self, BundleCommand.self, FormatCommand.self,
            SchemaCommand.self,
            InitCommand.self, LanguageServerCommand.self, ExplainCheckCommand.self,
            CompletionCommand.self, ManCommand.self,
        ])

    /// Runs the command line; usage errors end with code 2 and errors of the environment with 3, as
    /// `ExitStatus` defines.
    static func main() {
        reportFilesTooLarge()
        do {
            // The parser takes time with the square of their number.
            if CommandLine.arguments.count > mostArguments {
                throw UsageFailure(
                    message: "a command takes at most \(mostArguments - 1) arguments, but there"
                        + " are \(CommandLine.arguments.count - 1)")
            }
            guard DiskPath.isCurrentFolderKnown else {
                throw EnvironmentFailure(
                    message:
                        "the path of the current folder is not known: the folder was removed, or"
                        + " its path is too long or not UTF-8; run the command in another folder")
            }
            ProtectedFolders.add(projectOf: ".")
            try CommandArguments.refuseForeignNames()
            let words = Array(CommandLine.arguments.dropFirst())
            try refuseHelpOnNothing(words)
            let names = configuration.subcommands.map { $0._commandName } + ["help"]
            if let message = CommandIdioms.longDash(in: words, isFile: leadsSomewhere)
                ?? CommandIdioms.unknownCommand(in: words, among: names, isFile: leadsSomewhere)
                ?? CommandIdioms.unknownSubcommand(in: words, isFile: leadsSomewhere)
            {
                throw UsageFailure(message: message)
            }
            var command = try parseAsRoot()
            try CommandArguments.refuseLinksOut()
            if (command as? any RunsUntilStopped)?.runsUntilStopped != true {
                try ProcessGuard.shared.begin()
            }
            try command.run()
        } catch let failure as EnvironmentFailure {
            Terminal.complain("poprules: \(failure.message)")
            exit(withError: ExitCode(ExitStatus.environment))
        } catch let failure as UsageFailure {
            Terminal.complain("poprules: \(failure.message)")
            exit(withError: ExitCode(ExitStatus.usage))
        } catch let code as ExitCode {
            exit(withError: code)
        } catch {
            let message = fullMessage(for: error)
            if exitCode(for: error).isSuccess {
                Terminal.say(.lines(message))
                exit(withError: ExitCode(ExitStatus.clean))
            }
            let words = Array(CommandLine.arguments.dropFirst())
            if let answer = CommandIdioms.answer(to: words) {
                Terminal.complain("poprules: \(answer)")
                exit(withError: ExitCode(ExitStatus.usage))
            }
            let hint =
                CommandIdioms.hint(for: words, isFile: leadsSomewhere)
                ?? EvalCommand.hint(for: CommandLine.arguments)
            Terminal.complain(lines: message + (hint ?? ""))
            exit(withError: ExitCode(ExitStatus.usage))
        }
    }

    /// The most arguments, the name of the program included: five times the limit of rule files.
    private static let mostArguments = 5_001

    /// The parser answers `help` with the help of the last known command, whatever the unknown one
    /// is.
    private static func refuseHelpOnNothing(_ words: [String]) throws {
        guard words.first == "help" else { return }
        var commands = configuration.subcommands
        for word in words.dropFirst() where !word.hasPrefix("-") {
            let names = commands.map { $0._commandName } + ["help"]
            if let message = CommandIdioms.unknownCommand(
                in: [word], among: names, isFile: { _ in false })
            {
                throw UsageFailure(message: message)
            }
            let command = commands.first { $0._commandName == word }
            commands = command?.configuration.subcommands ?? []
        }
    }
}

/// The exit codes of every subcommand.
enum ExitStatus {
    static let clean: Int32 = 0
    /// Findings at or above the fail level, failed tests, or a difference.
    static let findings: Int32 = 1
    static let usage: Int32 = 2
    /// A file that cannot be read or written.
    static let environment: Int32 = 3
    /// Something could not be decided.
    static let inconclusive: Int32 = 4
}
