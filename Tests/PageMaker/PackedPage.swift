import Foundation
import PopStories

#if canImport(Crypto)
    import Crypto
#endif

/// The script and the style of pages, packed from the modules in `Web/page`: one script, since a
/// page that is opened from a disk may not import any, and one style, with that of drawings.
struct PackedPage {
    /// The names of modules in the script, by their paths.
    private var names: [String: String] = [:]
    private(set) var script = ""
    let style: String

    /// - Parameter root: the folder of the package
    init(root: URL) throws {
        let folder = root.appending(path: "Web/page")
        style = try String(contentsOf: folder.appending(path: "page.css"), encoding: .utf8)
            .replacing("/*light*/", with: DrawingStyle.light)
            .replacing("/*dark*/", with: DrawingStyle.dark)
            .replacing("/*drawing*/\n", with: DrawingStyle.inPage)
        _ = try add(folder.appending(path: "main.js").standardizedFileURL)
    }

    /// Adds a module after the modules that it imports, and returns its name. A module is a
    /// function, so that its names are private.
    private mutating func add(_ file: URL) throws -> String {
        if let name = names[file.path] { return name }
        let name = "module\(names.count)"
        names[file.path] = name
        var exports: [String] = []
        var lines: [String] = []
        let text = try String(contentsOf: file, encoding: .utf8)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let match = line.wholeMatch(of: #/import (\{.*?\}) from "(.*?)";/#) {
                let other = file.deletingLastPathComponent().appending(path: String(match.2))
                lines.append("const \(match.1) = \(try add(other.standardizedFileURL));")
            } else if let match = line.prefixMatch(
                of: #/export (?:async )?(?:function\*?|class|const|let) (\w+)/#)
            {
                exports.append(String(match.1))
                lines.append(String(line.dropFirst("export ".count)))
            } else {
                lines.append(String(line))
            }
        }
        script += "const \(name) = (() => {\n\(lines.joined(separator: "\n"))"
        script += "return { \(exports.joined(separator: ", ")) };\n})();\n"
        return name
    }

    /// The source that carries them.
    func source() throws -> String {
        """
        // swift-format-ignore-file
        // The modules and the style in Web/page as the program carries them.
        // `make pages` writes this file.

        /// The script and the style of pages, with the hashes by which a page's policy admits them.
        enum PageSources {
            static let scriptHash = "\(try Self.hash(of: script))"
            static let styleHash = "\(try Self.hash(of: style))"
            static let style: StaticString = \(Self.literal(style))
            static let script: StaticString = \(Self.literal(script))
        }

        """
    }

    /// Returns the hash by which a content security policy names a script or style.
    private static func hash(of text: String) throws -> String {
        #if canImport(Crypto)
            "sha256-" + Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
        #else
            throw PageError(description: "the trait Signing has the SHA-256 of pages")
        #endif
    }

    /// As a literal of several lines, so that a changed line is one of the source, too.
    private static func literal(_ text: String) -> String { "###\"\"\"\n\(text)\n\"\"\"###" }
}
