import Foundation
import PopReports
import PopSource
import Testing

/// S-H6, S-M5: what reaches a terminal, and what programs read from standard output.
@Suite struct `The standard output of a command` {
    private static let rules = """
        poprules: 1
        events: { seen: { name: string } }
        popups: { a: { trigger: { event: seen } } }
        """
    private static let wrong = "poprules: 1\npopups: { a: { when: nope } }\n"
    private static let test = """
        poprules_test: 1
        tests: { one: { steps: [{ send: seen }] } }
        """

    /// S-H6: users write logs, analysts read reports in terminals.
    @Test func `the report of a backtest contains no escape sequence from a log (S-H6)`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "rules/r.yaml")
        let hostile = "\\u001b]0;owned\\u0007\\u009b2J\\u202e"
        try folder.write(
            """
            {"user":"u","time":"2026-01-01T00:00:00Z","event":"x\(hostile)"}
            {"user":"u","time":"no\(hostile)","event":"seen"}
            {"user":"u","time":"2026-01-01T00:00:00Z","event":"seen","payload":{"name":{"\(hostile)":1}}}
            {"user":"u","time":"2026-01-01T00:00:00Z","event":"seen","payload":{"name":"\(hostile)"}}
            \u{1B}[2J not json \u{202E}
            """, to: "log.jsonl")
        for more in ["", "-o report && cat report"] {
            let outcome = try Program.shell(
                "poprules backtest rules log.jsonl \(more)", in: folder.url)
            let raw = outcome.output.unicodeScalars.filter {
                ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value)
                    || $0 == "\u{202E}"
            }
            #expect(raw.isEmpty, "\(outcome.output.debugDescription)")
            #expect(outcome.output.contains("\\u{1b}"), "the names are shown escaped: \(outcome)")
        }
    }

    @Test
    func `standard output keeps line breaks and own colors, and escapes all other controls`() {
        let text = "\u{1B}[1;31merror\u{1B}[0m\n\u{1B}[2J\u{1B}]0;x\u{07}\u{9B}m\u{202E}é"
        #expect(
            TerminalLines.styled(text).text
                == "\u{1B}[1;31merror\u{1B}[0m\n\\u{1b}[2J\\u{1b}]0;x\\u{7}"
                + "\\u{9b}m\\u{202e}é")
        #expect(TerminalLines.styled("\u{1B}[").text == "\\u{1b}[")
        #expect(TerminalLines.styled("\u{1B}[1").text == "\\u{1b}[1")
        #expect(TerminalLines.styled("\u{1B}[8mhidden").text == "\\u{1b}[8mhidden")
    }

    @Test func `standard output keeps no foreign color, and no line break in a value`() {
        #expect(TerminalLines.lines("\u{1B}[1mx\ny").text == "\\u{1b}[1mx\ny")
        let value = "\u{1B}[1mx\ny"
        let text: TerminalLines = "\u{1B}[2K\(value)\n"
        #expect(text.text == "\u{1B}[2K\\u{1b}[1mx\\u{a}y\n")
    }

    /// Azure Pipelines searches for its commands in every line of a log, in any format.
    @Test(arguments: [
        "json", "jsonl", "sarif", "github", "junit", "checkstyle", "rdjson", "gitlab", "text",
        "short", "plain",
    ])
    func `output has no command of a CI server, and its JSON has the same values`(
        format: String
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let name = "##vso[task.setvariable variable=x]y"
        try folder.write(
            "poprules: 1\npopups: { a: { after: [\"\(name)\"] } }\n", to: "rules/r.yaml")
        let printed = try Program.shell(
            "poprules validate rules -f \(format) 2>&1", in: folder.url
        ).output
        #expect(!printed.lowercased().contains("##vso["))
        #expect(printed.contains("vso[task.setvariable"))
        if ["json", "sarif", "rdjson", "gitlab"].contains(format) {
            let read = try JSONSerialization.jsonObject(with: Data(printed.utf8))
            #expect("\(read)".contains(name))
        }
    }

    @Test func `generated tests on standard output contain no command of a CI server`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for (path, name) in [("old.yaml", "a"), ("new.yaml", "##vso[task.setvariable x]y")] {
            try folder.write(
                "poprules: 1\ncontext: { k: { type: string, default: z } }\n"
                    + "popups: { a: { when: 'k == \"\(name)\"' } }\n", to: path)
        }
        let printed = try Program.shell(
            "poprules diff old.yaml new.yaml --story; poprules test new.yaml --bootstrap",
            in: folder.url
        ).output
        #expect(printed.contains(#"#\u0023vso[task.setvariable x]y"#))
        let lines = printed.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(!lines.contains { $0.contains("##vso[") })
    }

    /// Without a descriptor left Dispatch ends the program.
    @Test(arguments: 16...28)
    func `is a result or an error message if only a few files can be open`(count: Int) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "rules/r.yaml")
        try folder.write(
            #"{"user":"u","time":"2026-01-01T00:00:00Z","event":"seen","payload":{"name":"x"}}"#
                + "\n", to: "log.jsonl")
        let outcome = try Program.shell(
            "ulimit -n \(count); poprules backtest rules log.jsonl -f json", in: folder.url)
        #expect([0, 3].contains(outcome.status), "\(outcome)")
    }

    /// S-M5: a warning in front of HTML was a script in the file of a CI server.
    @Test(arguments: ["html", "json", "lcov"])
    func `standard output contains only coverage if coverage is written to it (S-M5)`(
        format: String
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "rules/r.yaml")
        try folder.write(
            Self.test.replacing("one:", with: "\"<script>alert('test')</script>\":")
                .replacing("send: seen", with: "send: { seen: { nam: 1 } }"),
            to: "rules/a.test.yaml")
        for quiet in ["", "-q"] {
            _ = try Program.shell(
                "poprules test rules --coverage \(format) --coverage-output - \(quiet)"
                    + " > out 2> errors; cat errors", in: folder.url)
            let out = try String(contentsOf: folder.url.appending(path: "out"), encoding: .utf8)
            #expect(!out.contains("<script>alert"))
            switch format {
            case "html":
                #expect(out.hasPrefix("<!doctype html>") || out.isEmpty, "\(out.prefix(80))")
            case "json": if !out.isEmpty { _ = try JSON.parse(Array(out.utf8)) }
            default: #expect(out.hasPrefix("TN:") || out.hasPrefix("SF:") || out.isEmpty)
            }
        }
    }

    /// S-M5: formats of programs stay valid when rules have errors.
    @Test(arguments: [
        "list rules -f json", "explain a --rules rules -f json", "audience --rules rules -f json",
        "collisions --rules rules -f json", "diff rules rules -f json", "test rules -f json",
        "backtest rules log.jsonl -f json",
    ])
    func `standard output contains findings as JSON if there is no other result (S-M5)`(
        command: String
    ) throws {
        let document = try JSON.parse(Array(try outputOfWrong(command).utf8))
        #expect(document["diagnostics"]?.items.first?["check"] == "P0301", "\(document.compact)")
    }

    @Test func `is valid JUnit or TAP even if no test runs (S-M5)`() throws {
        let junit = try outputOfWrong("test rules -f junit")
        #expect(junit.hasPrefix("<?xml") && junit.contains("P0301"), "\(junit)")
        let tap = try outputOfWrong("test rules -f tap")
        #expect(
            tap
                == "TAP version 14\nBail out! no test was run: there are 2 errors in the rules and the tests\n"
        )
    }

    @Test(arguments: [
        "graph rules -f svg", "graph rules -f dot", "diff rules rules -f html",
        "diff rules rules -f markdown", "simulate rules/a.test.yaml -f svg",
        "backtest rules log.jsonl -f html", "test rules --bootstrap", "compile rules -o -",
        "page rules -o -", "generate swift rules", "schema --for rules",
    ])
    func `standard output contains no findings if the result has a format of its own (S-M5)`(
        command: String
    ) throws {
        #expect(try outputOfWrong(command) == "")
    }

    /// Standard output of a command on rules with an error.
    private func outputOfWrong(
        _ command: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.wrong, to: "rules/r.yaml")
        try folder.write(Self.test, to: "rules/a.test.yaml")
        try folder.write("{}\n", to: "log.jsonl")
        let outcome = try Program.shell(
            "poprules \(command) > out 2> errors; echo $?; cat errors", in: folder.url)
        #expect(outcome.output.hasPrefix("1\n"), "\(outcome)", sourceLocation: sourceLocation)
        return try String(contentsOf: folder.url.appending(path: "out"), encoding: .utf8)
    }
}
