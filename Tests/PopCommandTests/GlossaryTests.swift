import Testing

/// The names that a source declares, at any place in it.
private struct DeclaredNames {
    var types: Set<String> = []
    var extended: Set<String> = []
    var members: Set<String> = []

    init(in source: String) {
        var keyword = Substring()
        for word in source.split(whereSeparator: {
            !$0.isLetter && !$0.isNumber && !"_.".contains($0)
        }) {
            let name = word.split(separator: ".").last.map(String.init) ?? ""
            switch keyword {
            case "struct", "class", "enum", "protocol", "actor": types.insert(name)
            case "extension": extended.insert(name)
            case "var", "let", "case", "func": members.insert(name)
            default: break
            }
            keyword = word
        }
    }
}

/// The glossary is checked against the sources and the pages about files.
@Suite struct `The glossary` {
    private static let catalog = "docs"

    /// The words in backticks of one column, counted from 1.
    private func words(inColumn column: Int) throws -> [String] {
        let rows = try Repository.text("\(Self.catalog)/reference/glossary.md").split(
            separator: "\n"
        )
        .map { $0.split(separator: "|", omittingEmptySubsequences: false) }
        .filter { $0.count == 8 }
        return rows.flatMap { cells in
            cells[column].matches(of: /`([^`]+)`/).map { String($0.1) }
        }
    }

    @Test func `names types and members that exist in the sources`() throws {
        let sources = try Repository.swiftFiles(in: "Sources").map {
            DeclaredNames(in: try Repository.text($0))
        }
        let names = try words(inColumn: 6)
        #expect(names.count > 60)
        for name in names {
            let parts = name.split(separator: ".").map(String.init)
            let isType = parts.last?.first?.isUppercase == true
            let type = try #require(parts.dropLast(isType ? 0 : 1).last, "`\(name)` has no type")
            let isThere = sources.contains { source in
                isType
                    ? source.types.contains(type)
                    : (source.types.contains(type) || source.extended.contains(type))
                        && source.members.contains(parts[parts.count - 1])
            }
            #expect(isThere, "`\(name)` is not in the sources")
        }
    }

    @Test func `names words of files that their pages explain`() throws {
        let pages = try ["reference/rule-files", "reference/test-files", "how-to/validate"].map {
            try Repository.text("\(Self.catalog)/\($0).md")
        }.joined()
        let words = try words(inColumn: 5)
        #expect(words.count > 30)
        for word in words {
            let isThere = pages.contains("`\(word)`") || pages.contains("\(word):")
            #expect(isThere, "no page about files has `\(word)`")
        }
    }

    @Test func `lists each noun once`() throws {
        let rows = try Repository.text("\(Self.catalog)/reference/glossary.md").split(
            separator: "\n"
        )
        .map { $0.split(separator: "|", omittingEmptySubsequences: false) }
        .filter { $0.count == 8 && !$0[1].hasPrefix("-") && $0[1] != " noun " }
        let nouns = rows.map { $0[1] }
        #expect(nouns.count == Set(nouns).count)
    }
}
