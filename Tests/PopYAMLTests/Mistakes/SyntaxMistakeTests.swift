import PopSource
import PopTestSupport
import PopYAML
import Testing

/// Mistakes in a file itself, in the words of authors who don't know YAML's grammar.
@Suite struct SyntaxMistakeTests {
    @Test func `tabs at the start of lines are one mistake`() {
        expectFinding(
            .yamlTabIndent, in: "a:\n«\t»b: 1\n\tc:\n\t\td: 1\n", "a tab is used for indentation",
            fixed: "a:\n  b: 1\n  c:\n    d: 1\n")
        expectFinding(
            .yamlTabIndent, in: "-«\t»foo: 1\n\tbar: 2\n", "a tab is used for indentation",
            fixed: "- foo: 1\n  bar: 2\n")
        expectFinding(
            .yamlTabIndent, in: "a: |\n«\t»b\n", "a tab is used for indentation",
            fixed: "a: |\n  b\n")
        expectFinding(
            .yamlTabIndent, in: "a:\n  b:\n«\t»c: 1\n\td: 2\n", "a tab is used for indentation",
            fixed: "a:\n  b:\n    c: 1\n    d: 2\n")
    }

    @Test func `a tab among lines with spaces is as wide as the indentation of the line above`() {
        expectFinding(
            .yamlTabIndent, in: "a:\n  b:\n    c: 1\n«\t»d: 1\n    e: 1\n",
            "a tab is used for indentation", fixed: "a:\n  b:\n    c: 1\n    d: 1\n    e: 1\n")
        expectFinding(
            .yamlTabIndent, in: "a:\n  b: 1\n«\t»c:\n\t  d: 1\n",
            "a tab is used for indentation", fixed: "a:\n  b: 1\n  c:\n    d: 1\n")
        expectFinding(
            .yamlTabIndent, in: "a:\n    b:\n«\t»c: 1\n\td: 2\n    e: 3\n",
            "a tab is used for indentation",
            fixed: "a:\n    b:\n      c: 1\n      d: 2\n    e: 3\n")
    }

    @Test func `a tab between equally indented lines means the same indentation`() {
        expectFinding(
            .yamlTabIndent, in: "a:\n    b: 1\n  «\t»c: 2\n    d: 3\n",
            "a tab is used for indentation", fixed: "a:\n    b: 1\n    c: 2\n    d: 3\n")
    }

    @Test func `an alias above its anchor is reported with the position of the anchor`() throws {
        let text = "a: *x\nb: &x { c: 1 }\n"
        let found = YAMLDocument.parse(SourceFile(path: "a.yaml", text: text)).diagnostics.list
        #expect(found.map(\.check) == [.yamlUndefinedAlias])
        #expect(found.first?.help == ["move the value with `&x` above the first `*x`"])
        #expect(found.first?.secondary.count == 1)
    }

    @Test func `Gherkin gets the help that tests are maps`() {
        let text = "Feature: a\n  Scenario: b\n    Given c\n"
        let found = YAMLDocument.parse(SourceFile(path: "a.yaml", text: text)).diagnostics.list
        #expect(
            found.flatMap(\.help).contains { $0.hasPrefix("write tests as maps, not as Gherkin: ") }
        )
        #expect(found.flatMap(\.fixes).isEmpty)
    }

    @Test func `a tab with two possible meanings has no safe fix`() {
        let fixes = ["a:\n\tb: 1\n\tc: 2\n", "a:\n  b:\n    c: 1\n\td: 2\n"].map { text in
            YAMLDocument.parse(SourceFile(path: "a.yaml", text: text)).diagnostics.list
                .flatMap(\.fixes).map(\.isSafe)
        }
        #expect(fixes == [[true], [false]])
    }

    @Test func `a line with a tab among lines with spaces hides no mistake below it`() {
        let text = "a:\n  b:\n    c: 1\n\td: 2\n  e: \"x\" == y\n  f: 1\n"
        let checked = YAMLDocument.parse(SourceFile(path: "a.yaml", text: text))
        #expect(
            checked.diagnostics.list.map(\.check) == [.yamlTabIndent, .yamlUnquotedExpression])
        #expect(checked.value?.root["a"]?["f"]?.scalar?.value == .int(1))
    }

    @Test func `an unterminated quote is reported where it opens`() {
        expectFinding(
            .yamlSyntax, in: "title: «\"abc»\nbody: \"def\"\nz: 1\n",
            "the string that starts with `\"` is not closed",
            fixed: "title: \"abc\"\nbody: \"def\"\nz: 1\n")
        expectFinding(
            .yamlSyntax, in: "x: 1\ntitle: «'tis»\n",
            "the string that starts with `'` is not closed", fixed: "x: 1\ntitle: 'tis'\n")
    }

    @Test func `unclosed brackets are reported where they open`() {
        let found = expectFinding(
            .yamlSyntax, in: "c: «[»a, b\nd: 1\n", "the list that starts with `[` is not closed",
            fixed: "c: [a, b]\nd: 1\n")
        #expect(found?.secondary.map(\.range.bytes) == [8..<8])
        expectFinding(
            .yamlSyntax, in: "c: { a: «[»1, 2 }\nd: 1\n",
            "the list that starts with `[` is not closed", fixed: "c: { a: [1, 2] }\nd: 1\n")
        expectFinding(
            .yamlSyntax, in: "c: «{» a: 1,\nd: 1\n", "the map that starts with `{` is not closed")
    }

    @Test func `a missing comma is reported with the next token`() {
        expectFinding(
            .yamlSyntax, in: "cap: { max: «5» per: 1h }\n", "a comma is missing after `5`",
            fixed: "cap: { max: 5, per: 1h }\n")
        expectFinding(
            .yamlSyntax, in: "c: [a, «,» b]\n", "there is no value before this `,`",
            fixed: "c: [a,  b]\n")
    }

    @Test func `D: every missing comma of JSON at the end of a line is found separately`() {
        let text = "{\n  \"a\": \"x\"\n  \"b\": [1]\n  \"c\": 1,\n}\n"
        let found = YAMLDocument.parse(SourceFile(path: "rules.yaml", text: text)).diagnostics
        #expect(
            found.list.map(\.message)
                == ["\"x\"", "[1]"].map { "a comma is missing after `\($0)`" })
    }

    @Test func `D: a comment of another language is reported with the sign of YAML comments`() {
        expectFinding(
            .yamlSyntax, in: "a: 1\n«// b»\nc: 1\n", "a comment must start with `#`, not with `//`",
            fixed: "a: 1\n# b\nc: 1\n")
    }

    @Test func `a missing space after a colon is reported`() {
        expectFinding(
            .yamlSyntax, in: "a: 1\n«when:x»\n", "a space is missing after `when:`",
            fixed: "a: 1\nwhen: x\n")
        expectFinding(
            .yamlSyntax, in: "c: {«a:1»}\n", "a space is missing after `a:`", fixed: "c: {a: 1}\n")
        expectFinding(
            .yamlSyntax, in: "a: 1\nb:«\u{A0}»2\n",
            "the character after `b:` only looks like a space", fixed: "a: 1\nb: 2\n")
    }

    @Test func `a line without a colon is reported`() {
        expectFinding(
            .yamlSyntax, in: "a: 1\n«foo»\nb: 2\n", "`:` is missing after `foo`")
        expectFinding(
            .yamlSyntax, in: "a:\n  «foo»\n  b: 2\n", "`:` is missing after `foo`")
        expectFinding(
            .yamlSyntax, in: "a: 1\nb «=» 2\n", "`b` is followed by `=` instead of `:`",
            fixed: "a: 1\nb: 2\n")
    }

    @Test func `indentation that matches no level is reported`() {
        let found = expectFinding(
            .yamlSyntax, in: "a:\n    b: 1\n  «c»: 2\nd: 1\n",
            "the indentation of `c` does not match any line above", label: "indented by 2 spaces")
        #expect(found?.secondary.map(\.text) == ["indented by 4 spaces", "indented by 0 spaces"])
        expectFinding(
            .yamlSyntax, in: "  a: 1\n«b»: 2\n",
            "`b` is indented less than the first line of the file")
        expectFinding(
            .yamlSyntax, in: "text: some\n  «note»: more\n  x: 1\nb: 2\n",
            "`note` is indented as if it belonged to `text`",
            fixed: "text: some\nnote: more\nx: 1\nb: 2\n")
        expectFinding(
            .yamlSyntax, in: "popups: «foo»: bar\n  a: 1\n  b: 2\nz: 1\n",
            "`foo` must be on its own line, below `popups`")
    }

    @Test func `a line indented too deeply below a line indented too little is reported`() {
        let text = "a:\n  b: x\n y\n   c: 1\nd: 2\n"
        let checked = YAMLDocument.parse(SourceFile(path: "a.yaml", text: text))
        #expect(checked.diagnostics.hasErrors)
    }

    @Test func `items among keys and keys among items are reported`() {
        expectFinding(
            .yamlSyntax, in: "a: 1\n«-» b\n- c\n",
            "a list item appears among the keys of a map")
        expectFinding(
            .yamlSyntax, in: "a:\n  - x\n  «b»: 1\n", "`b` appears among the items of a list")
    }

    @Test func `unknown escapes are reported`() {
        expectFinding(
            .yamlSyntax, in: "a: \"x«\\d»\"\n",
            "`\\d` is not a valid escape in a double-quoted string", fixed: "a: \"x\\\\d\"\n")
        expectFinding(
            .yamlSyntax, in: "a: \"«\\u12»\"\n",
            "`\\u` must be followed by 4 hexadecimal digits (0–9, a–f)")
        expectFinding(
            .yamlSyntax, in: "a: \"«\\ud800»\"\n", "`\\ud800` is not the code of a valid character")
        // As `json.dumps` of Python writes them.
        expectFinding(
            .yamlSyntax, in: "a: \"x«\\ud83d\\ude00»\"\n",
            "`\\ud83d\\ude00` is an escape of JSON, which YAML does not support",
            fixed: "a: \"x\\U0001F600\"\n")
    }

    @Test func `conflict markers of a merge are reported`() throws {
        expectFinding(
            .yamlSyntax, in: "a: 1\n«<<<<<<< HEAD»\nb: 1\n=======\nb: 2\n>>>>>>> x\nc: 1\n",
            "the file contains an unresolved merge conflict")
    }

    @Test func `an empty file and a file with two documents are reported`() {
        expectFinding(.yamlEmptyFile, in: "«# only a comment\n»", "the file is empty")
        expectFinding(
            .yamlMultiDocument, in: "a: 1\n«---»\nb: 2\n",
            "the file contains more than one document")
    }

    @Test func `messages of libyaml are never shown`() {
        var random = SeededGenerator(seed: 3)
        let words = [
            "mapping values", "expected key", "simple key", "block mapping", "token", "expected <",
        ]
        for sample in Samples.all {
            for _ in 0..<150 {
                var bytes = Array(sample.utf8)
                let position = Int.random(in: 0..<bytes.count, using: &random)
                bytes[position] =
                    Array("'\"[]{}:,#&*!|>%@`-?\t ".utf8).randomElement(using: &random) ?? 0
                let file = SourceFile(path: "a.yaml", bytes: bytes)
                for found in YAMLDocument.parse(file).diagnostics.list {
                    #expect(!words.contains { found.message.contains($0) }, "\(found.message)")
                    #expect(
                        found.message != "this cannot be read as YAML",
                        "\(file.text(in: file.range))")
                }
            }
        }
    }
}
