import Foundation
import PopSource
import PopTestSupport
import PopYAML
import Testing

@Suite struct `The formatter` {
    private static func formatted(_ text: String) -> String? {
        let source = SourceFile(path: "a.yaml", bytes: Array(text.utf8))
        return YAMLDocument.formatted(source).value.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("a:    1\n", "a: 1\n"),
        ("a : 1", "a: 1\n"),
        ("\n\n# c\n\n\n\na: 1\n\n\n", "# c\n\na: 1\n"),
        ("a:\n    b:\n        c: 1\n    d: 2\n", "a:\n  b:\n    c: 1\n  d: 2\n"),
        ("a:\n- b\n-   c: 1\n    d: 2\n", "a:\n  - b\n  - c: 1\n    d: 2\n"),
        ("a:\n  -\n    b: 1\n  - - 1\n    - 2\n", "a:\n  -\n    b: 1\n  - - 1\n    - 2\n"),
        ("{a:   1,b : [ 1,2 ,3 ] ,c: { }}\n", "{ a: 1, b: [1, 2, 3], c: {} }\n"),
        ("a: [\n      1,\n      2]\n", "a: [\n      1,\n      2]\n"),
        ("a:\n     b: [\n       1,\n     ]\n", "a:\n  b: [\n    1,\n  ]\n"),
        ("a: 1  \t \nb: 2 # c  \n", "a: 1\nb: 2 # c\n"),
        ("a:   1       # c\nlong: 2    # d\n", "a: 1         # c\nlong: 2    # d\n"),
        ("a:\n      # of b\n      b: 1\n    # of a\n", "a:\n  # of b\n  b: 1\n# of a\n"),
        ("a: \"x\n     y\"\n", "a: \"x\n     y\"\n"),
        ("a:\n    b: x\n     y\n", "a:\n  b: x\n   y\n"),
        (
            "a: |\n      x\n        y\n\n\n      z\n\n\nb: 1\n",
            "a: |\n  x\n    y\n\n\n  z\n\nb: 1\n"
        ),
        ("a: |+\n x\n\n\n", "a: |+\n  x\n\n\n"),
        ("a: |\n x", "a: |\n  x"),
        ("a: |-\n x", "a: |-\n  x\n"),
        ("a:\n    - |2\n        x\n", "a:\n  - |2\n      x\n"),
        ("a:\r\n    b: 1\r\n\r\n\r\n    c: 2", "a:\r\n  b: 1\r\n\r\n  c: 2\r\n"),
        ("\u{FEFF}\na:   1\n", "\u{FEFF}a: 1\n"),
        ("---\na:   &x   !!str   1\nb: *x\n", "---\na: &x !!str 1\nb: *x\n"),
        ("a: 1 # c\u{2028}b:  2\u{85}c:  3\n", "a: 1 # c\nb: 2\nc: 3\n"),
        ("a:  \"x\u{2028}  y\"\n", "a: \"x\u{2028}  y\"\n"),
        ("? a\n:   1\n", "? a\n: 1\n"),
    ])
    func `changes only spaces and empty lines`(before: String, after: String) {
        #expect(Self.formatted(before) == after)
        #expect(Self.formatted(after) == after)
    }

    @Test func `refuses text that isn't YAML`() {
        let source = SourceFile(path: "a.yaml", bytes: Array("a: [1".utf8))
        let checked = YAMLDocument.formatted(source)
        #expect(checked.value == nil && checked.diagnostics.hasErrors)
    }

    @Test func `keeps the meaning of every file of this repository`() throws {
        var count = 0
        for text in try Corpus.files() where try check(text) { count += 1 }
        #expect(count > 150)
    }

    @Test(.enabled(if: Corpus.suite != nil, "YAML_TEST_SUITE names no copy of the test suite"))
    func `keeps the meaning of the files of the YAML test suite`() throws {
        var count = 0
        for text in try Corpus.suiteFiles() where try check(text) { count += 1 }
        #expect(count > 150)
    }

    @Test(arguments: 0..<400)
    func `keeps the meaning of any tree, however it is written`(seed: Int) throws {
        var writer = SloppyWriter(seed: UInt64(seed))
        let text = writer.document()
        #expect(try check(text), "\(text)")
    }

    /// Blanks and line breaks in odd places: most of these texts are still YAML.
    @Test(arguments: 0..<60)
    func `keeps the meaning of a file with spaces in unusual places`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for sample in Samples.all {
            var text = Array(sample)
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let position = text.indices.randomElement(using: &generator) ?? 0
                if " \n".contains(text[position]), Bool.random(using: &generator) {
                    text.insert(
                        [" ", "\n", "\t"].randomElement(using: &generator) ?? " ", at: position)
                } else if text[position] == " " {
                    text.remove(at: position)
                }
            }
            try check(String(text))
        }
    }

    /// Returns true if the text is YAML. Expects that formatting keeps its values and its comments,
    /// and that formatting it once more changes nothing.
    @discardableResult
    private func check(_ text: String) throws -> Bool {
        let source = SourceFile(path: "a.yaml", bytes: Array(text.utf8))
        let before = YAMLDocument.parse(source)
        guard !before.diagnostics.hasErrors, let root = before.value?.root else { return false }
        let once = try #require(Self.formatted(text), "\(text)")
        #expect(Self.formatted(once) == once, "\(text)")
        let after = YAMLDocument.parse(SourceFile(path: "a.yaml", bytes: Array(once.utf8)))
        #expect(after.value.map { shown($0.root) } == shown(root), "\(text)\n\(once)")
        #expect(words(once) == words(text))
        for line in lines(once) where !line.isEmpty && !hasBlockScalar(root) {
            #expect(line.last != " " || text.contains("\"") || text.contains("'"), "\(once)")
        }
        return true
    }

    /// Returns all characters that aren't blanks, including those of comments.
    private func words(_ text: String) -> [Character] {
        text.filter { !$0.isWhitespace && $0 != "\u{FEFF}" }.map { $0 }
    }

    private func lines(_ text: String) -> [Substring] {
        text.split(whereSeparator: \.isNewline)
    }

    private func hasBlockScalar(_ node: YAMLNode) -> Bool {
        node.scalar?.style.isBlock == true || node.items.contains { hasBlockScalar($0) }
            || node.entries.contains { hasBlockScalar($0.value) }
    }

    /// Every text with its style, in order.
    private func shown(_ node: YAMLNode) -> String {
        switch node.kind {
        case .sequence: "[\(node.isFlow)" + node.items.map(shown).joined(separator: ",") + "]"
        case .mapping:
            "{\(node.isFlow)"
                + node.entries.map { shown($0.key) + ":" + shown($0.value) }.joined(separator: ",")
                + "}"
        case .scalar:
            "\(node.scalar.map { "\($0.style)\($0.value)" } ?? "")"
                + (node.scalar?.text.debugDescription ?? "")
        }
    }
}
