import ArgumentParser
import PopSource

struct ExplainCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain-check",
        abstract: "Say what a check is about.",
        discussion: """
            Example:
              poprules explain-check P0301
              poprules explain-check condition/unknown-key
            """)

    @Argument(help: "The id or the name of a check; without one, all are listed.")
    var check: String?

    func run() throws {
        guard let check else {
            for check in Check.all {
                Terminal.say("\(check.id)  \(check.level.name)  \(check.name): \(check.summary)")
            }
            return
        }
        guard let found = Check.named(check) else {
            let names = Check.all.flatMap { [$0.id, $0.name] }
            let similar = similarNames(to: check, among: names)
            let help = similar.isEmpty ? "" : "; similar ones are \(alternatives(similar))"
            throw UsageFailure(message: "there is no check `\(check)`\(help)")
        }
        Terminal.put(page(of: found))
    }

    /// The page without the comments that tell the tests where its files belong.
    private func page(of check: Check) -> String {
        let page = CheckPages.texts[check.id] ?? "# \(check.id) \(check.name)\n\n\(check.summary)\n"
        return page.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                line.hasPrefix("<!-- file: ") ? line.dropFirst(11).dropLast(4) + ":\n" : line
            }.joined(separator: "\n")
    }
}
