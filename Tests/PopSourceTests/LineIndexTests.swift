import PopSource
import Testing

@Suite struct `The line index` {
    private func place(_ text: String, at offset: Int) -> LineColumn {
        LineIndex(SourceFile(path: "a.yaml", text: text)).place(at: offset)
    }

    @Test func `ends lines at LF, CRLF and a lone CR`() {
        let text = "a\nb\r\nc\rd"
        #expect(place(text, at: 2) == LineColumn(line: 2, column: 1))
        #expect(place(text, at: 5) == LineColumn(line: 3, column: 1))
        #expect(place(text, at: 7) == LineColumn(line: 4, column: 1))
    }

    @Test func `counts Unicode scalars as columns, not bytes`() {
        #expect(place("é日x", at: 5) == LineColumn(line: 1, column: 3))
    }

    /// C14: a mark that nobody sees put every place of the first line one column to the right.
    @Test func `counts a byte order mark as no column and does not show it (C14)`() {
        #expect(place("\u{FEFF}ab\nc", at: 4) == LineColumn(line: 1, column: 2))
        #expect(place("\u{FEFF}ab\nc", at: 0) == LineColumn(line: 1, column: 1))
        #expect(place("\u{FEFF}ab\nc", at: 6) == LineColumn(line: 2, column: 1))
        let lines = LineIndex(SourceFile(path: "a.yaml", text: "\u{FEFF}ab\nc"))
        #expect(lines.bytes(ofLine: 1) == 3..<5)
        #expect(lines.bytes(ofLine: 2) == 6..<7)
    }

    @Test func `has a position for the end of a file`() {
        #expect(place("a\n", at: 2) == LineColumn(line: 2, column: 1))
        #expect(place("", at: 0) == LineColumn(line: 1, column: 1))
    }
}
