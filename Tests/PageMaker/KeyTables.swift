import PopRuleFiles

/// Returns the page of rule files with the tables of its keys made again from the words of the key
/// tables.
///
/// A table of the page follows `<!-- keys: TITLE -->` and is made from the table of that title.
func withKeyTables(_ page: String) throws -> String {
    var page = page
    for table in allTables {
        try replaceTable(behind: "keys: \(table.title)", with: table.markdown, in: &page)
    }
    for title in markedTitles(in: page) where !allTables.contains(where: { $0.title == title }) {
        throw PageError(description: "no table of keys is called \(title)")
    }
    let sections = allSections.map { ["`\($0.name)`", $0.summary] }
    try replaceTable(
        behind: "sections", with: markdown(["section", "what it declares"], sections), in: &page)
    return page
}

/// The titles for which the page has a place.
private func markedTitles(in page: String) -> [String] {
    page.split(separator: "\n").compactMap { line in
        guard line.hasPrefix("<!-- keys: "), line.hasSuffix(" -->") else { return nil }
        return String(line.dropFirst(11).dropLast(4))
    }
}

/// Replaces the table after a marker.
func replaceTable(behind marker: String, with table: String, in page: inout String) throws {
    guard let start = page.firstRange(of: "<!-- \(marker) -->\n") else {
        throw PageError(description: "no page has `<!-- \(marker) -->`")
    }
    let lines = page[start.upperBound...].prefix { $0 != "#" }
    let old = lines.split(separator: "\n", omittingEmptySubsequences: false)
        .prefix { $0.hasPrefix("|") }.map { "\($0)\n" }.joined()
    let end = page.index(start.upperBound, offsetBy: old.count)
    page.replaceSubrange(start.upperBound..<end, with: table)
}

extension TableSchema {
    /// The keys with their values and meanings, as a table.
    fileprivate var markdown: String {
        PageMaker.markdown(
            ["key", "its value", "what it says"],
            keys.map { key in
                [
                    "`\(key.name)`\(key.isRequired ? ", required" : "")", key.schema.phrase,
                    key.summary,
                ]
            })
    }
}

func markdown(_ head: [String], _ rows: [[String]]) -> String {
    let line = "|" + String(repeating: "---|", count: head.count)
    let texts = ([head] + rows).map { "| \($0.joined(separator: " | ")) |" }
    return ([texts[0], line] + texts.dropFirst()).map { "\($0)\n" }.joined()
}
