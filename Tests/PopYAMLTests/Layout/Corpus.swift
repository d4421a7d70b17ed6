import Foundation

/// Files to try the layout on.
enum Corpus {
    static let suite = ProcessInfo.processInfo.environment["YAML_TEST_SUITE"]

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The YAML files of this repository, and the YAML in its documentation.
    static func files() throws -> [String] {
        var found = try ["rules", "Tests"].flatMap { folder in
            try texts(in: root.appending(path: folder)) {
                $0.hasSuffix(".yaml") && !$0.contains(".build")
            }
        }
        for page in try texts(in: root.appending(path: "docs"), where: { $0.hasSuffix(".md") }) {
            found += blocks(in: page)
        }
        return found
    }

    static func suiteFiles() throws -> [String] {
        try suite.map { try texts(in: URL(filePath: $0)) { $0.hasSuffix("in.yaml") } } ?? []
    }

    private static func texts(in folder: URL, where isWanted: (String) -> Bool) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().filter(isWanted)
            .compactMap { try? String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    }

    private static func blocks(in page: String) -> [String] {
        page.components(separatedBy: "```yaml\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
    }
}
