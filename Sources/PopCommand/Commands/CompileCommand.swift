import ArgumentParser
import Foundation
import PopEngine
import PopScheduler
import PopTesting

struct CompileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile",
        abstract: "Write rules as one file for apps that read no YAML.",
        discussion: """
            An app loads the file with `RuleSet(bundle:)`; it decides as the rule files do.

            Example:
              poprules compile rules -o rules.popbundle
            """)

    @Argument(help: "Rule files and folders.", completion: .yamlFiles)
    var rules = ["rules"]

    @Option(name: .shortAndLong, help: "The file to write.")
    var output = "rules.popbundle"

    @Option(help: "Colour.")
    var color = ColourChoice.auto

    func run() throws {
        let ruleSet = try Workspace(readable: rules).validRules(style: color.style)
        let url = URL(fileURLWithPath: output)
        let folder = url.deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder) else {
            throw EnvironmentFailure(
                message: "cannot write \(output): the folder that it would stand in is not there")
        }
        do {
            let bundle = try ruleSet.bundle()
            try Data(bundle).write(to: url, options: .atomic)
            Terminal.say("wrote \(output): \(ruleSet.popups.count) popups, \(bundle.count) bytes")
        } catch {
            throw EnvironmentFailure(
                message: "cannot write \(output): \(error.localizedDescription)")
        }
    }
}
