import PopSource
import PopYAML
import Testing

/// A place inside of a decoded text leads back to its own characters in the file.
@Suite struct TextMapTests {
    /// The `«»` mark, in the file, what `part` of the decoded text must lead to.
    @Test(arguments: [
        ("a: x == «yy» && z\n", "yy"),
        ("a: 'it''s «yy»'\n", "yy"),
        ("a: 'it«''»s yy'\n", "'"),
        ("a: \"tab\\t«yy»\"\n", "yy"),
        ("a: \"caf«\\u00e9» yy\"\n", "\u{E9}"),
        ("a: \"\\U0001F600«yy»\"\n", "yy"),
        ("a: x\n  «yy» z\n", "yy"),
        ("a: 'x\n\n  «yy»'\n", "yy"),
        ("a: \"x \\\n  «yy»\"\n", "yy"),
        ("a: >-\n  x &&\n  «yy» == z\n", "yy"),
        ("a: >\n\n  x\n\n\n    more\n  «yy»\n\n", "yy"),
        ("a: |\n  x\n  «yy»\n", "yy"),
        ("a: |2+\n   x\n  «yy»\n\n", "yy"),
        ("- - |1-\n    x\n    «yy»\n", "yy"),
        ("a:\n  - b: |2\n        «yy»\n", "yy"),
        ("a: >- # comment\r\n  x\r\n  «yy»\r\n", "yy"),
        ("\u{FEFF}a: \u{E4}\u{F6} «yy»\n", "yy"),
        ("a: \"\u{1F600} «yy»\"\n", "yy"),
        ("a: >\n  \u{65E5}\u{672C}\n  «yy»\u{8A9E}\n", "yy"),
    ])
    func `a part of a scalar is found in the file`(marked: String, part: String) throws {
        let text = MarkedText(marked)
        var node = try YAMLDocument.parse(text.file).get().root
        while node.kind != .scalar {
            node = try #require(node.entries.first?.value ?? node.items.first)
        }
        let scalar = try #require(node.scalar)
        let decoded = Array(scalar.utf8)
        let wanted = Array(part.utf8)
        let start = try #require(
            (0...decoded.count - wanted.count).first {
                decoded[$0..<$0 + wanted.count].elementsEqual(wanted)
            })
        let place = scalar.textMap.range(start..<start + wanted.count)
        #expect(place.bytes == text.place, "\(text.file.text(in: place))")
    }

    @Test func `verbatim text is not copied`() throws {
        let file = SourceFile(
            path: "a.yaml", text: "[one, 'two', \"three\", 'f''our', \"f\\nive\"]")
        let items = try YAMLDocument.parse(file).get().root.items
        #expect(items.map { $0.scalar?.isVerbatim } == [true, true, true, false, false])
        #expect(items.map { $0.scalar?.text } == ["one", "two", "three", "f'our", "f\nive"])
    }
}
