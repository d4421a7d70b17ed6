import Foundation
import PopRuleFiles
import Testing

/// RuleFiles.md has every section and key, with the words of the key tables (C6 of the findings).
///
/// A table of the page follows `<!-- keys: TITLE -->` and is made from the table of that title.
@Suite struct `The page of rule files` {
    private static let path = "Sources/PopCommand/PopCommand.docc/RuleFiles.md"

    @Test func `has a table for every map, made from its keys`() throws {
        var page = try Repository.text(Self.path)
        for table in allTables {
            try replaceTable(behind: "keys: \(table.title)", with: table.markdown, in: &page)
        }
        let sections = allSections.map { ["`\($0.name)`", $0.summary] }
        try replaceTable(
            behind: "sections", with: markdown(["section", "what it declares"], sections), in: &page
        )
        try Golden.compare(page, with: Self.path)
    }

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

    private func replaceTable(behind marker: String, with table: String, in page: inout String)
        throws
    {
        let start = try #require(page.range(of: "<!-- \(marker) -->\n"), "no `<!-- \(marker) -->`")
        let lines = page[start.upperBound...].prefix { $0 != "#" }
        let old = lines.split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { $0.hasPrefix("|") }.map { "\($0)\n" }.joined()
        let end = page.index(start.upperBound, offsetBy: old.count)
        page.replaceSubrange(start.upperBound..<end, with: table)
    }
}

extension TableSchema {
    /// The keys with what they take and what they mean, as a table.
    fileprivate var markdown: String {
        PopCommandTests.markdown(
            ["key", "its value", "what it says"],
            keys.map { key in
                [
                    "`\(key.name)`\(key.isRequired ? ", required" : "")", key.schema.phrase,
                    key.summary,
                ]
            })
    }
}

private func markdown(_ head: [String], _ rows: [[String]]) -> String {
    let line = "|" + String(repeating: "---|", count: head.count)
    let texts = ([head] + rows).map { "| \($0.joined(separator: " | ")) |" }
    return ([texts[0], line] + texts.dropFirst()).map { "\($0)\n" }.joined()
}
