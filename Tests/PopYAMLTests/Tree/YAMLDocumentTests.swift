import PopSource
import PopYAML
import Testing

@Suite struct YAMLDocumentTests {
    @Test func `every node has its range, keys and values alike`() throws {
        let text = "popups:\n  welcome: { when: [a, 'b c'] }\n"
        let file = SourceFile(path: "a.yaml", text: text)
        let root = try YAMLDocument.parse(file).get().root
        let popups = try #require(root.entries.first)
        #expect(file.text(in: popups.key.range) == "popups")
        #expect(file.text(in: popups.value.range) == "welcome: { when: [a, 'b c'] }")
        let welcome = try #require(popups.value["welcome"])
        #expect(file.text(in: welcome.range) == "{ when: [a, 'b c'] }")
        let list = try #require(welcome["when"])
        #expect(file.text(in: list.range) == "[a, 'b c']")
        #expect(list.items.map { file.text(in: $0.range) } == ["a", "'b c'"])
        #expect(list.items.map { $0.scalar?.text } == ["a", "b c"])
    }

    @Test(arguments: [
        ("a: &x «b»\nc: *x\n"), ("a: !!str «12»\n"), ("a: &x !!str\n  «12»\nc: *x\n"),
        ("a: «|\n  x\n  y»\n\nb: 1\n"), ("a: «>-  # c\n  x»\n"), ("a: «b c\n  d»\n"),
        ("a: «[1, 2]» # c\n"),
        ("a:\n  «- 1\n  - 2»\nb: 1\n"), ("a:\n«- 1\n- 2»\nb: 1\n"), ("a: &x\n  «b: 1»\n\nc: *x\n"),
        ("\u{E9}: «\u{1F600}»\nb: 1\n"), ("\u{FEFF}a: «b»\n"), ("a:«»\nb: 1\n"),
        ("a: «'b'»\r\nb: 1\r\n"),
        ("a: &x\n«- 1»\nb: *x\n"),
    ])
    func `the range of a value contains only the value`(marked: String) throws {
        let text = MarkedText(marked)
        let value = try #require(YAMLDocument.parse(text.file).get().root.entries.first?.value)
        #expect(value.range.bytes == text.place, "\(text.file.text(in: value.range))")
    }

    @Test func `a comment after a value is found`() throws {
        let file = SourceFile(path: "a.yaml", text: "a: x && b #c d\nb: y\nc: 'z'  # e")
        let root = try YAMLDocument.parse(file).get().root
        #expect(
            root.entries.map { $0.value.trailingComment.map { file.text(in: $0) } }
                == ["#c d", nil, "# e"])
    }

    @Test func `scalars are compared without creating strings`() throws {
        let file = SourceFile(path: "a.yaml", text: "[abc, \"a\\x62c\", ab]")
        let items = try YAMLDocument.parse(file).get().root.items
        #expect(items.map { $0.scalar?.hasText("abc") } == [true, true, false])
        #expect(items.map { $0.scalar?.withUTF8 { $0.count } } == [3, 3, 2])
    }
}
