import Foundation

/// The files of the repository that are made from others.
struct MadePages {
    /// The folder of the package.
    let root: URL

    /// Returns the text that each file should have, by its path from the root.
    func texts() throws -> [String: String] {
        let reference = "docs/reference"
        let pages = "Sources/PopCommand/Pages"
        let mappings = "docs/how-to/prepare-logs-and-mappings.md"
        let mappingPage = try String(contentsOf: root.appending(path: mappings), encoding: .utf8)
        var texts = [
            "Sources/PopPages/PageSources.swift": try PackedPage(root: root).source(),
            "\(reference)/checks.md": indexOfChecks(),
            mappings: try withPresetTable(mappingPage),
            "\(pages)/CheckPages.swift": try EmbeddedPages(
                of: "checks", in: "CheckPages", "The page of each check", root: root
            ).source(),
            "\(pages)/ReasonPages.swift": try EmbeddedPages(
                of: "reason-codes", in: "ReasonPages", "The page of each reason code", root: root
            ).source(),
        ]
        for (path, text) in try KeyPages(in: root.appending(path: reference)).texts() {
            texts["\(reference)/\(path)"] = text
        }
        return texts
    }
}

/// A reason that a page can't be made.
struct PageError: Error, CustomStringConvertible {
    let description: String
}
