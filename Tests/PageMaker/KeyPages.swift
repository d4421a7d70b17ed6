import Foundation
import PopRuleFiles

/// The pages about rule files: an index, and a folder of pages with tables of keys.
///
/// These lines are markers on the pages of the folder:
///
/// - A table of all keys of a map follows `<!-- keys: TITLE -->`.
/// - A table of some keys of a map follows `<!-- keys: TITLE: KEY, KEY -->`. The index links these
///   keys to this page.
/// - The index links sections to the page with `<!-- explains: SECTION, SECTION -->`.
struct KeyPages {
    private static let index = "rule-files.md"
    private static let folder = "rule-files"

    /// The text of each page, by its path from `docs/reference`.
    private var pages: [String: String]
    /// The page with the table of all keys, by the title of the map.
    private var tablePages: [String: String] = [:]
    /// The page with a table of some keys, by the title of the map and the key.
    private var detailPages: [String: [String: String]] = [:]
    /// The page of each section.
    private var sectionPages: [String: String] = [:]

    /// Reads the pages from the folder `docs/reference`.
    init(in reference: URL) throws {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: reference.appending(path: Self.folder).path)
        let names = files.filter { $0.hasSuffix(".md") }.map { "\(Self.folder)/\($0)" }
        pages = try Dictionary(
            uniqueKeysWithValues: (names + [Self.index]).map { path in
                let file = reference.appending(path: path)
                return (path, try String(contentsOf: file, encoding: .utf8))
            })
    }

    /// Returns the pages with their tables made again from the words of the key tables.
    func texts() throws -> [String: String] {
        var made = self
        for path in pages.keys.sorted() where path != Self.index { try made.makeTables(of: path) }
        for table in allTables where made.tablePages[table.title] == nil {
            throw PageError(description: "no page has `<!-- keys: \(table.title) -->`")
        }
        try made.makeIndex()
        return made.pages
    }

    private mutating func makeTables(of path: String) throws {
        guard var page = pages[path] else { return }
        for marker in markers("keys", in: page) {
            let parts = marker.split(separator: ": ", maxSplits: 1).map(String.init)
            guard let table = allTables.first(where: { $0.title == parts[0] }) else {
                throw PageError(description: "no table of keys is called \(parts[0])")
            }
            var keys = table.keys
            if parts.count > 1 {
                keys = try parts[1].split(separator: ", ").map { try key(String($0), of: table) }
                for key in keys where detailPages[table.title]?[key.name] == nil {
                    detailPages[table.title, default: [:]][key.name] = path
                }
            } else if let other = tablePages.updateValue(path, forKey: table.title) {
                throw PageError(description: "\(path) and \(other) have all keys of \(table.title)")
            }
            try replaceTable(behind: "keys: \(marker)", with: keys.markdown, in: &page)
        }
        for name in markers("explains", in: page).flatMap({ $0.split(separator: ", ") }) {
            guard allSections.contains(where: { $0.name == name }) else {
                throw PageError(description: "no section is called \(name)")
            }
            sectionPages[String(name)] = path
        }
        pages[path] = page
    }

    private func key(_ name: String, of table: TableSchema) throws -> TableSchema.Key {
        guard let key = table.keys.first(where: { $0.name == name }) else {
            throw PageError(description: "\(table.title) has no key `\(name)`")
        }
        return key
    }

    private mutating func makeIndex() throws {
        guard var page = pages[Self.index] else { return }
        let sections = try allSections.map { section in
            guard let path = sectionPages[section.name] else {
                throw PageError(description: "no page has `<!-- explains: \(section.name) -->`")
            }
            return ["`\(section.name)`", section.summary, "[\(heading(of: path))](\(path))"]
        }
        try replaceTable(
            behind: "sections", with: markdown(["section", "what it declares", "page"], sections),
            in: &page)
        let names = Set(
            allTables.flatMap { table in table.keys.map(\.name) } + allSections.map(\.name))
        let keys = names.sorted().map { ["`\($0)`", links(to: $0).joined(separator: ", ")] }
        try replaceTable(
            behind: "index of keys", with: markdown(["key", "a key of"], keys), in: &page)
        pages[Self.index] = page
    }

    /// Returns links to the pages with a key: as a section, and as a key of each map that has it.
    private func links(to key: String) -> [String] {
        let section = sectionPages[key].map { ["[a section](\($0))"] } ?? []
        return section
            + homes(of: key).map { title in
                let path = detailPages[title]?[key] ?? tablePages[title] ?? Self.index
                return "[\(title)](\(path))"
            }
    }

    /// Returns the first line of a page, without its sign.
    private func heading(of path: String) -> String {
        pages[path].map { String($0.prefix { $0 != "\n" }.dropFirst(2)) } ?? path
    }
}

/// The texts of the markers of a kind, in their order on the page.
private func markers(_ kind: String, in page: String) -> [String] {
    let start = "<!-- \(kind): "
    let end = " -->"
    return page.split(separator: "\n").compactMap { line in
        guard line.hasPrefix(start), line.hasSuffix(end) else { return nil }
        return String(line.dropFirst(start.count).dropLast(end.count))
    }
}

/// Replaces the table after a marker.
func replaceTable(behind marker: String, with table: String, in page: inout String) throws {
    guard let start = page.firstRange(of: "<!-- \(marker) -->\n") else {
        throw PageError(description: "no page has `<!-- \(marker) -->`")
    }
    let old = page[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
        .prefix { $0.hasPrefix("|") }.map { "\($0)\n" }.joined()
    let end = page.index(start.upperBound, offsetBy: old.count)
    page.replaceSubrange(start.upperBound..<end, with: table)
}

extension [TableSchema.Key] {
    /// The keys with their values and meanings, as a table.
    fileprivate var markdown: String {
        PageMaker.markdown(
            ["key", "value", "meaning"],
            map { key in
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
