import Foundation
import PopReports
import PopSource
import Testing

/// No text of a file reaches a terminal in a form that the terminal obeys or hides.
@Suite struct `Content of hostile files` {
    /// ESC, BEL, the C1 control CSI, a right-to-left override and a line separator, as YAML writes
    /// them in quotes.
    private static let written = #"\x1b[2J\a\x9B31m\u202Eevil\u2028"#

    @Test(arguments: ReportFormat.allCases.map(\.rawValue))
    func `is shown escaped in every format of validate`(format: String) throws {
        for path in ["wrong", "raw", "rules"] {
            let output = try output(of: "poprules validate \(path) -f \(format)")
            #expect(obeyed(in: output).isEmpty, "\(path): \(obeyed(in: output))")
            if path == "wrong" { #expect(output.contains("202e"), "\(output)") }
        }
    }

    @Test(arguments: commands)
    func `content of hostile files is shown escaped by every command`(command: String) throws {
        let output = try output(of: "poprules \(command)")
        #expect(!output.isEmpty)
        #expect(obeyed(in: output).isEmpty, "\(obeyed(in: output)): \(output)")
    }

    @Test func `is shown escaped in the summary for GitHub`() throws {
        let summary = try output(
            of:
                "GITHUB_STEP_SUMMARY=summary poprules validate wrong raw -f github > seen; cat summary"
        )
        #expect(summary.contains("evil"))
        #expect(obeyed(in: summary).isEmpty, "\(obeyed(in: summary))")
    }

    static let commands: [String] =
        ["text", "json", "junit", "tap"].map { "test rules -f \($0)" }
        + ["text", "json", "lcov", "html"].map {
            "test rules --coverage \($0) --coverage-output -"
        }
        + ["timeline", "log", "jsonl", "svg"].map {
            "simulate rules/stories.test.yaml --run evil -f \($0)"
        }
        + ["text", "json", "mermaid"].map { "explain welcome -f \($0)" }
        + ["explain --all", "test rules --bootstrap", "test wrong", "list wrong"]
        + ["text", "markdown", "json", "html"].map { "diff rules other -f \($0)" }
        + ["text", "json"].map { "list rules -f \($0)" }
        + ["text", "svg", "mermaid", "dot"].map { "graph rules -f \($0)" }
        + [
            "eval --explain '\"\(written)\" == name' --set 'name=\"\(written)\"'",
            "eval '\"\(written)\"'", "validate wrong --fix --dry-run",
        ]

    private func output(of command: String) throws -> String {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "rules/rules.yaml")
        try folder.write(Self.stories, to: "rules/stories.test.yaml")
        let other = Self.rules.replacing("tour: {}", with: "tour: { priority: high }")
            .replacing("evil", with: "wicked")
        try folder.write(other, to: "other/rules.yaml")
        try folder.write(Self.wrong, to: "wrong/wrong.yaml")
        try folder.write(Self.raw, to: "raw/raw.yaml")
        try folder.write(Self.wrongStories, to: "wrong/wrong.test.yaml")
        return try Program.shell(command, in: folder.url).output
    }

    /// Returns the characters that a terminal would obey or hide; the log of `simulate` has tabs
    /// between its columns.
    private func obeyed(in output: String) -> [String] {
        output.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar != "\n" && scalar != "\t"
            case .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }.map { String($0.value, radix: 16) }
    }

    // MARK: the files

    private static let rules = """
        poprules: 1
        context:
          name: { type: string, default: "\(written)" }
        popups:
          welcome:
            description: "\(written)"
            owner: "\(written)"
            tags: ["\(written)"]
            when: 'name == "\(written)x"'
            content: { "\(written)": "\(written) {name}" }
          tour: {}
        """

    private static let stories = """
        poprules_test: 1
        tests:
          "evil \(written)":
            context: { name: "\(written)" }
            steps:
              - set: { name: "\(written)y" }
                expect: { showing: { main: welcome } }
              - after: 1s
                close: tour
            always: ['name == "\(written)"']
        """

    private static let wrong = """
        poprules: 1
        "sec\(written)tion": {}
        conditions:
          "na\(written)me": true
        popups:
          "wel\(written)come": { "ke\(written)y": 1, priority: "\(written)" }
          welcome:
            priorty: high
            when: '"\(written)" == nme && "\(written)" > 3'
            after: ["\(written)"]
            trigger: { event: "\(written)" }
            hide_after: "\(written)"
            content: "\(written)"
        """

    private static let wrongStories = """
        poprules_test: 1
        tests:
          "\(written)":
            persona: "\(written)"
            steps: [{ "\(written)": 1, expect: { showing: { "\(written)": "\(written)" } } }]
        """

    /// The characters as they are.
    private static let raw =
        "poprules: 1\npopups:\n  wel\u{202E}come: { owner: \"\u{1B}[2J\u{9B}evil\u{7}\u{0}\" }\n"
        + "  \u{1B}: 1\n# \u{2066}\n"
}
