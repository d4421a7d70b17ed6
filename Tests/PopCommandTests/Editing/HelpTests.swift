import Foundation
import Testing

/// The help must fit on a screen of 40 lines of 80 columns.
@Suite struct `The help` {
    static let commands: [String] = {
        let help = (try? Program.shell("poprules --help", in: Repository.root))?.output ?? ""
        let list = help.components(separatedBy: "SUBCOMMANDS:\n").last ?? ""
        return list.components(separatedBy: "\n")
            .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
            .filter { $0 != "See" }
    }()

    @Test func `names all subcommands`() { #expect(Self.commands.count >= 15) }

    @Test(arguments: [""] + commands)
    func `fits a screen and shows an example`(command: String) throws {
        let help = try Program.shell("poprules help \(command)", in: Repository.root)
        #expect(help.status == 0)
        let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 48)
        for line in lines { #expect(line.count <= 80, "\(line)") }
        #expect(help.output.contains("\nExample:\n  poprules "))
    }

    @Test(arguments: ["keygen", "sign", "verify"])
    func `of the bundle commands fits a screen too`(command: String) throws {
        let help = try Program.shell("poprules help bundle \(command)", in: Repository.root)
        #expect(help.status == 0)
        for line in help.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }

    @Test func `is also a manual page`() throws {
        let page = try Program.shell("poprules man", in: Repository.root).output
        for command in Self.commands {
            #expect(page.contains("\n.SS poprules \(command)"), "\(command)")
        }
        #expect(page.contains("\n\\fB\\-f\\fP, \\fB\\-\\-format\\fP \\fIformat\\fP\n"))
    }

    @Test(.enabled(if: Shells.has("mandoc"), "there is no mandoc"))
    func `gives no mandoc warning as a manual page`() throws {
        let found = try Program.shell("poprules man | mandoc -Tlint", in: Repository.root).output
        // The page is not dated: the version tells how old it is.
        let complaints = found.split(separator: "\n").filter { !$0.contains("missing date") }
        #expect(complaints.isEmpty)
    }

    @Test(.enabled(if: Shells.has("man"), "there is no man"))
    func `can be read with man`() throws {
        let shown = try Program.shell(
            "poprules man > \"$TMPDIR/p.1\" && MANWIDTH=80 man --warnings -l \"$TMPDIR/p.1\" | col -b",
            in: Repository.root)
        #expect(shown.output.contains("poprules validate [options] [paths ...]"))
    }
}

enum Shells {
    static func has(_ name: String) -> Bool {
        (try? Program.shell("command -v \(name)", in: Repository.root))?.status == 0
    }
}
