import Foundation

/// Writes Swift sources that contain text files: `PageEmbedder texts|page NAME OUTPUT FILE...`.
@main enum PageEmbedder {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 4 else { throw UsageError() }
        let (name, output) = (arguments[2], arguments[3])
        let files = arguments[4...].map { URL(filePath: $0) }
        let source =
            switch arguments[1] {
            case "texts": try texts(of: files, in: name)
            case "page": try page(style: files[0], main: files[1], in: name)
            default: throw UsageError()
            }
        try source.write(toFile: output, atomically: true, encoding: .utf8)
    }

    /// Returns an enum with the text of each file, by its name without the ending.
    private static func texts(of files: [URL], in name: String) throws -> String {
        let rows = try files.map { file in
            let key = file.deletingPathExtension().lastPathComponent
            return "        \"\(key)\": \(literal(try text(of: file))),\n"
        }
        return
            "enum \(name) {\n    static let texts: [String: String] = [\n\(rows.joined())    ]\n}\n"
    }

    /// Returns an enum with the style and the packed script of HTML pages.
    private static func page(style: URL, main: URL, in name: String) throws -> String {
        var script = PackedScript()
        _ = try script.add(main)
        return """
            enum \(name) {
                static let style = \(literal(try text(of: style)))
                static let script: StaticString = \(literal(script.text))
            }

            """
    }

    /// Returns the text of a file.
    static func text(of file: URL) throws -> String {
        try String(contentsOf: file, encoding: .utf8)
    }

    private static func literal(_ text: String) -> String { "###\"\"\"\n\(text)\n\"\"\"###" }
}

/// An error about arguments; the plugin `EmbedPages` passes the right ones.
struct UsageError: Error {}

/// The script of pages, packed from the modules in `Web/page`: one script, because a page that is
/// opened from a disk may not import any.
struct PackedScript {
    /// The names of modules in the script, by their paths.
    private var names: [String: String] = [:]
    private(set) var text = ""

    /// Adds a module after the modules that it imports, and returns its name. A module is a
    /// function, so that its names are private.
    mutating func add(_ file: URL) throws -> String {
        let path = file.standardizedFileURL.path
        if let name = names[path] { return name }
        let name = "module\(names.count)"
        names[path] = name
        var exports: [String] = []
        var lines: [String] = []
        for line in try PageEmbedder.text(of: file).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            if let match = line.wholeMatch(of: #/import (\{.*?\}) from "(.*?)";/#) {
                let other = file.deletingLastPathComponent().appending(path: String(match.2))
                lines.append("const \(match.1) = \(try add(other));")
            } else if let match = line.prefixMatch(
                of: #/export (?:async )?(?:function\*?|class|const|let) (\w+)/#)
            {
                exports.append(String(match.1))
                lines.append(String(line.dropFirst("export ".count)))
            } else {
                lines.append(String(line))
            }
        }
        text += "const \(name) = (() => {\n\(lines.joined(separator: "\n"))"
        text += "return { \(exports.joined(separator: ", ")) };\n})();\n"
        return name
    }
}
