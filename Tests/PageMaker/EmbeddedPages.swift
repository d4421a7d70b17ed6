import Foundation

/// Pages of a folder of the documentation that the program carries, so that they can be read
/// offline.
struct EmbeddedPages {
    private let folder: String
    private let name: String
    private let summary: String
    private let root: URL

    /// - Parameters:
    ///   - folder: the folder in `docs/reference`
    ///   - name: the name of the enum in the sources that holds the texts
    ///   - summary: what the texts are
    ///   - root: the folder of the package
    init(of folder: String, in name: String, _ summary: String, root: URL) {
        self.folder = folder
        self.name = name
        self.summary = summary
        self.root = root
    }

    /// The text of each page, by the name of its file.
    func pages() throws -> [String: String] {
        let path = root.appending(path: "docs/reference/\(folder)")
        let files = try FileManager.default.contentsOfDirectory(atPath: path.path)
        let names = files.filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                (name, try String(contentsOf: path.appending(path: "\(name).md"), encoding: .utf8))
            })
    }

    /// The source that carries the pages.
    func source() throws -> String {
        var text = """
            // swift-format-ignore-file
            // The pages in docs/reference/\(folder) as the program carries them.
            // `make pages` writes this file.

            /// \(summary), by id, in Markdown.
            enum \(name) {
                static let texts: [String: String] = [

            """
        for (id, page) in try pages().sorted(by: { $0.key < $1.key }) {
            text += "        \"\(id)\": \"\(escaped(page))\",\n"
        }
        return text + "    ]\n}\n"
    }

    /// As a string literal of Swift on one line.
    private func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n": "\\n"
            case "\t": "\\t"
            default:
                switch scalar.properties.generalCategory {
                case .control, .format: "\\u{\(String(scalar.value, radix: 16))}"
                default: String(scalar)
                }
            }
        }.joined()
    }
}
