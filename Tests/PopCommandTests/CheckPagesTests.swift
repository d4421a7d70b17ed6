import Foundation
import PopSource
import Testing

/// One page a check; the documentation tests run their examples.
@Suite struct `The pages of the checks` {
    private static let folder = "Sources/PopCommand/PopCommand.docc/Checks"
    private static let index = "Sources/PopCommand/PopCommand.docc/Checks.md"
    private static let embedded = "Sources/PopCommand/Pages/CheckPages.swift"

    private func pages() throws -> [String: String] {
        let path = Repository.root.appending(path: Self.folder).path
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        let ids = names.filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }
        return try Dictionary(
            uniqueKeysWithValues: ids.map { ($0, try Repository.text("\(Self.folder)/\($0).md")) })
    }

    @Test func `exist for all checks, and for no others`() throws {
        let missing = Set(Check.all.map(\.id)).subtracting(try pages().keys)
        #expect(missing.isEmpty, "without a page: \(missing.sorted())")
        let left = Set(try pages().keys).subtracting(Check.all.map(\.id))
        #expect(left.isEmpty, "pages of no check: \(left.sorted())")
    }

    @Test func `begin with the id, the name, what is noticed and the level`() throws {
        for check in Check.all {
            let page = try #require(try pages()[check.id])
            let summary = check.summary.prefix(1).uppercased() + check.summary.dropFirst()
            let start =
                "# \(check.id) \(check.name)\n\n\(summary).\n\nLevel: \(check.level.name).\n"
            #expect(page.hasPrefix(start), "\(check.id)")
        }
    }

    @Test func `show a bad file that has the finding, and a good one that has none`() throws {
        for (id, page) in try pages() {
            let sessions = Block.all(in: page).filter { $0.language == "console" }
            #expect(sessions.count == 2, "\(id)")
            #expect(sessions.first?.text.contains("[\(id)]: ") == true, "\(id)")
            #expect(sessions.last?.text.contains("[P") == false, "\(id)")
            for part in ["Bad", "Good", "Why"] { #expect(page.contains("\n## \(part)\n"), "\(id)") }
        }
    }

    @Test func `are listed in the index`() throws {
        var text = """
            # Checks

            What `poprules validate` looks for. `poprules explain-check ID` prints a page.

            """
        var group: Substring = ""
        for check in Check.all {
            if check.group != group {
                text += "\n## \(check.group)\n\n"
                text += "| check | name | level | what is noticed |\n|---|---|---|---|\n"
                group = check.group
            }
            let cells = [
                "[\(check.id)](Checks/\(check.id).md)", check.name, check.level.name,
                check.summary.replacing("|", with: "\\|"),
            ]
            text += "| \(cells.joined(separator: " | ")) |\n"
        }
        try compare(text, Self.index)
    }

    @Test func `are part of the program, so that they can be read offline`() throws {
        var text = """
            // swift-format-ignore-file
            // The pages in PopCommand.docc/Checks as the program carries them. The tests write this file.

            /// The page of each check, by id, in Markdown.
            enum CheckPages {
                static let texts: [String: String] = [

            """
        for (id, page) in try pages().sorted(by: { $0.key < $1.key }) {
            text += "        \"\(id)\": \"\(escaped(page))\",\n"
        }
        try compare(text + "    ]\n}\n", Self.embedded)
    }

    @Test func `are printed without what is only for the tests`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let byName = try Program.shell(
            "poprules explain-check condition/unknown-key", in: folder.url)
        #expect(byName.output.hasPrefix("# P0301 condition/unknown-key\n"))
        #expect(!byName.output.contains("<!--"))
        #expect(byName == (try Program.shell("poprules explain-check P0301", in: folder.url)))
    }

    private func compare(_ text: String, _ path: String) throws {
        if Golden.isBeingUpdated {
            try Golden.write(text, to: path)
        } else {
            let kept = try Repository.text(path)
            #expect(kept == text, "\(path) is out of step; run the tests with UPDATE_GOLDEN=1")
        }
    }

    /// As a string literal of Swift on one line.
    private func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n": "\\n"
            case "\t": "\\t"
            default:
                switch scalar.properties.generalCategory {
                case .control, .format: "\\u{\(String(scalar.value, radix: 16))}"
                default: String(scalar)
                }
            }
        }.joined()
    }
}
