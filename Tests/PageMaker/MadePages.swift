import Foundation

/// The files of the repository that are made from others.
struct MadePages {
    /// The folder of the package.
    let root: URL

    /// Returns the text that each file should have, by its path from the root.
    func texts() throws -> [String: String] {
        let reference = "docs/reference"
        let mappings = "docs/how-to/prepare-logs-and-mappings.md"
        let mappingPage = try String(contentsOf: root.appending(path: mappings), encoding: .utf8)
        var texts = [
            "\(reference)/checks.md": indexOfChecks(),
            mappings: try withPresetTable(mappingPage),
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
