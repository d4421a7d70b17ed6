import Testing

@testable import PopCEL

@Suite struct SplitAndJoinTests {
    @Test(
        arguments: [
            ("hello world events!", " ", -1, ["hello", "world", "events!"]),
            ("hello world events!", " ", 0, []),
            ("hello world events!", " ", 1, ["hello world events!"]),
            ("hello world events!", " ", 2, ["hello", "world events!"]),
            ("o©o©o", "©", -1, ["o", "o", "o"]),
            ("aé🐱", "", -1, ["a", "é", "🐱"]), ("aé🐱", "", 2, ["a", "é🐱"]), ("", "", -1, []),
            ("", ",", -1, [""]), (",", ",", -1, ["", ""]), ("aaa", "aa", -1, ["", "a"]),
        ] as [(String, String, Int64, [String])])
    func `split cuts at the separator`(
        text: String, separator: String, limit: Int64, parts: [String]
    ) throws {
        #expect(try SplitAndJoin.split(text, by: separator, limit: limit, most: 100) == parts)
    }

    @Test(
        arguments: [
            ("{0} days {0} hours", "{0}", "2", -1, "2 days 2 hours"),
            ("hello hello", "he", "we", 1, "wello hello"),
            ("hello hello", "he", "we", 0, "hello hello"), ("aé", "", "-", -1, "-a-é-"),
            ("aé", "", "-", 2, "-a-é"),
            ("", "", "x", -1, "x"), ("aaa", "aa", "b", -1, "ba"), ("abc", "", "", -1, "abc"),
        ] as [(String, String, String, Int64, String)])
    func `replace substitutes each occurrence of a string`(
        text: String, old: String, new: String, limit: Int64, result: String
    ) throws {
        #expect(
            try SplitAndJoin.replace(text, old: old, with: new, limit: limit, most: 100) == result)
    }

    @Test func `join puts a separator between strings`() throws {
        #expect(try SplitAndJoin.join(["x", "y"], separator: "-", most: 3) == "x-y")
        #expect(try SplitAndJoin.join([], separator: "-", most: 0) == "")
    }

    @Test func `a result beyond the limit is refused before it is built`() {
        let large = String(repeating: "a", count: 1000)
        #expect(throws: EvaluationError.self) { try SplitAndJoin.split(large, by: "", most: 999) }
        #expect(throws: EvaluationError.self) {
            try SplitAndJoin.replace(large, old: "", with: large, most: 100_000)
        }
        #expect(throws: EvaluationError.self) {
            try SplitAndJoin.join(["x", "y"], separator: "-", most: 2)
        }
    }
}
