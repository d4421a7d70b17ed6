import PopSource
import Testing

/// One page a check; the documentation tests run their examples.
@Suite struct `The pages of the checks` {
    private func pages() throws -> [String: String] {
        try Repository.pages(in: "docs/reference/checks")
    }

    @Test func `exist for all checks, and for no other check`() throws {
        let missing = Set(Check.all.map(\.id)).subtracting(try pages().keys)
        #expect(missing.isEmpty, "without a page: \(missing.sorted())")
        let left = Set(try pages().keys).subtracting(Check.all.map(\.id))
        #expect(left.isEmpty, "pages of no check: \(left.sorted())")
    }

    @Test func `start with the id, the name, the summary and the level`() throws {
        for check in Check.all {
            let page = try #require(try pages()[check.id])
            let summary = check.summary.prefix(1).uppercased() + check.summary.dropFirst()
            let start =
                "# \(check.id) \(check.name)\n\n\(summary).\n\nLevel: \(check.level.name).\n"
            #expect(page.hasPrefix(start), "\(check.id)")
        }
    }

    @Test func `show a bad file with the finding, and a good file without it`() throws {
        for (id, page) in try pages() {
            let sessions = Block.all(in: page).filter { $0.language == "console" }
            #expect(sessions.count == 2, "\(id)")
            #expect(sessions.first?.text.contains("[\(id)]: ") == true, "\(id)")
            #expect(sessions.last?.text.contains("[P") == false, "\(id)")
            for part in ["Bad", "Good", "Why"] { #expect(page.contains("\n## \(part)\n"), "\(id)") }
        }
    }

    @Test func `are printed without the parts that only tests need`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let byName = try Program.shell(
            "poprules explain-check condition/unknown-key", in: folder.url)
        #expect(byName.output.hasPrefix("# P0301 condition/unknown-key\n"))
        #expect(!byName.output.contains("<!--"))
        #expect(byName == (try Program.shell("poprules explain-check P0301", in: folder.url)))
    }
}
