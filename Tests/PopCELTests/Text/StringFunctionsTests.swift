import PopTestSupport
import Testing

@testable import PopCEL

@Suite struct StringFunctionsTests {
    @Test func `positions count Unicode scalars`() throws {
        #expect(try StringFunctions.charAt("©αT", at: 1) == "α")
        #expect(try StringFunctions.charAt("tacocat", at: 7) == "")
        #expect(try StringFunctions.substring("ta©o©αT", from: 2, to: 6) == "©o©α")
        #expect(try StringFunctions.substring("e\u{301}a", from: 1) == "\u{301}a")
        #expect(try StringFunctions.substring("tacocat", from: 7) == "")
    }

    @Test func `a position outside the string is an error`() {
        #expect(throws: EvaluationError.self) { try StringFunctions.charAt("tacocat", at: 30) }
        #expect(throws: EvaluationError.self) { try StringFunctions.charAt("ααα", at: 4) }
        #expect(throws: EvaluationError.self) { try StringFunctions.substring("tacocat", from: -1) }
        #expect(throws: EvaluationError.self) {
            try StringFunctions.substring("tacocat", from: 4, to: 3)
        }
        #expect(throws: EvaluationError.self) {
            try StringFunctions.indexOf("tacocat", wanted: "a", from: 30)
        }
        #expect(throws: EvaluationError.self) {
            try StringFunctions.lastIndexOf("tacocat", wanted: "a", upTo: -1)
        }
    }

    @Test(
        arguments: [
            ("tacocat", "", 0, 0), ("tacocat", "ac", 0, 1), ("tacocat", "", 3, 3),
            ("tacocat", "at", 3, 5),
            ("ta©o©αT", "©αT", 3, 4), ("ta©o©αT", "©α", 5, -1), ("aaab", "aab", 0, 1),
            ("", "", 0, 0),
            ("abababc", "ababc", 0, 2), ("tacocat", "t", 7, -1),
        ] as [(String, String, Int64, Int64)])
    func `indexOf finds the first occurrence`(text: String, part: String, from: Int64, at: Int64)
        throws
    {
        #expect(try StringFunctions.indexOf(text, wanted: part, from: from) == at)
    }

    @Test(
        arguments: [
            ("tacocat", "", nil, 7), ("tacocat", "at", nil, 5), ("", "@@", nil, -1),
            ("tacocat", "", 3, 3), ("tacocat", "a", 3, 1), ("ta©o©αT", "©", 3, 2),
            ("ta©o©αT", "©α", 4, 4), ("bananananana", "nana", 7, 6), ("aaaa", "aa", nil, 2),
        ] as [(String, String, Int64?, Int64)])
    func `lastIndexOf finds the last occurrence`(
        text: String, part: String, upTo: Int64?, at: Int64
    ) throws {
        #expect(try StringFunctions.lastIndexOf(text, wanted: part, upTo: upTo) == at)
    }

    @Test func `letters outside ASCII keep their case`() {
        #expect(StringFunctions.lowerAscii("TacoCÆt Xii") == "tacocÆt xii")
        #expect(StringFunctions.upperAscii("tacoCαt") == "TACOCαT")
    }

    @Test func `trim removes Unicode white space and leaves zero-width characters`() {
        #expect(StringFunctions.trim(" \u{0C}\n\r\t\u{0B}text  ") == "text")
        #expect(StringFunctions.trim("\u{85}\u{A0}\u{1680}text\u{2028}\u{3000}") == "text")
        #expect(
            StringFunctions.trim("\u{180E}text\u{200B}\u{FEFF}") == "\u{180E}text\u{200B}\u{FEFF}")
        #expect(StringFunctions.trim(" \n ") == "")
    }

    @Test func `reverse reverses the scalars`() {
        #expect(StringFunctions.reverse("Ta©oCαt") == "tαCo©aT")
        #expect(StringFunctions.reverse("") == "")
    }

    @Test func `quote escapes the same characters as CEL`() {
        #expect(
            StringFunctions.quote("a\u{07}\u{08}\u{0C}\n\r\t\u{0B}\\\"é")
                == #""a\a\b\f\n\r\t\v\\\"é""#)
    }

    @Test func `the search agrees with a comparison at every offset`() {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                UInt8.random(in: 97...98, using: &random)
            }
            let part = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                UInt8.random(in: 97...98, using: &random)
            }
            let expected = (0...text.count).filter { text[$0...].starts(with: part) }
            var found: [Int] = []
            SubstringSearch(String(decoding: part, as: UTF8.self))
                .forEachMatch(in: text, overlapping: true) {
                    found.append($0); return true
                }
            #expect(found == expected)
        }
    }
}
