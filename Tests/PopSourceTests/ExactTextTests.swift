import PopSource
import Testing

struct ExactTextTests {
    @Test func `canonical equivalents are different texts`() {
        let texts = ["\u{E9}", "e\u{301}", "\u{E9}"].map { ExactText($0) }
        #expect(texts[0] != texts[1])
        #expect(texts[0] == texts[2])
        #expect(Set(texts).count == 2)
    }
}
