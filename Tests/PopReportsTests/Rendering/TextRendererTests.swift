import PopReports
import PopSource
import Testing

@Suite struct `The text renderer` {
    /// Renders one finding about the text between `«` and `»`.
    private func render(_ marked: String, label: String = "here", help: [String] = []) -> String {
        let parts = marked.split(separator: "«", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts[1].split(separator: "»", maxSplits: 1, omittingEmptySubsequences: false)
        var sources = SourceSet()
        let bytes = Array((parts[0] + rest[0] + rest[1]).utf8)
        let file = sources.add(path: "rules/a.yaml", bytes: bytes)
        let start = parts[0].utf8.count
        let range = SourceRange(file: file.id, start..<start + rest[0].utf8.count)
        var renderer = TextRenderer(sources: sources)
        return renderer.render(
            Diagnostic(
                .schemaUnknownKey, message: "unknown key", at: range, label: label, help: help))
    }

    @Test func `shows the place of a finding, its line and the labels of other files`() {
        var sources = SourceSet()
        let rule = "popups:\n  pro_tip:\n    when: >-\n      user.plna == \"pro\"\n"
        let context = "context:\n  user.plan: string\n"
        let first = sources.add(path: "rules/onboarding.yaml", bytes: Array(rule.utf8))
        let second = sources.add(path: "rules/context.yaml", bytes: Array(context.utf8))
        let diagnostic = Diagnostic(
            .conditionUnknownKey, message: "unknown context key `user.plna`",
            at: SourceRange(file: first.id, 38..<47), label: "not declared in the context",
            subject: "popup `pro_tip`",
            secondary: [
                Diagnostic.Label(
                    "a similar key is declared here", at: SourceRange(file: second.id, 11..<20))
            ],
            help: ["did you mean `user.plan`?"])
        var renderer = TextRenderer(sources: sources)
        #expect(
            renderer.render(diagnostic)
                == """
                error[P0301]: unknown context key `user.plna`
                 --> rules/onboarding.yaml:4:7 (popup `pro_tip`)
                  |
                3 |     when: >-
                4 |       user.plna == "pro"
                  |       ^^^^^^^^^ not declared in the context
                  |
                 ::: rules/context.yaml:2:3
                2 |   user.plan: string
                  |   --------- a similar key is declared here
                  |
                  = help: did you mean `user.plan`?
                  = docs: poprules explain-check P0301

                """)
    }

    @Test func `prints infos after errors and warnings, each in the order of places (A26)`() {
        var sources = SourceSet()
        let file = sources.add(path: "a.yaml", bytes: Array("a\nb\nc\nd\n".utf8))
        let checks: [Check] = [
            .hygieneNoOwner, .scheduleLongDelay, .hygieneNoDescription, .schemaUnknownKey,
        ]
        var diagnostics = Diagnostics()
        for (line, check) in checks.enumerated() {
            let range = SourceRange(file: file.id, line * 2..<line * 2 + 1)
            diagnostics.report(Diagnostic(check, message: "here", at: range, label: ""))
        }
        var renderer = TextRenderer(sources: sources)
        let heads = renderer.render(diagnostics).split(separator: "\n")
            .filter { $0.hasSuffix(": here") }
        #expect(
            heads == [
                "warning[P0521]: here", "error[P0101]: here", "info[P0801]: here",
                "info[P0802]: here",
            ])
    }

    @Test(arguments: [
        ("\ta: «b»", "    a: b\n  |        ^ here"),
        ("日本: «b»", "日本: b\n  |       ^ here"),
        ("👩‍👩‍👧: «日»", "👩‍👩‍👧: 日\n  |     ^^ here"),
        ("🇩🇪é: «b»", "🇩🇪é: b\n  |      ^ here"),
    ])
    func `puts carets at the right column under tabs, wide characters and emoji`(
        marked: String, expected: String
    ) {
        #expect(
            render(marked).contains(expected),
            "\(render(marked))")
    }

    @Test func `the text renderer shows control and bidirectional characters escaped`() {
        let text = render("a\u{1B}[31m\u{202E}: «b»")
        #expect(text.contains("1 | a\\u{1b}[31m\\u{202e}: b"))
        #expect(!text.contains("\u{1B}"))
    }

    @Test func `puts one caret under an empty range`() {
        #expect(render("a: 1«»").contains("1 | a: 1\n  |     ^ here"))
    }

    @Test func `cuts a long line around the marked range`() {
        let filler = String(repeating: "x", count: 100_000)
        let text = render("\(filler)«bad»\(filler)")
        let (before, after) = ("…" + filler.prefix(25), filler.prefix(46) + "…")
        #expect(
            text.contains(
                """
                1 | \(before)bad\(after)
                  | \(String(repeating: " ", count: 26))^^^ here

                """))
    }

    @Test(arguments: 0...200)
    func `shows the marked range without exceeding the page width`(length: Int) {
        for filler in ["x", "\t", "日", "\u{1B}", "e\u{301}"] {
            let text = render(
                String(repeating: filler, count: length) + "«bad» " + filler + "end")
            let line = text.split(separator: "\n").first { $0.hasPrefix("1 | ") } ?? ""
            #expect(TerminalText(line).width <= 80, "\(line)")
            #expect(line.contains("bad"))
            let caret = text.split(separator: "\n").first { $0.contains("^^^") } ?? ""
            let ahead = line.prefix(upTo: line.firstRange(of: "bad")?.lowerBound ?? line.endIndex)
            #expect(TerminalText(ahead).width == caret.prefix { $0 != "^" }.count, "\(text)")
        }
    }

    @Test func `keeps a help of several lines aligned`() {
        #expect(
            render("«a»", help: ["write\nwhen: true"]).contains(
                "  = help: write\n          when: true\n"))
    }
}
