import Testing

@testable import PopRuleFiles

/// `docs/reference/rule-files.md` has every section and key; its tables are made by `make pages`.
@Suite struct `The page on rule files` {
    private static let path = "docs/reference/rule-files.md"

    @Test func `shows every key in an example that is validated`() throws {
        let page = try Repository.text(Self.path)
        let examples = Block.all(in: page).filter { $0.file?.hasPrefix("rules/") == true }
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

    @Test func `explains every comparison`() throws {
        let rows = try Repository.text(Self.path).split(separator: "\n")
            .drop { $0 != "| comparison | holds where the key's value |" }
            .prefix { $0.hasPrefix("|") }
        let found = rows.flatMap { $0.matches(of: #/`(\w+): /#).map { String($0.1) } }
        #expect(Set(Matcher.allCases.map(\.rawValue)).isSubset(of: found))
    }
}
