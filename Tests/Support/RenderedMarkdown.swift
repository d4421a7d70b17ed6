import Foundation

/// Markdown as an independent implementation reads it: markdown-it-py, a package of Python.
///
/// Further markup of GitHub and GitLab, such as mentions, is found by patterns.
package struct RenderedMarkdown: Decodable, Sendable {
    /// The kinds of elements in the document, such as `table` and `image`; each once, sorted.
    package let kinds: [String]
    /// The text that a reader sees, without the breaks that have no width.
    package let visible: String

    /// True if `python3` has the package.
    package static let isHere = (try? run(["-c", "import markdown_it"], input: Data())) != nil

    /// Renders each document.
    package static func reading(_ documents: [String]) throws -> [Self] {
        let printed = try run(["-c", script], input: JSONEncoder().encode(documents))
        return try JSONDecoder().decode([Self].self, from: printed)
    }

    /// Returns the output of python3; throws if it fails.
    private static func run(_ arguments: [String], input: Data) throws -> Data {
        struct Failed: Error {}
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("poprules-\(UUID()).json")
        try input.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed() }
        return printed
    }

    private static let script = #"""
        import json, re, sys
        from markdown_it import MarkdownIt

        reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
        # What GitHub and GitLab look for in the text of a document, outside of code.
        patterns = {
            "mention": r"(?<![A-Za-z0-9])@[A-Za-z0-9_\"]",
            "mail": r"[A-Za-z0-9._-]+@[A-Za-z0-9-]+\.",
            "reference": r"#[0-9]|\bGH-[0-9]",
            "commit": r"\b(?=[0-9a-f]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,40}\b",
            "address": r"[A-Za-z]://|www\.[A-Za-z0-9]",
            "emoji": r":(?!(?!100:|1234:)[0-9]+:)[A-Za-z0-9_+-]+:",
            "contents": r"\[\[|\{[+-]|\[[+-]",
        }

        def read(document):
            kinds, visible, text = set(), [], []

            def end():
                whole = "".join(text)
                kinds.update(k for k, p in patterns.items() if re.search(p, whole, re.A))
                text.clear()

            for block in reader.parse(document):
                if block.type in ("fence", "code_block"):
                    kinds.add(block.type)
                    visible.append(block.content)
                elif block.type == "inline":
                    for part in block.children:
                        if part.type == "text":
                            text.append(part.content)
                            visible.append(part.content)
                        elif part.type in ("softbreak", "hardbreak"):
                            text.append("\n")
                            visible.append("\n")
                        else:
                            end()
                            kinds.add(part.type.removesuffix("_open").removesuffix("_close"))
                            if part.type == "code_inline":
                                visible.append(part.content)
                    end()
                    visible.append("\n")
                else:
                    kinds.add(block.type.removesuffix("_open").removesuffix("_close"))
            return {"kinds": sorted(kinds), "visible": "".join(visible).replace("\u200b", "")}

        json.dump([read(d) for d in json.load(sys.stdin)], sys.stdout)
        """#
}

/// Strings that Markdown, GitHub, GitLab or a terminal would read as markup or commands.
package enum HostileTexts {
    /// Strings that are dangerous in themselves.
    package static let written = [
        "`![i](http://evil.example/p.png)", "``![i](http://evil.example/p.png)`",
        "[x](command:evil)", "<img src=x>", "<http://evil.example>", "http://evil.example",
        "https://github.com/o/r/issues/1", "www.evil.example", "_www.evil.example", "@admin",
        "a@evil.example",
        "#12", "!12", "GH-12", "o/r#12", "0123abc", "0123456789abcdef0123456789abcdef01234567",
        "# title", "> quote", "- item", "+ item", "* item", "1. item", "12) item", "---", "===",
        "```", "~~~", "    code", "| a | b |", "|---|---|", "**bold**", "__bold__", "_it_", "~~x~~",
        "&lt;", "&copy", "\\", "\\`", "$x$", ":tada:", "[[_TOC_]]", "{+ new +}", "[- old -]",
        "/close", "[^1]", "[^1]: note", "[a]: http://evil.example", "a\nb", "a\n\n# b", "a\r\n- b",
        "*\u{301}x*\u{301}", "`\u{301}![i](http://e.example)", "\u{D4E}<img>", "\u{1B}[2J",
        "\u{202E}x",
        "a|b", "`a|b`", "\\|", "<!-- x -->", "</code>", "`", "``", "` `", "", " ", "x  \ny",
    ]

    /// Returns some of them with random characters in between, one after the other.
    package static func text(using generator: inout some RandomNumberGenerator) -> String {
        let letters = Array("ab1 \n\t`*_{}[]<>()#+-.!|~&@:$^=\\/\"'%,;?é日\u{301}\u{200B}")
        return (0..<Int.random(in: 1...6, using: &generator)).map { _ in
            switch Int.random(in: 0...2, using: &generator) {
            case 0: written.randomElement(using: &generator) ?? ""
            default:
                String(
                    (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                        letters.randomElement(using: &generator) ?? "a"
                    })
            }
        }.joined()
    }
}
