import Foundation
import PopReports
import PopSource
import PopTestSupport
import Testing

@Suite struct `Markdown of the program` {
    private static let texts: [(text: String, source: String)] = [
        ("welcome-back 2.5 (3) + 1", "welcome-back 2.5 (3) + 1"),
        ("![i](http://e.example)", #"\!\[i\](http\:&#8203;//e.example)"#),
        ("a_b * c", #"a\_b \* c"#), ("<b>&amp;", #"\<b\>\&amp;"#), ("a|b~c", #"a\|b\~c"#),
        ("- a", #"\- a"#), ("12. a", #"12\. a"#), ("12) a", #"12\) a"#), ("+ a", #"\+ a"#),
        ("/close", #"\/close"#), ("===", #"\==="#), ("# a", ##"\# a"##), ("1.5", #"1\.5"#),
        ("    a", "a"), ("a\nb\r\nc", "a b c"), ("a@b.c", #"a\@&#8203;b.c"#),
        ("@admin", #"\@&#8203;admin"#), ("#12", ##"\#&#8203;12"##), ("GH-12", "GH-&#8203;12"),
        ("www.e.example", #"www\.&#8203;e.example"#),
        (":tada: 11:30:00 a.yaml:1:5", #"\:&#8203;tada: 11:30:00 a.yaml:1:5"#),
        ("0123abc 1234567", "0123ab&#8203;c 1234567"), ("`\u{301}`", "\\`\u{301}\\`"),
        ("\u{1B}[2J", #"\\u\{1b\}\[2J"#), ("{+ a +} [[x]]", #"\{&#8203;+ a +\} \[&#8203;\[x\]\]"#),
    ]

    @Test(arguments: texts)
    func `escapes only what would be markup`(text: String, source: String) {
        #expect(Markdown.text(text).source == source)
    }

    @Test(arguments: [
        ("a popup has no key `priorty`", "a popup has no key `priorty`"),
        ("`a < b` and a < b", #"`a < b` and a \< b"#),
        ("`![i](x)", #"\`\!\[i\](x)"#),
        ("`name == \"a`b\"` never", "``name == \"a`b\"`` never"),
        ("``a`b`` x", "``a`b`` x"), ("`a``b` x", "```a``b``` x"), ("``", #"\`\`"#),
        ("no code", "no code"),
    ])
    func `treats strings between backticks in a message as code`(message: String, source: String) {
        #expect(Markdown.message(message).source == source)
    }

    @Test
    func `uses longer backticks around code than inside it, and spaces where they would touch`() {
        let spans = ["a": "`a`", "`": "`` ` ``", "a``b": "```a``b```", " a ": "`  a  `", "": ""]
        for (code, source) in spans { #expect(Markdown.code(code).source == source) }
        #expect(Markdown.block("a\n```\nb\n").source == "````\na\n```\nb\n````")
        #expect(("\(code: "a")\(code: "b")" as Markdown).source == "`a`&#8203;`b`")
    }

    @Test func `keeps the cells of a table apart`() {
        let table = Markdown.table(
            ["a", "b"], rows: [[.code("x|y"), "\("p|q\nr")"], [.code("\\|"), "\(code: "``")"]])
        #expect(
            table.source == """
                | a | b |
                |---|---|
                | `x\\|y` | p\\|q r |
                | \\\\\\| | ``` `` ``` |
                """)
    }

    @Test func `converts to plain text without markup`() {
        let text: Markdown = "**\("a**b_c")** popup\n\n\(.block("x\n"))\n\n\(code: "y")"
        #expect(text.plain == "a**b_c popup\n\nx\n\n`y`")
        #expect(Markdown.lines("- a\n\n\n  # b\nc").plain == "- a\n\n# b\nc")
    }

    @Test func `a scan finds no unescaped markup in strings that Markdown contains`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<3_000 {
            let text = HostileTexts.text(using: &generator)
            let source = Markdown.text(text).source
            #expect(unescapedMarkup(in: source).isEmpty, "\(text.debugDescription): \(source)")
        }
    }

    /// Returns the characters that are markup in any place and have no backslash before them.
    private func unescapedMarkup(in source: String) -> [Character] {
        var found: [Character] = []
        var rest = source.replacing("&#8203;", with: "").unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "\\" {
                guard let next = rest.popFirst(), next.isASCII else {
                    found.append("\\")
                    continue
                }
            } else if "`*_{}[]<>#!|~&@$%^\n\r".unicodeScalars.contains(scalar) {
                found.append(Character(scalar))
            }
        }
        if let first = source.first, "-+=:/.) \t".contains(first) { found.append(first) }
        return found
    }

    // MARK: as an independent implementation reads it

    private struct Sample {
        var text: String
        var source: String
        var allowed: Set<String>
        /// The text that a reader must see; nil if there is more than one right text.
        var visible: String?
    }

    @Test(.enabled(if: RenderedMarkdown.isHere, "python3 has no module `markdown_it`"))
    func `Markdown renders any string unchanged, and renders nothing else`() throws {
        var generator = SeededGenerator(seed: 2)
        let texts =
            HostileTexts.written
            + (0..<1_500).map { _ in HostileTexts.text(using: &generator) }
        let samples = texts.flatMap(samples)
        let read = try RenderedMarkdown.reading(samples.map(\.source))
        try #require(read.count == samples.count)
        for (sample, read) in zip(samples, read) {
            let others = Set(read.kinds).subtracting(sample.allowed)
            #expect(others.isEmpty, "\(sample.text.debugDescription): \(sample.source)")
            guard let visible = sample.visible else { continue }
            #expect(
                words(read.visible) == words(visible),
                "\(sample.text.debugDescription): \(sample.source)")
        }
    }

    private func samples(of text: String) -> [Sample] {
        let (shown, code) = (shown(text), shownAsCode(text))
        let table: Set = ["table", "thead", "tbody", "tr", "th", "td", "paragraph"]
        let plain: Set = ["paragraph", "text", "softbreak"]
        func sample(_ source: Markdown, _ allowed: Set<String>, _ visible: String?) -> Sample {
            Sample(text: text, source: source.source, allowed: allowed, visible: visible)
        }
        return [
            sample(.text(text), plain, shown),
            sample("a\n\(text)", plain, "a " + shown),
            sample("- \(text)", plain.union(["bullet_list", "list_item"]), shown),
            sample("### \(text)", ["heading", "text"], shown),
            sample(.lines(text), plain.union(["hardbreak"]), shown),
            sample(
                .table(["\(text)"], rows: [["\(text)"]]), table.union(["text"]),
                shown + " " + shown),
            sample("x \(code: text) y", plain.union(["code_inline"]), "x \(code) y"),
            sample(
                .table(["a"], rows: [[.code(text)]]), table.union(["text", "code_inline"]),
                "a " + code),
            sample(.block(text), ["fence"], shownInBlock(text)),
            // A line break is a blank in text and shown in code.
            sample(
                "x \(message: text)", plain.union(["code_inline"]),
                text.contains(where: \.isNewline) ? nil : "x " + shown),
        ]
    }

    private func shown(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            isBreak(scalar) || scalar == "\t" ? " " : escapedForTerminal(String(scalar))
        }.joined()
    }

    private func shownAsCode(_ text: String) -> String {
        text.unicodeScalars.map { escapedForTerminal(String($0)) }.joined()
    }

    private func shownInBlock(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { shownAsCode(String($0)) }
            .joined(separator: "\n")
    }

    private func isBreak(_ scalar: Unicode.Scalar) -> Bool { Character(scalar).isNewline }

    /// Renderers make one blank of several, and code of a message has no backticks of its own.
    private func words(_ text: String) -> [String] {
        text.unicodeScalars.filter { $0 != "`" }.split { $0.properties.isWhitespace }
            .map { String($0) }
    }
}
