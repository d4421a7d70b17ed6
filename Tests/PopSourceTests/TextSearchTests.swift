import PopSource
import Testing

@Suite struct `A text in another` {
    @Test(arguments: [
        ("one two", "two", true), ("one two", "tow", false), ("oone", "one", true),
        ("", "a", false),
        ("one", "", true), ("", "", true), ("é", "e", false), ("\"\u{301}", "\"", true),
    ])
    func `stands where its bytes do`(text: String, part: String, stands: Bool) {
        #expect(text.contains(part) == stands)
    }

    @Test(arguments: [
        ("a-b-c", "-", "+", "a+b+c"), ("aab", "ab", "x", "ax"), ("one", "", "x", "one"),
        ("", "a", "x", ""), ("aaa", "aa", "b", "ba"),
    ])
    func `is replaced wherever it stands`(
        text: String, part: String, replacement: String, result: String
    ) {
        #expect(text.replacing(part, with: replacement) == result)
    }
}
