import PopReports
import Testing

@Suite struct `HTML of the program` {
    private static let value = "\"><script>alert(1)</script>&\u{301}<\u{301}\u{D4E}<b>\u{1B}"

    @Test func `HTML contains values as text, in elements and in attributes`() {
        let page: HTML = "<p title=\"\(Self.value)\">\(Self.value)</p>"
        let inside = page.source.unicodeScalars.dropFirst(10).dropLast(4)
        #expect(inside.filter { $0 == "<" }.isEmpty)
        #expect(inside.filter { $0 == "\"" }.count == 1)
        #expect(!page.source.unicodeScalars.contains("\u{1B}"))
    }

    @Test func `HTML contains JSON that cannot end an element`() {
        let data = HTML(json: "{\"a\":\"\u{D4E}</script>\"}")
        #expect(data.source == "{\"a\":\"\u{D4E}\\u003c/script>\"}")
    }

    @Test func `marks up only the code of a message as code`() {
        #expect(
            HTML(message: "no key `a<b` in <c> `").source
                == "no key <code>a&lt;b</code> in &lt;c&gt; `")
    }
}
