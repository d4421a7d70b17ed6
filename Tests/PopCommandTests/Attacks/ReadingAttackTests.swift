import Foundation
import Testing

/// S4, S6, S13, C4: the files that are read, and the effects of a bad file on the others.
@Suite struct `Files from other users` {
    private static let rules = """
        poprules: 1
        popups: { welcome: { owner: a, description: b } }

        """

    private func inFolder(_ body: (TemporaryFolder) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "rules/good.yaml")
        try body(folder)
    }

    private func run(_ command: String, in folder: TemporaryFolder) throws -> String {
        try Program.shell(command, in: folder.url).output
    }

    /// Commands read `rules` unless other files are named.
    @Test(arguments: [
        "validate", "test", "list", "compile -o b", "page -o -", "fmt", "fmt --write",
        "fmt ./rules", "validate 'rules/*.yaml' --fix", "validate rules/secrets.yaml",
    ])
    func `files are not read if the rules folder is a link out of the project`(
        command: String
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write("user: x\npassword: hunter2\n", to: "outside/secrets.yaml")
        try folder.write("", to: "project/README.md")
        let link = "ln -s ../outside project/rules && cd project && poprules \(command) 2>&1"
        let outcome = try Program.shell(link, in: folder.url)
        #expect(outcome.status == 3)
        #expect(!outcome.output.contains("hunter2"))
        #expect(outcome.output.contains("is a symbolic link that leads out"))
    }

    @Test func `are read if the default folder is a link within the project`() throws {
        try inFolder { folder in
            let said = try run(
                "mv rules popups && ln -s popups rules && poprules validate -f short 2>&1",
                in: folder)
            #expect(said.contains("1 popup in 1 file: 0 errors"), "\(said)")
        }
    }

    // MARK: S4

    @Test func `files that are fixed keep the bytes that are not UTF-8`() throws {
        try inFolder { folder in
            let latin = "owner: \u{7F}"  // Stands for a byte that is no UTF-8.
            let text =
                "poprules: 1\npopups:\n  a:\n    tags: s\n    \(latin)\n    x: { tags: \u{7F} }\n"
            let path = folder.url.appending(path: "rules/latin.yaml")
            try Data(text.utf8.map { $0 == 0x7F ? 0xFC : $0 }).write(to: path)
            let said = try run("poprules validate --fix rules -f short", in: folder)
            #expect(said.contains("P0011"))
            let bytes = Array(try Data(contentsOf: path))
            #expect(bytes.count { $0 == 0xFC } == 2)
            #expect(String(decoding: bytes, as: UTF8.self).contains("tags: [s]"), "\(said)")
            let json = try run("poprules validate rules -f rdjson", in: folder)
            #expect(!json.contains("\u{FFFD}\""), "a suggestion would write what was not there")
        }
    }

    // MARK: S6

    @Test(arguments: ["/etc/passwd", "../secret", "link", ".env", "rules/good.yaml", "none.json"])
    func `foreign files are not valid baselines, and none of their content is shown (S6)`(
        path: String
    ) throws {
        try inFolder { folder in
            try folder.write("token: tell-no-one: ever\n", to: ".env")
            try folder.write(
                "poprules_config: 1\nrules: [rules]\nbaseline: \(path)\n", to: "poprules.yaml")
            let said = try run("ln -s /etc/passwd link; poprules validate", in: folder)
            #expect(said.contains("P1005"), "\(said)")
            #expect(!said.contains("root:") && !said.contains("tell-no-one"), "\(said)")
            let named = try run("poprules validate rules --baseline .env", in: folder)
            #expect(
                named == "poprules: `.env` is not a baseline: use `--write-baseline` to create"
                    + " one\n")
        }
    }

    @Test
    func `foreign files are never shown, even if a test or link names them (S6)`() throws {
        try inFolder { folder in
            try folder.write("token: tell-no-one: ever\n", to: ".env")
            try folder.write("token: tell-no-one: ever\n", to: "secrets.yaml")
            try folder.write(
                "poprules_test: 1\nrules: [../.env]\ntests: { a: { steps: [{ poke: true }] } }\n",
                to: "rules/a.test.yaml")
            let config = "poprules_config: 1\nrules: [rules, .env, secrets.yaml, '*.yaml']\n"
            try folder.write(config, to: "poprules.yaml")
            let said = try run("ln -s ../.env rules/x.yaml; poprules validate", in: folder)
            #expect(!said.contains("tell-no-one"), "\(said)")
            #expect(said.contains("`secrets.yaml` has no line such as `poprules: 1`"), "\(said)")
            for target in [".env", "/etc/passwd"] {
                let linked = try run(
                    "rm poprules.yaml; ln -s \(target) poprules.yaml; poprules validate", in: folder
                )
                #expect(!linked.contains("tell-no-one") && !linked.contains("root:"), "\(linked)")
                #expect(linked.contains("is a symbolic link"), "\(linked)")
            }
        }
    }

    // MARK: S13

    /// The shell command that makes each bad entry in a folder of rules.
    static let badEntries: [(name: String, command: String)] = [
        ("dangling.yaml", "ln -s gone.yaml rules/dangling.yaml"),
        ("circle.yaml", "ln -s circle.yaml rules/circle.yaml"),
        ("out.yaml", "ln -s /etc/hosts rules/out.yaml"),
        ("pipe.yaml", "mkfifo rules/pipe.yaml"),
        ("folder.yaml", "mkdir rules/folder.yaml"),
        ("binary.yaml", "head -c 100 /dev/zero > rules/binary.yaml"),
        ("huge.yaml", "truncate -s 20M rules/huge.yaml"),
        ("dangling.test.yaml", "ln -s gone rules/dangling.test.yaml"),
        ("pipe.test.yaml", "mkfifo rules/pipe.test.yaml"),
        ("folder.test.yaml", "mkdir rules/folder.test.yaml"),
        ("\u{FFFD}.yaml", "touch \"$(printf 'rules/\\377.yaml')\""),
    ]

    @Test(arguments: badEntries.map(\.name))
    func `unreadable files give one finding, and the other files are still checked (S13)`(
        name: String
    ) throws {
        try inFolder { folder in
            try folder.write("poprules: 1\npopups: { b: { priorty: 1 } }\n", to: "rules/bad.yaml")
            let command = Self.badEntries.first { $0.name == name }?.command ?? ""
            _ = try run(command, in: folder)
            // A folder that the user names or that a pattern finds is read as one, with any name.
            let inputs = ["rules", "'rules/*.y*'", "rules/*.yaml"]
            for input in inputs.prefix(name.hasPrefix("folder.") ? 1 : 3) {
                let outcome = try Program.shell(
                    "timeout 60 poprules validate \(input) -f short", in: folder.url)
                #expect(outcome.status == 1, "\(outcome.output)")
                #expect(outcome.output.contains("P0101"), "\(outcome.output)")
                #expect(outcome.output.contains("rules/\(name):1:"), "\(outcome.output)")
            }
            for format in ["json", "sarif", "github", "junit", "checkstyle", "gitlab", "rdjson"] {
                let said = try run("timeout 60 poprules validate rules -f \(format)", in: folder)
                #expect(
                    said.contains(name == "binary.yaml" ? "P0011" : "cannot be")
                        || said.contains("rules/\(name)"), "\(format): \(said)")
                #expect(said.contains("priorty"), "\(format): \(said)")
            }
            // Neither of the two reads tests from a folder.
            if name == "folder.test.yaml" { return }
            let rest = try run(
                "timeout 60 poprules fmt --check rules; timeout 60 poprules list rules", in: folder)
            #expect(rest.contains(name), "\(rest)")
        }
    }

    @Test func `are not read if they are too large (S13)`() throws {
        try inFolder { folder in
            // Reading it would take twice the memory that there is.
            let command = "truncate -s 4G rules/huge.yaml; ulimit -v 2000000; timeout 60 poprules"
            for arguments in ["validate", "list", "fmt --check"] {
                let outcome = try Program.shell("\(command) \(arguments) rules", in: folder.url)
                #expect(outcome.output.contains("huge.yaml` is larger than 16 MiB"))
                #expect(outcome.status != 134, "\(outcome.output)")
            }
        }
    }

    /// S-M2: all names were copied for each of the events, with 4.5 GB.
    @Test(arguments: ["", "  last: { when: popups.p1.shown_count > 0 }\n"])
    func `use memory for the names of conditions once, however many events there are`(last: String)
        throws
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let numbers = 0..<2_000
        let events = numbers.map { "  e\($0): { a: int }\n" }.joined()
        let popups = numbers.map {
            "  p\($0): { trigger: { event: e\($0), where: event.a > \($0) } }\n"
        }.joined()
        try folder.write(
            "poprules: 1\nevents:\n\(events)popups:\n\(popups)\(last)", to: "rules/a.yaml")
        let outcome = try Program.shell(
            """
            ulimit -v 2500000; poprules compile rules -o b.popbundle
            poprules diff b.popbundle rules
            """, in: folder.url)
        #expect(
            outcome.status == 0 && outcome.output.contains("No behavior changes"),
            "\(outcome.output)")
    }

    @Test func `are skipped if they are lock files of editors (S13)`() throws {
        try inFolder { folder in
            let said = try run(
                "ln -s me@host.1 rules/.#good.yaml; poprules validate rules -q", in: folder)
            #expect(said.isEmpty, "\(said)")
        }
    }

    @Test func `may define the names that others use, if they cannot be read (S13)`() throws {
        try inFolder { folder in
            try folder.write(
                "poprules: 1\npopups: { b: { owner: a, description: b, when: flag, after: [c] }"
                    + " }\n",
                to: "rules/b.yaml")
            let said = try run(
                "ln -s gone rules/c.yaml; poprules validate rules -f short", in: folder)
            #expect(!said.contains("P0301") && !said.contains("P0202"), "\(said)")
            #expect(said.contains("2 popups in 3 files: 1 error, 0 warnings"), "\(said)")
        }
    }

    // MARK: C4

    @Test func `form one rule set per folder, and count once (C4)`() throws {
        try inFolder { folder in
            let other = "poprules: 1\nschedulers: { main: {} }\n" + String(Self.rules.dropFirst(12))
            try folder.write(other, to: "shop/good.yaml")
            try folder.write(other, to: "bank/good.yaml")
            for input in [
                "rules shop bank", "'{rules,shop,bank}/*.yaml'", "rules/ shop/good.yaml bank",
            ] {
                let said = try run("poprules validate \(input) -f short", in: folder)
                #expect(said.hasPrefix("3 popups in 3 files: 0 errors, 0 warnings"), "\(said)")
            }
            // Files that are named one by one form one rule set, and so do folders for a command
            // such as `list`.
            let together = try run("poprules validate shop/good.yaml bank/good.yaml", in: folder)
            #expect(together.contains("P0201"), "\(together)")
            #expect(try run("poprules list shop bank", in: folder).contains("P0201"))
        }
    }

    @Test func `count once if a test covers two folders (C4)`() throws {
        try inFolder { folder in
            try folder.write(
                "poprules: 1\npopups: { b: { owner: a, description: b, after: [welcome] } }\n",
                to: "shop/b.yaml")
            try folder.write(
                "poprules_test: 1\nrules: [., ../rules]\ntests: { a: { steps: [{ poke: true,"
                    + " expect: { showing: { main: welcome } } }] } }\n",
                to: "shop/a.test.yaml")
            let said = try run(
                "poprules validate rules -f short; poprules validate shop rules -f short",
                in: folder)
            #expect(said.contains("2 popups in 3 files"), "\(said)")
        }
    }

    // MARK: C13

    @Test func `have infos that --min-level hides and the summary counts (C13)`() throws {
        try inFolder { folder in
            try folder.write("poprules: 1\npopups: { b: { grace: 0s } }\n", to: "rules/b.yaml")
            let said = try run("poprules validate rules -f short --min-level warning", in: folder)
            #expect(!said.contains("info: "), "\(said)")
            #expect(said.contains("P0510") && said.contains("1 warning, 3 infos"), "\(said)")
            let errors = try run("poprules validate rules -q --min-level error", in: folder)
            #expect(errors.isEmpty, "\(errors)")
            let wrong = try Program.shell(
                "poprules validate rules --min-level error --fail-level warning", in: folder.url)
            #expect(wrong.status == 2)
        }
    }
}
