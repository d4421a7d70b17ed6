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

/// The glossary of users and the terms in the sources are checked against the sources and the pages
/// about files.
@Suite struct `The glossary` {
    private static let pages = [
        "docs/reference/glossary.md", "docs/contributing/terms-in-the-sources.md",
    ]

    /// The cells of each row with six columns; the first and the last cell are empty.
    private func rows(of page: String) throws -> [[Substring]] {
        try Repository.text(page).split(separator: "\n")
            .map { $0.split(separator: "|", omittingEmptySubsequences: false) }
            .filter { $0.count == 8 }
    }

    /// The words in backticks of one column, counted from 1.
    private func words(inColumn column: Int) throws -> [String] {
        try Self.pages.flatMap { try rows(of: $0) }.flatMap { cells in
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
        let folders = ["docs/reference/rule-files", "docs/reference/test-files", "docs/how-to/"]
        let pages = try `The documentation`.pages
            .filter { page in folders.contains { page.hasPrefix($0) } }
            .map { try Repository.text($0) }.joined()
        let words = try words(inColumn: 5)
        #expect(words.count > 25)
        for word in words {
            let isThere = pages.contains("`\(word)`") || pages.contains("\(word):")
            #expect(isThere, "no page about files has `\(word)`")
        }
    }

    @Test func `lists each noun once`() throws {
        let nouns = try Self.pages.flatMap { try rows(of: $0) }.map { $0[1] }
            .filter { !$0.hasPrefix("-") && $0 != " noun " }
        #expect(nouns.count == Set(nouns).count)
    }
}
