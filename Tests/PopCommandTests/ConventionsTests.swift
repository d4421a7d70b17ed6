import Foundation
import Testing

/// Conventions that users who know other programs expect on the command line.
@Suite struct `The command-line program` {
    private static let rules = """
        poprules: 1
        popups:
          welcome: { owner: team-growth, tags: [new], content: { title: hi } }
        """

    private func output(_ command: String) throws -> (status: Int32, output: String) {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "rules/rules.yaml")
        try folder.write(Self.rules, to: "other/rules.yaml")
        return try Program.shell(command, in: folder.url)
    }

    @Test(arguments: [
        (
            "list --owner growth",
            "no popup has the owner `growth`; the rules have `team-growth`"
        ),
        ("list --tag old", "no popup has the tag `old`; the rules have `new`"),
        ("help prove", "there is no command `prove`"),
        ("help bundle prove", "there is no command `prove`"),
        (
            "diff HEAD rules",
            "if you mean a git revision: `poprules diff --git HEAD rules`"
        ),
        (
            "diff HEAD 'a$(id)'",
            "if you mean a git revision: `poprules diff --git HEAD 'a$(id)'`"
        ),
    ])
    func `refuses an unknown name and suggests the similar name (A28, A92, A100, A19)`(
        _ command: String, _ message: String
    ) throws {
        let (status, output) = try output("poprules \(command)")
        #expect(status == (command.hasPrefix("diff") ? 3 : 2))
        #expect(output.replacing("\n", with: " ").contains(message), "\(output)")
    }

    @Test(arguments: [
        "list", "validate -q", "graph", "compile -o -", "generate swift", "explain --all",
        "audience", "collisions",
    ])
    func `takes rules as arguments or with an option (A116)`(command: String) throws {
        let byArgument = try output("poprules \(command) other")
        let byOption = try output("poprules \(command) --rules other")
        #expect(byArgument.status == byOption.status)
        #expect(!byOption.output.contains("Error:"), "\(byOption.output)")
        #expect(!byArgument.output.contains("Error:"), "\(byArgument.output)")
    }

    @Test func `takes paths of rules together with names of popups (A116)`() throws {
        let (status, output) = try output("poprules audience welcome other/rules.yaml")
        #expect(status == 0)
        #expect(output.hasPrefix("welcome\n"))
    }

    @Test func `explains all popups in the order in which it lists them (A29)`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(
            "poprules: 1\npopups: { late: { priority: 1 }, first: { priority: high } }\n",
            to: "rules/rules.yaml")
        for command in ["explain --all", "list"] {
            let (_, output) = try Program.shell("poprules \(command)", in: folder.url)
            let words = output.split { $0 == " " || $0 == "\n" }.map(String.init)
            let first = try #require(words.firstIndex(of: "first"), "\(output)")
            let late = try #require(words.firstIndex(of: "late"), "\(output)")
            #expect(first < late, "\(output)")
        }
    }

    @Test func `prints a singular for one popup (A109)`() throws {
        let (_, output) = try output("poprules compile rules -o rules.popbundle")
        #expect(output.contains(": 1 popup, "), "\(output)")
    }

    @Test func `prints the date from which popups can collide (R3)`() throws {
        let (_, output) = try output("poprules collisions --at 2026-11-27T09:00:00Z")
        #expect(output.contains("from 2026-11-27T09:00:00Z on"))
    }
}
