import ArgumentParser

struct ManCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "man",
        abstract: "Print the manual page.",
        discussion: """
            Example:
              poprules man | man -l -
            """)

    func run() throws {
        Terminal.putData(try ManualPage(of: PopRulesCommand.self).text)
    }
}
