import Foundation
import Testing

/// S7, S8, S9: findings that are not shown are counted, even if an attacker wants to hide them.
@Suite struct `Findings beyond a limit` {
    private static func popups(_ count: Int, _ keys: String) -> String {
        "poprules: 1\npopups:\n" + (0..<count).map { "  p\($0): { \(keys) }\n" }.joined()
    }

    private func inFolder(
        _ rules: String, _ body: (TemporaryFolder, (String) throws -> String) throws -> Void
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(rules, to: "rules/rules.yaml")
        try body(folder) { try Program.shell($0, in: folder.url).output }
    }

    @Test(arguments: ["baseline", "comment", "configuration"])
    func `findings beyond a limit are never lost (S7)`(means: String) throws {
        let ignore = means == "comment" ? "# poprules:ignore-file[P0101, P0111] old\n" : ""
        let last = "  real: { after: [nothing] }\n"
        try inFolder(ignore + Self.popups(1_500, "priorty: 1")) { folder, run in
            _ = try run("poprules validate rules --write-baseline known.json")
            try folder.write(
                ignore + Self.popups(2_000, "priorty: 1") + last, to: "rules/rules.yaml")
            if means == "configuration" {
                try folder.write(
                    "poprules_config: 1\nchecks: { schema: off, hygiene: off }\n",
                    to: "poprules.yaml")
            }
            let baseline = means == "baseline" ? "--baseline known.json" : ""
            let said = try run("poprules validate -f short --min-level error \(baseline)")
            #expect(said.contains("P0202"), "the real error: \(said.suffix(500))")
            #expect(!said.contains("not shown"), "\(said.suffix(500))")
            // More new ones than are shown: they are counted.
            try folder.write(Self.popups(2_800, "priorty: 1"), to: "rules/rules.yaml")
            let more = try Program.shell(
                "rm -f poprules.yaml;"
                    + " poprules validate rules -f short --min-level error --baseline known.json",
                in: folder.url)
            #expect(more.status == 1 && more.output.contains("not shown [P0111]"))
        }
    }

    @Test func `findings beyond a limit are not hidden by ignored findings (S7)`() throws {
        let ignore = "# poprules:ignore-file[P0801, P0802] for now\n"
        try inFolder(ignore + Self.popups(3_000, "") + "  x: { after: [no] }\n") { _, run in
            let said = try run("poprules validate rules -f short")
            let lines = said.split(separator: "\n")
            #expect(lines.count == 3, "\(said.suffix(500))")
            #expect(lines[0].contains("P0202"))
            #expect(
                lines[2]
                    == "some warnings and suggestions are skipped until the error in the rules is"
                    + " fixed")
        }
    }

    @Test func `are those of the lowest levels (S7)`() throws {
        try inFolder(Self.popups(3_000, "") + "  x: { grace: 0s }\n") { _, run in
            let said = try run("poprules validate rules -f short")
            #expect(said.contains("has no effect [P0510]"), "\(said.suffix(500))")
            #expect(said.contains("0 errors, 1 warning, 600"), "\(said.suffix(500))")
        }
    }

    @Test(arguments: [
        "# poprules:ignore-file[P0008] x\n", "# poprules:ignore-file[yaml/limit] x\n",
    ])
    func `findings after a limit of the file cannot be ignored (S7)`(comment: String) throws {
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        try inFolder(comment + "poprules: 1\nx-a: \(deep)\n") { folder, run in
            try folder.write("poprules_config: 1\nchecks: { yaml: off }\n", to: "poprules.yaml")
            let said = try run("poprules validate -f short")
            #expect(said.contains("[P0008]"), "\(said)")
            #expect(
                said.contains("P0008 cannot be ignored, because it means that something was not"),
                "\(said)")
        }
    }

    /// poprules didn't read the text after such a finding, so it reports nothing about that text.
    @Test(arguments: [
        ("P0013", "poprules: 1\npopups: { a: {} } # COMMENT\n---\npopups: { b: { nope: 1 } }\n"),
        ("P0001", "# COMMENT\npoprules: 1\npopups: { a: [ }\n"),
        ("P0004", "poprules: 1\npopups: { a: { owner: t, owner: u } } # COMMENT\n"),
    ])
    func `findings about files that were not read whole cannot be ignored`(
        check: String, text: String
    ) throws {
        let comment = "poprules:ignore-file[\(check)] x"
        try inFolder(text.replacing("COMMENT", with: comment)) { _, run in
            let said = try run("poprules validate rules -f short; echo \"[$?]\"")
            #expect(said.contains("[\(check)]") && said.contains("[1]"), "\(said)")
            let kept = try run(
                "poprules validate rules --write-baseline b.json 2>&1 | grep '^wrote'"
                    + "; poprules validate rules --baseline b.json -f short; echo \"[$?]\"")
            #expect(kept.contains("a baseline cannot contain \(check)"), "\(kept)")
            #expect(kept.contains("[\(check)]") && kept.contains("[1]"), "\(kept)")
        }
    }

    @Test func `a test file whose rules cannot be read is always reported`() throws {
        try inFolder("poprules: 1\npopups: { a: {} }\n") { folder, run in
            try folder.write(
                "poprules_test: 1\nrules: [nowhere] # poprules:ignore[P0907] x\n"
                    + "tests: { t: { steps: [] } }\n", to: "rules/a.test.yaml")
            let said = try run("poprules validate rules -f short; echo \"[$?]\"")
            #expect(said.contains("[P0907]") && said.contains("[1]"), "\(said)")
        }
    }

    @Test
    func `findings beyond a limit are written to a baseline that can be read again (S8)`() throws {
        try inFolder(Self.popups(10_000, "")) { _, run in
            let written = try run("poprules validate rules --write-baseline known.json")
            #expect(written == "wrote 20001 findings to known.json\n")
            let said = try run("poprules validate rules --baseline known.json")
            #expect(said.contains("10000 popups in 1 file: 0 errors, 0 warnings ("), "\(said)")
        }
    }

    @Test func `stay in a baseline that is written again`() throws {
        try inFolder(Self.popups(3, "")) { folder, run in
            try folder.write("poprules_config: 1\nbaseline: known.json\n", to: "poprules.yaml")
            let command = "poprules validate rules --write-baseline known.json --force"
            let first = try run(command)
            #expect(try run(command) == first)
            #expect(try run("poprules validate rules -q") == "")
        }
    }

    @Test(arguments: ["json", "sarif", "text", "junit"])
    func `findings beyond a limit are counted but not printed, and so is advice (S9)`(
        format: String
    ) throws {
        try inFolder(Self.popups(6_000, "")) { folder, run in
            for file in 0..<8 {
                try folder.write(
                    Self.popups(500, "").replacing("  p", with: "  f\(file)"),
                    to: "rules/\(file).yaml")
            }
            let said = try run("poprules validate rules -f \(format)")
            #expect(said.utf8.count < 8_000_000)
            #expect(said.contains("more findings in this file are not shown"))
            if format == "json" { #expect(said.contains("\"infos\": 20001")) }
        }
    }

    /// The growth of `--fix`: so many fixes as there are popups are made in one round.
    @Test func `are all fixed in one run`() throws {
        try inFolder(Self.popups(3_000, "owner: a, description: b, tags: s")) { _, run in
            let said = try run("poprules validate rules --fix")
            #expect(said.hasPrefix("made 3000 fixes in 1 file\n"), "\(said.prefix(300))")
        }
    }
}
