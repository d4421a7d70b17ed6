import PopStories
import Testing

@Suite struct `A table` {
    @Test func `aligns columns by their width in a terminal`() {
        var table = TextTable(indent: 2)
        table.add("日本", "x", "end")
        table.add("a", "long", "")
        #expect(table.lines == ["  日本  x     end", "  a     long"])
    }

    @Test func `breaks the last column at spaces`() {
        var table = TextTable()
        table.add(String(repeating: "k", count: 60), "some words that do not fit any more")
        let start = String(repeating: " ", count: 62)
        #expect(
            table.lines == [
                String(repeating: "k", count: 60) + "  some words that do not",
                start + "fit any more",
            ])
    }

    @Test func `escapes every control character of a terminal`() {
        var table = TextTable()
        table.add("\u{1B}[31m", "x")
        #expect(table.lines == ["\\u{1b}[31m  x"])
    }
}
