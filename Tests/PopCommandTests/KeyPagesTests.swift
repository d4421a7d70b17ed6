import Testing

@testable import PopRuleFiles

/// `docs/reference/rule-files.md` and the pages of its folder have every section and key; their
/// tables are made by `make pages`.
@Suite struct `The pages on rule files` {
    static let pages = `The documentation`.pages.filter {
        $0.hasPrefix("docs/reference/rule-files")
    }

    @Test func `show every key in an example`() throws {
        let examples = try Self.pages.flatMap { Block.all(in: try Repository.text($0)) }
            .filter { $0.file?.hasSuffix(".yaml") == true }
        let lines = examples.flatMap { $0.text.split(separator: "\n") }
        for table in allTables {
            for key in table.keys {
                let isShown = lines.contains { $0.contains("\(key.name):") }
                #expect(isShown, "no example has the key `\(key.name)` of \(table.title)")
            }
        }
        for section in allSections {
            #expect(lines.contains { $0 == "\(section.name):" }, "no example of \(section.name)")
        }
    }

    /// The files of a folder on a page are a rule set.
    @Test(arguments: pages)
    func `have examples that are valid rules`(page: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var ruleSets: Set<String> = []
        for block in Block.all(in: try Repository.text(page)) {
            guard let file = block.file else { continue }
            try folder.write(block.text, to: file)
            if let name = file.split(separator: "/").first { ruleSets.insert(String(name)) }
        }
        #expect(!ruleSets.isEmpty, "\(page) has no example")
        for ruleSet in ruleSets.sorted() {
            let validated = try Program.shell("poprules validate \(ruleSet)", in: folder.url)
            #expect(validated.status == 0, "\(page): \(validated.output)")
        }
    }

    @Test func `explain every comparison`() throws {
        let rows = try Repository.text("docs/reference/rule-files/conditions-in-yaml.md")
            .split(separator: "\n")
            .drop { $0 != "| comparison | holds if the key's value |" }
            .prefix { $0.hasPrefix("|") }
        let found = rows.flatMap { $0.matches(of: #/`(\w+): /#).map { String($0.1) } }
        #expect(Set(Matcher.allCases.map(\.rawValue)).isSubset(of: found))
    }
}
