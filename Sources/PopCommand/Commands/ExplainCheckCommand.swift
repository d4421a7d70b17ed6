import ArgumentParser
import PopExplanations
internal import PopReports
import PopScheduler
import PopSource
import PopStories
import PopValidation

struct ExplainCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain-check",
        abstract: "Explain a check or a reason code.",
        discussion: """
            Example:
              poprules explain-check P0301
              poprules explain-check condition/unknown-key
              poprules explain-check SLOT_BUSY
            """)

    @Argument(
        help: ArgumentHelp(
            "The id or name of a check, or a reason code. Without it, all checks and reason codes"
                + " are listed."))
    var check: String?

    func run() throws {
        guard let check else { return list() }
        guard let page = page(of: check) else { throw unknown(check) }
        Terminal.show(.lines(page))
    }

    private func list() {
        for check in Check.all {
            Terminal.say("\(check.id)  \(check.level.name)  \(check.name): \(check.summary)")
        }
        for code in ReasonCode.allCases { Terminal.say("\(code.rawValue): \(code.meaning)") }
    }

    /// Returns the page without the comments that tell the tests where its files belong.
    private func page(of name: String) -> String? {
        let text =
            Check.named(name).flatMap { CheckPages.texts[$0.id] }
            ?? ReasonPages.texts[name.uppercased()]
        return text?.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                line.hasPrefix("<!-- file: ") ? line.dropFirst(11).dropLast(4) + ":\n" : line
            }.joined(separator: "\n")
    }

    private func unknown(_ name: String) -> UsageFailure {
        let names = Check.all.flatMap { [$0.id, $0.name] } + ReasonCode.allCases.map(\.rawValue)
        let similar = similarNames(to: name, among: names)
        let help = similar.isEmpty ? "" : "; did you mean \(alternatives(similar))?"
        return UsageFailure(message: "there is no check and no reason code `\(name)`\(help)")
    }
}
