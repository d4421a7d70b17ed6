import PopReports
import PopSource
import Testing

@Suite struct `Text wrapped for a page` {
    @Test func `is broken at spaces, and a word that is too long gets its own line`() {
        #expect(wrapped("one two three", to: 7) == ["one two", "three"])
        #expect(wrapped("a longerthanthat b", to: 7) == ["a", "longerthanthat", "b"])
        #expect(wrapped("", to: 7) == [""])
    }

    @Test func `keeps code to copy on one line`() {
        let text = "write `a: { b: c }` in place of it"
        #expect(
            wrapped(text, to: 12, keepsCode: true) == [
                "write", "`a: { b: c }`", "in place of", "it",
            ])
        #expect(wrapped(text, to: 12).first == "write `a: {")
    }

    @Test func `is measured in columns of a terminal`() {
        #expect(wrapped("日本 日本", to: 8) == ["日本", "日本"])
        #expect(wrapped("日本 日本", to: 9) == ["日本 日本"])
    }
}
