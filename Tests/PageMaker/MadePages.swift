import Foundation

/// The files of the repository that are made from others.
struct MadePages {
    /// The folder of the package.
    let root: URL

    /// Returns the text that each file should have, by its path from the root.
    func texts() throws -> [String: String] {
        let catalog = "Sources/PopCommand/PopCommand.docc"
        let pages = "Sources/PopCommand/Pages"
        let ruleFiles = try String(
            contentsOf: root.appending(path: "\(catalog)/RuleFiles.md"), encoding: .utf8)
        let backtests = try String(
            contentsOf: root.appending(path: "\(catalog)/Backtests.md"), encoding: .utf8)
        return [
            "Sources/PopPages/PageSources.swift": try PackedPage(root: root).source(),
            "\(catalog)/Checks.md": indexOfChecks(),
            "\(catalog)/Backtests.md": try withPresetTable(backtests),
            "\(catalog)/RuleFiles.md": try withKeyTables(ruleFiles),
            "\(pages)/CheckPages.swift": try EmbeddedPages(
                of: "Checks", in: "CheckPages", "The page of each check", root: root
            ).source(),
            "\(pages)/ReasonPages.swift": try EmbeddedPages(
                of: "ReasonCodes", in: "ReasonPages", "The page of each reason code", root: root
            ).source(),
        ]
    }
}

/// A reason that a page can't be made.
struct PageError: Error, CustomStringConvertible {
    let description: String
}
