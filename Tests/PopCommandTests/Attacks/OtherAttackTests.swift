import Foundation
import Testing

/// S14, and attacks of other kinds that were tried.
@Suite struct `Unusual input` {
    private static let rules = "poprules: 1\npopups: { welcome: { owner: a, description: b } }\n"
    private static let story = """
        poprules_test: 1
        tests: { a: { steps: [{ poke: true, expect: { showing: { main: welcome } } }] } }

        """

    private func run(
        _ command: String, _ files: [String: String] = [:]
    ) throws -> (status: Int32, output: String) {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "rules/rules.yaml")
        for (path, text) in files { try folder.write(text, to: path) }
        return try Program.shell(command, in: folder.url)
    }

    // MARK: S14

    @Test(arguments: [
        "validate ''", "validate rules ''", "list ''", "test ''", "compile ''",
        "explain --rules '' --all",
        "schema --for ''", "graph ''", "init ''", "bundle keygen ''", "compile rules -o ''",
        "validate rules -o ''", "validate rules --write-baseline ''",
    ])
    func `with an empty name is refused (S14)`(command: String) throws {
        let outcome = try run("poprules \(command)")
        #expect(outcome.status == 2, "\(outcome)")
    }

    /// A file of another name was written, or another folder was read.
    @Test(arguments: ["schema -o $'a\\xff.json'", "list $'r\\xff'", "bundle keygen $'\\xfe'"])
    func `with a name that is not UTF-8 is refused`(command: String) throws {
        let outcome = try run(
            "mkdir -p r\u{FFFD}; bash -c \"poprules \(command)\"; echo $?; rmdir r\u{FFFD}; ls")
        #expect(outcome.output.contains("is not valid UTF-8: `"), "\(outcome.output)")
        #expect(outcome.output.hasSuffix("\n2\nrules\n"), "\(outcome.output)")
    }

    @Test func `that is closed is reported with a message (S14)`() throws {
        for command in ["validate -", "fmt -"] {
            let outcome = try run("poprules \(command) <&-")
            #expect(outcome.status == 3)
            #expect(outcome.output == "poprules: standard input cannot be read\n")
        }
    }

    @Test(arguments: ["UTC\\0x", "Europe/Berlin\\0", "UTC ", "\\x1b", "../../etc/localtime"])
    func `as a time zone isn't a valid zone (S14)`(zone: String) throws {
        let rules =
            "poprules: 1\npopups: { a: { schedule: { hours: 9:00-10:00, zone: \"\(zone)\" } } }\n"
        let outcome = try run("poprules validate rules", ["rules/a.yaml": rules])
        #expect(outcome.status == 1, "\(outcome.output)")
    }

    @Test func `as a bundle with a duplicate head is refused (S14)`() throws {
        let outcome = try run(
            "poprules bundle keygen k > /dev/null; poprules compile rules -o b > /dev/null;"
                + " sed -i 's/{\"popbundle\":1,/{\"popbundle\":1,\"popbundle\":1,/' b;"
                + " poprules bundle sign b --key k.key")
        #expect(outcome.status == 3)
        #expect(outcome.output.contains("a key appears twice"), "\(outcome.output)")
    }

    @Test func `as a date in the past is reported (S14)`() throws {
        let outcome = try run(
            "poprules bundle keygen k > /dev/null; poprules compile rules -o b > /dev/null;"
                + " poprules bundle sign b --key k.key --expires 2020-01-01T00:00:00Z")
        #expect(outcome.output.contains("is in the past: every app rejects this bundle"))
    }

    @Test(arguments: ["INT", "TERM", "HUP"])
    func `a signal leaves no temporary file (S14)`(signal: String) throws {
        let outcome = try run(
            """
            for i in 1 2 3 4 5 6 7 8; do
                poprules compile rules -o out > said 2>&1 & sleep 0.0$i; kill -\(signal) $!; wait $!
            done 2> /dev/null
            ls -A
            """)
        let names = Set(outcome.output.split(separator: "\n").map(String.init))
        #expect(names.subtracting(["rules", "out", "said"]).isEmpty, "\(outcome.output)")
    }

    @Test func `that changes while it is watched is shown in its final state (S14)`() throws {
        let outcome = try run(
            """
            poprules validate rules --watch -f short > seen 2> /dev/null & pid=$!
            until grep -qs 'ms)' seen; do sleep 0.1; done
            echo 'popups: { b: { priorty: 1 } }' > rules/b.yaml; sleep 0.35
            printf 'poprules: 1\\npopups: { b: { after: [c] } }\\n' > rules/b.yaml; sleep 0.2
            printf 'poprules: 1\\npopups: { c: { after: [no] } }\\n' > rules/c.yaml
            until grep -qs P0202 seen; do sleep 0.1; done
            kill -9 $pid; cat seen
            """)
        #expect(outcome.output.contains("there is no popup `no`"), "\(outcome.output)")
        #expect(!outcome.output.contains("there is no popup `c`"), "\(outcome.output)")
    }

    // MARK: names

    @Test func `the name of a file or folder never starts a new line of output`() throws {
        let hostile = "a\n::error::pwned\u{1B}[31m"
        let outcome = try run(
            """
            name="$(printf 'a\\n::error::pwned\\033[31m')"
            mkdir -p "rules/$name"; cp rules/rules.yaml "rules/$name/x.yaml"; cp rules/rules.yaml "$name.yaml"
            poprules validate rules; poprules validate "$name.yaml" -f github; poprules fmt "$name.yaml" --diff
            poprules validate "$name"; poprules test "$name"; poprules list "$name"; poprules compile "$name"
            poprules compile rules -o "$name/x"; poprules validate --"$name"; poprules "$name"; poprules eval "$name"
            poprules validate rules --config "$name"; poprules validate rules --baseline "$name"
            poprules validate - --stdin-filename "$name.yaml" -f github < rules/rules.yaml
            poprules bundle verify "$name" --key "$name"; poprules explain-check "$name"; poprules explain "$name"
            poprules simulate "$name"; poprules schema --for "$name"; poprules init "rules/rules.yaml/$name"
            """)
        let lines = outcome.output.split(separator: "\n")
        #expect(!lines.contains { $0.hasPrefix("::error::pwned") }, "\(outcome.output)")
        #expect(!outcome.output.contains("\u{1B}"), "\(hostile)")
    }

    @Test func `that looks like an option is a file after two dashes`() throws {
        let outcome = try run(
            "cp -r rules ./--force; cp rules/rules.yaml ./-q.yaml; poprules validate -- --force -q.yaml"
        )
        #expect(outcome.output.hasPrefix("2 popups in 2 files: 0 errors"), "\(outcome.output)")
    }

    // MARK: files written and read elsewhere

    @Test func `a test with snapshots behind symbolic links writes only in the project`() throws {
        let story = Self.story.replacing("a: {", with: "a: { snapshot: s,")
        let outcome = try run(
            """
            mkdir ../out-$$ || exit 9
            ln -s ../../out-$$ rules/snapshots; poprules test rules --update; ls ../out-$$
            rm rules/snapshots; mkdir rules/snapshots; echo mine > target; ln -s ../../target rules/snapshots/s.log
            poprules test rules --update; cat target; rm -r ../out-$$
            """, ["some/a.test.yaml": story])
        #expect(!outcome.output.contains("s.log\n"), "\(outcome.output)")
        #expect(outcome.output.contains("mine\n"), "\(outcome.output)")
    }

    @Test func `as a configuration that multiplies stops at a limit`() throws {
        var bomb = "x-0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1..<9 {
            let uses = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            bomb += "x-\(level): &a\(level) [\(uses)]\n"
        }
        for (path, head) in [
            ("poprules.yaml", "poprules_config: 1\n"), ("rules/a.test.yaml", "poprules_test: 1\n"),
            ("known.json", "poprules_baseline: 1\n"),
        ] {
            var files = [
                "poprules.yaml": "poprules_config: 1\n",
                "known.json": "{\"poprules_baseline\": 1, \"findings\": []}",
            ]
            files[path] = head + bomb + "x-9: *a8\n"
            let outcome = try run(
                "timeout 60 poprules validate rules --config poprules.yaml --baseline known.json;"
                    + " timeout 60 poprules validate rules -f short", files)
            #expect(outcome.status != 124 && outcome.status < 128, "\(path)")
        }
    }

    /// The page of a backtest ended by a signal where there were no popups.
    @Test(arguments: ["html", "json", "csv", "text"])
    func `as rules without popups runs in every format`(format: String) throws {
        let files = [
            "none/none.yaml": "poprules: 1\n",
            "e.jsonl": #"{"user":"u","time":"2026-01-01T00:00:00Z","event":"go"}"#,
        ]
        let outcome = try run("poprules backtest none e.jsonl -f \(format)", files)
        #expect(outcome.status == 0, "\(outcome.output.prefix(500))")
    }

    /// A pattern of `--run` is an expression of RE2: it never tries one way after the other.
    @Test func `as a name that a pattern of --run almost matches takes no time`() throws {
        let files = [
            "some/a.yaml": "poprules: 1\npopups: { a: {} }\n",
            "some/a.test.yaml":
                "poprules_test: 1\ntests:\n  \(String(repeating: "a", count: 60))0:\n"
                + "    steps:\n      - expect: { showing: { main: none } }\n",
        ]
        let outcome = try run("timeout 60 poprules test some --run '^(a+)+$'", files)
        #expect(outcome.status == 2, "\(outcome.output.prefix(500))")
        #expect(outcome.output.contains("no test name matches"), "\(outcome.output.prefix(500))")
    }

    @Test func `as very many files and folders is refused with a message`() throws {
        let outcome = try run(
            "for i in $(seq 1100); do echo 'poprules: 1' > rules/$i.yaml; done; poprules validate rules;"
                + " poprules validate 'rules/*.yaml'; for i in $(seq 1100); do mv rules/$i.yaml rules/$i.test.yaml; done;"
                + " poprules validate rules")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 3, "\(outcome.output.prefix(2_000))")
        #expect(lines.allSatisfy { $0.contains("more than 1000 rule files") })
    }
}
