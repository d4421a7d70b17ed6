import Testing

/// The glossary is held to the sources and to the pages about files.
@Suite struct `The glossary` {
    private static let catalog = "Sources/PopCommand/PopCommand.docc"

    /// The words in backticks of one column, counted from 1.
    private func words(inColumn column: Int) throws -> [String] {
        let rows = try Repository.text("\(Self.catalog)/Glossary.md").split(separator: "\n")
            .map { $0.split(separator: "|", omittingEmptySubsequences: false) }
            .filter { $0.count == 8 }
        return rows.flatMap { cells in
            cells[column].matches(of: /`([^`]+)`/).map { String($0.1) }
        }
    }

    @Test func `names types and members that the sources have`() throws {
        let sources = try Repository.swiftFiles(in: "Sources").map(Repository.text)
        let names = try words(inColumn: 6)
        #expect(names.count > 60)
        for name in names {
            let parts = name.split(separator: ".").map(String.init)
            let typeCount = parts.last?.first?.isUppercase == true ? parts.count : parts.count - 1
            let type = try #require(parts.prefix(typeCount).last, "`\(name)` has no type")
            let kinds = typeCount == parts.count ? "" : "|extension"
            let declaration = try Regex(
                #"\b(?:struct|class|enum|protocol|actor\#(kinds)) (?:\w+\.)*\#(type)\b"#)
            let member = try Regex(#"\b(?:var|let|case|func) `?\#(parts.last ?? "")\b"#)
            let isThere = sources.contains { source in
                source.contains(declaration)
                    && (typeCount == parts.count || source.contains(member))
            }
            #expect(isThere, "`\(name)` is not in the sources")
        }
    }

    @Test func `names words of files that the pages about them explain`() throws {
        let pages = try ["RuleFiles", "TestFiles", "Validating"].map {
            try Repository.text("\(Self.catalog)/\($0).md")
        }.joined()
        let words = try words(inColumn: 5)
        #expect(words.count > 30)
        for word in words {
            let isThere = pages.contains("`\(word)`") || pages.contains("\(word):")
            #expect(isThere, "no page about files has `\(word)`")
        }
    }

    @Test func `has each noun once`() throws {
        let rows = try Repository.text("\(Self.catalog)/Glossary.md").split(separator: "\n")
            .map { $0.split(separator: "|", omittingEmptySubsequences: false) }
            .filter { $0.count == 8 && !$0[1].hasPrefix("-") && $0[1] != " noun " }
        let nouns = rows.map { $0[1] }
        #expect(nouns.count == Set(nouns).count)
    }
}
