import Foundation
import Testing

@testable import PopCEL

@Suite struct RegularExpressionTests {
    private func matches(_ pattern: String, _ text: String) throws -> Bool {
        try RegularExpression(pattern).isMatch(text)
    }

    @Test(arguments: [
        ("ubb", "hubba", true), ("foo|bar", "", false), ("ba(na)*", "banana", true),
        ("(a|😀){2}", "🐱😀😀", true), ("^bc", "abcd", false), ("^abcd$", "abcd", true),
        ("", "", true), ("", "x", true), ("a*", "", true), ("^$", "a", false),
        ("a+?b", "aab", true),
        ("a{2}", "a", false), ("a{2,}", "aaa", true), ("^a{2,3}$", "aaaa", false),
        ("a{,2}", "a{,2}", true), ("a{x", "a{x", true), ("x{0}y", "y", true), ("[]a]", "]", true),
        ("[^]a]", "]", false), ("[a-]", "-", true), ("[-a]", "-", true), ("[a-c-e]", "-", true),
        ("^.$", "é", true), ("^..$", "é", false), (".", "\n", false), ("(?s).", "\n", true),
        ("[^a]", "\n", true), ("^[^é]$", "è", true), ("^[à-ü]+$", "éèê", true),
    ])
    func `patterns may match anywhere in the text`(
        pattern: String, text: String, isMatch: Bool
    ) throws {
        #expect(try matches(pattern, text) == isMatch)
    }

    @Test(arguments: [
        (#"^\d+$"#, "0123456789", true), (#"\D"#, "12", false), (#"^\w+$"#, "aZ_9", true),
        (#"\w"#, "é", false), (#"^\s+$"#, "\t\n\u{0C}\r ", true), (#"\s"#, "\u{0B}", false),
        (#"[[:space:]]"#, "\u{0B}", true), (#"^[[:alpha:][:digit:]]+$"#, "a1", true),
        (#"[[:^alpha:]]"#, "abc", false), (#"[\d\s]"#, "x y", true), (#"[^\D]"#, "x", false),
        (#"^\pL+$"#, "aéß漢", true), (#"\PL"#, "aé", false), (#"^\p{Lu}$"#, "É", true),
        (#"^\p{^Lu}$"#, "É", false), (#"^\p{Greek}+$"#, "πέντε", true),
        (#"\p{Greek}"#, "abc", false),
        (#"^\p{Han}\p{Hiragana}\p{Cyrillic}$"#, "漢あж", true), (#"[\p{Latin}\d]"#, "ж1", true),
        (#"^\p{Sc}\p{Nd}\p{Any}$"#, "€٣x", true), (#"^\p{Co}$"#, "\u{E000}", true),
        (#"^\pC$"#, "\u{7F}", true),
    ])
    func `named classes are those of RE2`(pattern: String, text: String, isMatch: Bool) throws {
        #expect(try matches(pattern, text) == isMatch)
    }

    @Test(arguments: [
        (#"^\x41\x{1F600}\101\0$"#, "A😀A\0", true),
        (#"^\a\f\t\n\r\v$"#, "\u{07}\u{0C}\t\n\r\u{0B}", true),
        (#"^\.\*\_\-\]$"#, ".*_-]", true), (#"^\Qa.b*\E+$"#, "a.b**", true),
        (#"^\Q[x"#, "[x", true),
        (#"^\Q\E$"#, "", true), (#"[\x41-\x43\]]"#, "]", true), (#"[\n]"#, "\n", true),
    ])
    func `escapes match characters`(pattern: String, text: String, isMatch: Bool) throws {
        #expect(try matches(pattern, text) == isMatch)
    }

    @Test(arguments: [
        ("(?i)straße", "STRASSE", false), ("(?i)straße", "STRAẞE", true),
        ("(?i)k", "\u{212A}", true),
        ("(?i)[a-z]", "ſ", true), ("(?i)σ", "ς", true), ("(?i)i", "İ", false),
        ("(?i)i", "ı", false),
        ("(?i)[^a]", "A", false), ("(?i:a)b", "AB", false), ("(?i:a)b", "Ab", true),
        ("a(?i)b|c", "C", true), ("(a(?i)b)c", "aBC", false), ("(?i)a(?-i)b", "AB", false),
        (#"(?i)\p{Lu}"#, "a", true), ("(?i)ǆ", "ǅ", true),
    ])
    func `case is ignored only inside the group with that flag`(
        pattern: String, text: String, isMatch: Bool
    ) throws {
        #expect(try matches(pattern, text) == isMatch)
    }

    @Test(arguments: [
        ("^b$", "a\nb\nc", false), ("(?m)^b$", "a\nb\nc", true), (#"(?m)\Ab"#, "a\nb", false),
        (#"(?m)a\z"#, "a\nb", false), ("a$", "a\n", false), (#"\bfoo\b"#, "a foo b", true),
        (#"\bfoo\b"#, "afoo", false), (#"\Boo"#, "foo", true), (#"\Bfoo"#, "foo", false),
        (#"o\B"#, "foo", true), (#"\b"#, "", false), (#"\B"#, "", true), (#"\b"#, "é", false),
        (#"\B"#, "aéa", false), ("^^a$$", "a", true), ("(^|b)a", "ba", true), ("(^)*a", "ba", true),
        ("a^b", "ab", false), ("(?m)a$\n^b", "a\nb", true), ("(?m)^$", "a\n\nb", true),
        ("(a|$)c", "c", false), ("x*$", "yx", true),
    ])
    func `assertions match positions of the text`(
        pattern: String, text: String, isMatch: Bool
    ) throws {
        #expect(try matches(pattern, text) == isMatch)
    }

    @Test func `groups may be named or non-capturing`() throws {
        #expect(try matches("^(?P<year>\\d{4})-(?<month>\\d\\d)(?:-\\d\\d)?(?)$", "2026-11"))
        #expect(try matches("(?U)a+b(?s-m:.)", "aab\n"))
    }

    @Test(arguments: [
        ("(", "this group is not closed: a `)` is missing", 0..<1),
        ("a)b", "this `)` does not close a group", 1..<2),
        ("[a", "the `[` is not closed: a `]` is missing", 0..<1),
        ("é[b-a]", "the range `b-a` ends before it starts", 3..<6),
        (
            "[[:foo:]]",
            "`[:foo:]` is unknown: use for example `[:alpha:]`, `[:digit:]`, `[:space:]` or `[:punct:]`",
            1..<8
        ),
        ("*a", "nothing to repeat before `*`", 0..<1),
        ("a|*", "nothing to repeat before `*`", 2..<3),
        ("a**", "two repetitions follow each other", 1..<3),
        ("a+{2}", "two repetitions follow each other", 1..<5),
        ("{2}", "nothing to repeat before `{2}`", 0..<3),
        ("a{1001}", "a count can be at most 1000", 1..<7),
        ("a{2,1}", "the smaller count must come first", 1..<6),
        ("(a{100}){100}", "this repeats something more than 1000 times", 0..<13),
        ("a\\", "there is nothing after the last `\\`", 1..<2),
        (#"(a)\1"#, #"`\1` refers to a group, which is not supported"#, 3..<5),
        (#"\Z"#, #"`\Z` is not a valid escape"#, 0..<2),
        (#"\C"#, #"`\C` is not a valid escape"#, 0..<2),
        (#"\é"#, #"`\é` is not a valid escape"#, 0..<3),
        ("(?=a)", "`(?=` looks ahead or back, which is not supported", 0..<3),
        ("(?<!a)", "`(?<!` looks ahead or back, which is not supported", 0..<4),
        ("(?P<a>)(?P<a>)", "two groups have the name `a`", 7..<13),
        ("(?P<a", "a group name must be letters, digits and `_`, then `>`", 0..<4),
        (
            "(?x)a",
            "`(?x` is not a valid group: use `(?:`, `(?P<name>` or the flags i, m, s and U",
            0..<3
        ),
        (
            "(?i-)",
            "`(?i-)` is not a valid group: use `(?:`, `(?P<name>` or the flags i, m, s and U",
            0..<5
        ),
        (#"\x4"#, #"a code needs two digits, `\x7F`, or braces, `\x{1F600}`"#, 0..<3),
        (#"\x{110000}"#, #"`\x{110000}` is not the code of a character"#, 0..<10),
        (#"\x{D800}"#, #"`\x{D800}` is not the code of a character"#, 0..<8),
        (
            #"\p{Klingon}"#,
            #"`\p{Klingon}` is unknown: use a general category such as `\pL` or `\p{Lu}`, or a script such as `\p{Greek}`"#,
            0..<11
        ),
        (#"\p{Lu"#, "a closing `}` is missing", 0..<3),
        (#"[\A]"#, #"`\A` is not a valid escape"#, 1..<3),
    ])
    func `a mistake in a pattern is described with its position`(
        pattern: String, message: String, range: Range<Int>
    ) {
        #expect(throws: RegularExpressionError(message, at: range)) {
            try RegularExpression(pattern)
        }
    }

    @Test func `a pattern that grows too large is refused`() {
        let patterns = [
            "(?:\\pL{30}){30}", "((((a{10}){10}){10}|b)c){1000}", "(?i)\\p{Any}{1000}\\pL{1000}",
            "(()()()()()()()()()()()()()()()()()()()()()()()()()()){1000}".replacing(
                "()", with: String(repeating: "()", count: 100)),
            String(repeating: "(", count: 100) + String(repeating: ")", count: 100),
            "(?i)" + String(repeating: "\\pL", count: 20_000),
            "(?i)[\(String(repeating: "\\pL", count: 20_000))]",
            String(repeating: "(", count: 60_000), String(repeating: "a?", count: 20_000),
        ]
        for pattern in patterns {
            #expect(throws: RegularExpressionError.self) { try RegularExpression(pattern) }
        }
    }

    @Test func `the deepest allowed groups fit on a small stack`() async throws {
        let depth = CELLimits.standard.regexNesting
        let pattern = String(repeating: "(a|", count: depth) + String(repeating: ")*", count: depth)
        let isMatch: Bool? = await withCheckedContinuation { continuation in
            let thread = Thread {
                continuation.resume(returning: try? RegularExpression(pattern).isMatch("a"))
            }
            // The stack size that iOS gives to threads other than the main thread.
            thread.stackSize = 512 * 1024
            thread.start()
        }
        #expect(isMatch == true)
        #expect(throws: RegularExpressionError.self) { try RegularExpression("(\(pattern))") }
    }
}
