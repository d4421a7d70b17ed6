import Foundation
import Testing

/// The relative links and images of a Markdown page.
struct RelativeLinks {
    /// The paths with their fragments, such as `checks/P0101.md#fix`.
    let targets: [String]

    init(in page: String) {
        let prose = page.components(separatedBy: "```").enumerated()
            .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
        targets = prose.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
            .filter { $0.wholeMatch(of: /(?:https?|mailto):.*/) == nil }
    }

    /// The anchors of a page's headings, in the form that GitHub and MkDocs use.
    static func anchors(of page: String) -> Set<String> {
        let prose = page.components(separatedBy: "```").enumerated()
            .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
        return Set(
            prose.matches(of: /(?:^|\n)#+ +([^\n]+)/).map { heading in
                heading.1.lowercased().replacing(/[^\p{L}\p{N} _\-]/, with: "")
                    .replacing(" ", with: "-")
            })
    }
}

@Suite struct `The links of the documentation` {
    static let pages =
        ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Python/README.md"]
        + `The documentation`.pages.filter { $0.hasPrefix("docs/") }

    @Test(arguments: pages)
    func `lead to files and headings that exist`(page: String) throws {
        let text = try Repository.text(page)
        let file = Repository.root.appending(path: page)
        for target in RelativeLinks(in: text).targets {
            let parts = target.split(
                separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let linked =
                parts[0].isEmpty
                ? file : file.deletingLastPathComponent().appending(path: String(parts[0]))
            #expect(FileManager.default.fileExists(atPath: linked.path), "\(page): \(target)")
            guard parts.count > 1, linked.pathExtension == "md" else { continue }
            let anchors = RelativeLinks.anchors(
                of: try String(contentsOf: linked, encoding: .utf8))
            #expect(anchors.contains(String(parts[1])), "\(page): no heading for \(target)")
        }
    }

    @Test func `are relative, not links of a symbol catalog`() throws {
        for page in Self.pages {
            #expect(try !Repository.text(page).contains("<doc:"), "\(page)")
        }
    }
}
