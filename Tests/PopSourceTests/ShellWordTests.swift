import PopSource
import Testing

@Suite struct `A word of a shell command` {
    @Test(arguments: [
        ("rules/a-b_c.1.yaml", "rules/a-b_c.1.yaml"), ("", "''"), ("a b", "'a b'"),
        ("x$(touch PWNED).parquet", "'x$(touch PWNED).parquet'"), ("it's", "'it'\\''s'"),
        ("`id`", "'`id`'"), ("~", "'~'"), ("a;b", "'a;b'"), ("a\nb", "'a\nb'"),
        ("é", "'é'"), ("a\u{301}", "'a\u{301}'"), ("'\u{301}", "''\\''\u{301}'"),
    ])
    func `a word for a shell is quoted unless all its characters are plain`(
        text: String, word: String
    ) {
        #expect(text.quotedForShell == word)
    }
}
