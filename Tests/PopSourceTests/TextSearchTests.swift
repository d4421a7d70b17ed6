import PopSource
import Testing

@Suite struct `A string inside another string` {
    @Test(arguments: [
        ("one two", "two", true), ("one two", "tow", false), ("oone", "one", true),
        ("", "a", false),
        ("one", "", true), ("", "", true), ("é", "e", false), ("\"\u{301}", "\"", true),
    ])
    func `is found where its bytes are`(text: String, part: String, stands: Bool) {
        #expect(text.contains(part) == stands)
    }

    @Test(arguments: [
        ("a-b-c", "-", "+", "a+b+c"), ("aab", "ab", "x", "ax"), ("one", "", "x", "one"),
        ("", "a", "x", ""), ("aaa", "aa", "b", "ba"),
    ])
    func `is replaced wherever it occurs`(
        text: String, part: String, replacement: String, result: String
    ) {
        #expect(text.replacing(part, with: replacement) == result)
    }
}
