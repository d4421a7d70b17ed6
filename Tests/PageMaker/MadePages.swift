import Foundation

/// The files of the repository that are made from others.
struct MadePages {
    /// The folder of the package.
    let root: URL

    /// Returns the text that each file should have, by its path from the root.
    func texts() throws -> [String: String] {
        let reference = "docs/reference"
        let pages = "Sources/PopCommand/Pages"
        let ruleFiles = try String(
            contentsOf: root.appending(path: "\(reference)/rule-files.md"), encoding: .utf8)
        let mappings = "docs/how-to/prepare-logs-and-mappings.md"
        let mappingPage = try String(contentsOf: root.appending(path: mappings), encoding: .utf8)
        return [
            "Sources/PopPages/PageSources.swift": try PackedPage(root: root).source(),
            "\(reference)/checks.md": indexOfChecks(),
            mappings: try withPresetTable(mappingPage),
            "\(reference)/rule-files.md": try withKeyTables(ruleFiles),
            "\(pages)/CheckPages.swift": try EmbeddedPages(
                of: "checks", in: "CheckPages", "The page of each check", root: root
            ).source(),
            "\(pages)/ReasonPages.swift": try EmbeddedPages(
                of: "reason-codes", in: "ReasonPages", "The page of each reason code", root: root
            ).source(),
        ]
    }
}

/// A reason that a page can't be made.
struct PageError: Error, CustomStringConvertible {
    let description: String
}
