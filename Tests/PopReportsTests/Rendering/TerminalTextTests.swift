import Testing

@testable import PopReports

@Suite struct `A string for a terminal` {
    /// GitHub Actions and Azure Pipelines look for these anywhere in a line of a log.
    @Test(arguments: [
        ("##[error]x", #"#\u{23}[error]x"#), ("###[x", #"##\u{23}[x"#),
        ("a ##vso[task.setvariable]b", #"a #\u{23}vso[task.setvariable]b"#),
        ("##[##[", #"#\u{23}[#\u{23}["#), ("é ##VSO[x", #"é #\u{23}VSO[x"#),
        ("## [x]", "## [x]"), ("#[derive]", "#[derive]"), ("## Title", "## Title"), ("##", "##"),
        ("##a b[", "##a b["),
    ])
    func `a string for a terminal contains no command of a CI system`(
        text: String, expected: String
    ) {
        #expect(escapedForTerminal(text) == expected)
        #expect(TerminalText(text).text == expected)
        #expect(TerminalLines.lines(text).text == expected)
        let printed: TerminalLines = "\(text)\n"
        #expect(printed.text == expected + "\n")
    }

    /// GitHub Actions passes over blanks in front of a command.
    @Test(arguments: [
        (
            "unknown popup `x\n  ::error::y\n::add-mask::z`",
            "unknown popup `x\n  \\u{3a}:error::y\n\\u{3a}:add-mask::z`"
        ),
        ("a::b\n:c", "a::b\n:c"), ("  ::: rules/a.yaml:3:3", "  ::: rules/a.yaml:3:3"),
        ("\t::set-output", "\t\\u{3a}:set-output"),
        ("a\r\n::error::b", "a\\u{d}\n\\u{3a}:error::b"),
    ])
    func `a string for a terminal starts no line with a command of GitHub Actions`(
        text: String, expected: String
    ) {
        #expect(TerminalLines.lines(text).text == expected)
    }

    @Test func `starts no line with a command after a color`() {
        let line = TerminalLines.styled("a\n \u{1B}[1m::error::b\u{1B}[0m\n")
        #expect(line.text == "a\n \u{1B}[1m\\u{3a}:error::b\u{1B}[0m\n")
    }

    @Test func `hides nothing in tag characters, not even after a flag`() {
        let hidden = "\u{1F3F4}\u{E0067}\u{E007F}"
        #expect(TerminalText(hidden).text == "\u{1F3F4}\\u{e0067}\\u{e007f}")
        #expect(escapedForTerminal("a\u{E0041}") == "a\\u{e0041}")
        #expect(escapedForTerminal("\u{1F469}\u{200D}\u{1F373}") == "\u{1F469}\u{200D}\u{1F373}")
    }
}
