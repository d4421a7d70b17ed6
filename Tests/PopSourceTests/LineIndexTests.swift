import PopSource
import Testing

@Suite struct `Line index` {
    private func place(_ text: String, at offset: Int) -> LineColumn {
        LineIndex(SourceFile(path: "a.yaml", text: text)).place(at: offset)
    }

    @Test func `lines end at LF, CRLF and a lone CR`() {
        let text = "a\nb\r\nc\rd"
        #expect(place(text, at: 2) == LineColumn(line: 2, column: 1))
        #expect(place(text, at: 5) == LineColumn(line: 3, column: 1))
        #expect(place(text, at: 7) == LineColumn(line: 4, column: 1))
    }

    @Test func `columns count Unicode scalars, not bytes`() {
        #expect(place("é日x", at: 5) == LineColumn(line: 1, column: 3))
    }

    @Test func `the end of a file has a place`() {
        #expect(place("a\n", at: 2) == LineColumn(line: 2, column: 1))
        #expect(place("", at: 0) == LineColumn(line: 1, column: 1))
    }
}
