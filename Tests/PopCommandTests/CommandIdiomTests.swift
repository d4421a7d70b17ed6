import Foundation
import Testing

@testable import PopCommand

@Suite struct `Commands and options of other tools` {
    private static let rules = """
        poprules: 1
        context: { plan: { type: string, default: free } }
        popups: { a: { trigger: session, when: plan == "pro" } }

        """

    @Test(arguments: [
        ("lint r.yaml", "there is no command `lint`; use `poprules validate`"),
        ("help lint", "there is no command `lint`; use `poprules validate`"),
        ("version", "there is no command `version`; use `poprules --version`"),
        ("valdate r.yaml", "there is no command `valdate`; did you mean `validate`?"),
        (
            "r.yaml",
            "there is no command `r.yaml`; to check this file or folder, use"
                + " `poprules validate r.yaml`"
        ),
        ("foo", "there is no command `foo`; to see all commands, use `poprules --help`"),
        (
            "explain a --set plan: pro --rules r.yaml",
            "`--set plan:` has no `=`: write a form such as `--set plan=pro`"
        ),
        (
            "explain a --set 'plan: go pro' --rules r.yaml",
            "`--set plan: go pro` has no `=`: write `--set plan='go pro'`"
        ),
        (
            "explain a --at 24.12.2027 --rules r.yaml",
            "`24.12.2027` is not a time such as 2026-11-20T09:00:00Z; did you mean"
                + " `2027-12-24T00:00:00Z`?"
        ),
        (
            "explain a --at tomorrow --rules r.yaml",
            "`tomorrow` is not a time such as 2026-11-20T09:00:00Z"
        ),
    ])
    func `a mistake is a usage error that names the right form`(
        command: String, message: String
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "r.yaml")
        let ended = try Program.shell("poprules \(command)", in: folder.url)
        #expect(ended.status == 2)
        #expect(ended.output == "poprules: \(message)\n")
    }

    @Test(arguments: [
        ("validate --strict", "--fail-level warning"), ("list --json", "--format json"),
        ("test --filter=shop", "--run"),
    ])
    func `a hint names the option that does what one of another tool does`(
        command: String, option: String
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let ended = try Program.shell("poprules \(command)", in: folder.url)
        #expect(ended.status == 2)
        #expect(ended.output.contains("\nUse `\(option)` instead of `--"), "\(ended.output)")
    }

    @Test(arguments: [
        (
            "generate kotlin r.yaml -o Rules.kt",
            "there is no command `generate kotlin`, because poprules generates only Swift; use"
                + " `poprules generate swift`"
        ),
        (
            "generate r.yaml -o Rules.swift",
            "name the language first: write `poprules generate swift r.yaml -o Rules.swift`"
        ),
        (
            "generate -o Rules.swift r.yaml",
            "name the language first: write `poprules generate swift -o Rules.swift r.yaml`"
        ),
        ("bundle create r.yaml", "there is no command `bundle create`; use `poprules compile`"),
        (
            "validate r.yaml —fix",
            "`—fix` starts with a long dash: write `--fix`"
        ),
        ("test r.yaml –q", "`–q` starts with a long dash: write `-q`"),
        (
            "compile r.yaml rules.popbundle",
            "`rules.popbundle` is not a file of rules; to write this file, use"
                + " `poprules compile r.yaml -o rules.popbundle`"
        ),
        (
            "generate swift r.yaml Rules.swift",
            "`Rules.swift` is not a file of rules; to write this file, use"
                + " `poprules generate swift r.yaml -o Rules.swift`"
        ),
        (
            "backtest events.jsonl r.yaml",
            "`events.jsonl` is a log, but the rules come first: write"
                + " `poprules backtest r.yaml events.jsonl`"
        ),
        (
            "backtest a.csv b.csv",
            "`a.csv` is a log, but the rules come first, as in `poprules backtest rules a.csv`"
        ),
        (
            "backtest r.yaml events.jsonl --from 2026-03-01 --to 2026-03-31",
            "`poprules backtest` replays the whole log, so there is no `--from`: use `-f csv` or"
                + " `-f json`, which give the numbers of each day"
        ),
        (
            "explain a --set plan pro --rules r.yaml",
            "`--set plan` has no `=`: write `--set plan=pro`"
        ),
        (
            "explain a --set launches=1,plan=pro --rules r.yaml",
            "`--set launches=1,plan=pro` has several keys: write `--set launches=1 --set plan=pro`"
        ),
        (
            "explain SLOT_BUSY --rules r.yaml",
            "there is no popup `SLOT_BUSY`; this is a reason code, so use"
                + " `poprules explain-check SLOT_BUSY`"
        ),
        (
            "diff --git main..HEAD r.yaml",
            "`main..HEAD` is a range, but `--git` takes only the revision of the old rules, and the"
                + " new rules are the files in the folder: write `--git main`"
        ),
        (
            "test r.yaml r.test.yaml --threshold 0.8",
            "`--threshold 0.8` is less than one percent, because the threshold is a percentage:"
                + " write `--threshold 80`"
        ),
        (
            "test r.yaml r.test.yaml --run '*nothing*'",
            "`--run *nothing*` is not a regular expression: nothing to repeat before `*`; write"
                + " `--run nothing`, which matches any part of a name"
        ),
        (
            "simulate .",
            "`.` is a folder, but `simulate` needs a test file, such as"
                + " `poprules simulate r.test.yaml`"
        ),
        (
            "test r.yaml r.test.yaml --threshold 80%",
            "`--threshold 80%` is not a percentage such as 80 or 99.5: write `--threshold 80`"
        ),
    ])
    func `words in another form or order are a usage error with the right command`(
        command: String, message: String
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.moreRules, to: "r.yaml")
        try folder.write(Self.tests, to: "r.test.yaml")
        let ended = try Program.shell("poprules \(command)", in: folder.url)
        #expect(ended.status == 2)
        #expect(ended.output == "poprules: \(message)\n")
    }

    private static let moreRules = """
        poprules: 1
        context:
          plan: { type: string, default: free }
          launches: { type: int, default: 0 }
        popups: { a: { trigger: session, when: plan == "pro" && launches > 0 } }

        """

    private static let tests = """
        poprules_test: 1
        tests:
          nothing shows at first:
            steps:
              - expect: { reasons: { a: CONDITION_FALSE } }

        """

    @Test(arguments: [
        ("test rules -k welcome", "Use `--run` instead of `-k`."),
        (
            "test rules -f junit -o tests.xml",
            "Redirect the output: `poprules test rules -f junit > tests.xml`."
        ),
        (
            "test rules --output=tests.xml",
            "Redirect the output: `poprules test rules -f junit > tests.xml`."
        ),
        (
            "diff --git main rules -o 'my changes.html'",
            "Redirect the output: `poprules diff --git main rules -f html > 'my changes.html'`."
        ),
        (
            "test rules --coverage 80",
            "For a minimum, use `--coverage text --threshold 80`."
        ),
        (
            "test rules --coverage=0.8",
            "For a minimum, use `--coverage text --threshold 80`."
        ),
        (
            #"eval user.plan == "pro" --set user.plan=pro"#,
            #"Put the expression in single quotes: `poprules eval 'user.plan == "pro"' --set"#
                + " user.plan=pro`."
        ),
        (
            "eval -1 + 2",
            "Put the expression in single quotes: `poprules eval -- '-1 + 2'`."
        ),
        ("eval x --set x 1", "`--set x` has no `=`: write `--set x=1`."),
        (
            "schema rules -o rules/poprules.schema.json",
            "Name the rules with `--for`:"
                + " `poprules schema --for rules -o rules/poprules.schema.json`."
        ),
        (
            "page rules out.html",
            "Name the file to write with `-o`: `poprules page rules -o out.html`."
        ),
        ("-v", "Use `--version` instead of `-v`."),
        ("list --usage", "Use `--help` instead of `--usage`."),
    ])
    func `a hint behind the message of the parser gives the right command`(
        command: String, hint: String
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let ended = try Program.shell("poprules \(command)", in: folder.url)
        #expect(ended.status == 2)
        #expect(ended.output.hasSuffix("\n\(hint)\n"), "\(ended.output)")
    }

    @Test func `a folder is no bundle, and a signed bundle is no bundle of rules`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "rules/r.yaml")
        let keys = try Program.shell("poprules bundle keygen release", in: folder.url)
        #expect(keys.status == 0)
        let unsigned = try Program.shell(
            "poprules bundle sign rules --key release.key", in: folder.url)
        #expect(unsigned.status == 3)
        #expect(
            unsigned.output == "poprules: `rules` is a folder, not a bundle: first use `poprules"
                + " compile rules -o rules.popbundle`, then `poprules bundle sign rules.popbundle"
                + " --key release.key`\n")
        let compared = try Program.shell(
            """
            poprules compile rules -o rules.popbundle > compiled
            poprules bundle sign rules.popbundle --key release.key > made
            poprules diff signed.popbundle rules
            """, in: folder.url)
        #expect(compared.status == 3)
        #expect(
            compared.output == "poprules: `signed.popbundle` is a signed bundle, and only unsigned"
                + " ones are read here: use the bundle that was signed, such as `rules.popbundle`,"
                + " or take it out with `tail -n +3 signed.popbundle > unsigned.popbundle`\n")
        let taken = try Program.shell(
            "tail -n +3 signed.popbundle > unsigned.popbundle; poprules diff unsigned.popbundle"
                + " rules", in: folder.url)
        #expect(taken.status == 0)
        #expect(taken.output == "No behavior changes.\n")
    }

    @Test(
        arguments: [
            ("80", "80"), ("80%", "80"), ("0.8", "80"), (".85", "85"), ("0.855", "85.5"),
            ("0.05", "5"), ("99.5", "99.5"), ("0", nil), ("0.001", nil), ("101", nil),
            ("100.5", nil), ("text", nil), ("", nil),
        ] as [(String, String?)])
    func `a percentage may be written as a part of one or with its sign`(
        text: String, percentage: String?
    ) {
        #expect(CommandIdioms.percentage(in: text) == percentage)
    }

    @Test(
        arguments: [
            ("main..HEAD", "main"), ("v1...v2", "v1"), ("..HEAD", "HEAD"), ("main", nil),
            ("HEAD^{/a..b}", nil), ("../rules", nil), ("a/../rules", nil),
        ] as [(String, String?)])
    func `a range of revisions has a start`(revision: String, start: String?) {
        #expect(CommandIdioms.start(ofRange: revision) == start)
    }

    @Test(arguments: [
        ["validate", "--", "—fix"], ["test", "--run", "—new"], ["validate", "— fix"],
        ["validate", "—fix.yaml"], ["eval", "−1 + 2"],
    ])
    func `a long dash in other places is left alone`(words: [String]) {
        #expect(CommandIdioms.longDash(in: words) { _ in false } == nil)
        #expect(CommandIdioms.longDash(in: ["validate", "—fix"]) { _ in true } == nil)
    }

    @Test func `no hint is about words behind two dashes, or an option of another command`() {
        #expect(CommandIdioms.hintOnOptions(in: ["validate", "--", "--strict"]) == nil)
        #expect(CommandIdioms.hintOnOptions(in: ["graph", "--strict"]) == nil)
    }
}
