import Foundation
import Testing

/// S5, S10, S11, S12: a command overwrites only its own files.
@Suite struct `A command that writes files` {
    private static let rules = "poprules: 1\npopups: { welcome: { tags: [a, a] } }\n"

    /// A folder with rules, a key pair and a bundle.
    private func inFolder(_ body: (TemporaryFolder) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "rules/rules.yaml")
        let story = "poprules_test: 1\ntests: { a: { steps: [{ poke: true }] } }\n"
        try folder.write(story, to: "rules/a.test.yaml")
        let made = try Program.shell(
            "poprules bundle keygen k && poprules compile rules -o b",
            in: folder.url)
        #expect(made.status == 0, "\(made.output)")
        try body(folder)
    }

    private func text(_ path: String, in folder: TemporaryFolder) throws -> String {
        try String(contentsOf: folder.url.appending(path: path), encoding: .utf8)
    }

    /// Each with `OUT` for the file that it writes.
    static let commands =
        ["json", "text", "short", "plain", "jsonl", "sarif", "github", "junit", "checkstyle"]
        .map { "validate rules -f \($0) -o OUT" }
        + ["rdjson", "gitlab"].map { "validate rules -f \($0) -o OUT" }
        + ["text", "json", "lcov", "html"].map {
            "test rules --coverage \($0) --coverage-output OUT"
        }
        + [
            "validate rules -q -f short -o OUT", "validate rules --write-baseline OUT",
            "compile rules -o OUT", "bundle sign b --key k.key -o OUT", "schema -o OUT",
            "schema --for rules --kind rules -o OUT",
        ]

    /// The formats that other programs write too, without a mark that poprules wrote a file.
    private static let unmarked = [
        "-f json ", "-f plain", "-f gitlab", "-f checkstyle", "--coverage text", "--coverage json",
        "--coverage lcov",
    ]

    /// S5: keys. S10: rule files. And files of other programs.
    @Test(arguments: commands)
    func `a command replaces only files of the same command`(command: String) throws {
        try inFolder { folder in
            try folder.write("notes of mine\n", to: "notes.txt")
            try folder.write("{ \"name\": \"app\" }\n", to: "package.json")
            try folder.write("<?xml version=\"1.0\"?><a/>\n", to: "a.xml")
            for file in [
                "k.key", "k.pub", "rules/rules.yaml", "notes.txt", "package.json", "a.xml",
            ] {
                let before = try text(file, in: folder)
                let run = "poprules " + command.replacing("OUT", with: file)
                let outcome = try Program.shell(run, in: folder.url)
                #expect(outcome.status == 3, "\(run): \(outcome.output)")
                let isInput = outcome.output.contains("the same file as the input")
                #expect(isInput || outcome.output.contains("--force"), "\(outcome.output)")
                #expect(try text(file, in: folder) == before, "\(run)")
            }
            let run = "poprules " + command.replacing("OUT", with: "out")
            let first = try Program.shell(run, in: folder.url)
            let again = try Program.shell(run, in: folder.url)
            #expect(first.status == 0, "\(first.output)")
            let isMarked = !Self.unmarked.contains { command.contains($0) }
            #expect(again.status == (isMarked ? 0 : 3), "\(again.output)")
            let forced = try Program.shell(
                "poprules " + command.replacing("OUT", with: "notes.txt") + " --force",
                in: folder.url)
            #expect(forced.status == 0, "\(forced.output)")
            #expect(try text("notes.txt", in: folder) != "notes of mine\n")
        }
    }

    private static let readers =
        commands.filter { $0.contains("rules") }
        + ["generate swift rules -o OUT", "page rules -o OUT"]

    @Test(arguments: readers)
    func `a command never replaces the rule files that it reads`(command: String) throws {
        try inFolder { folder in
            let run = "poprules " + command.replacing("OUT", with: "./rules/rules.yaml")
            let outcome = try Program.shell(run + " --force", in: folder.url)
            #expect(outcome.status == 3, "\(outcome.output)")
            let reason = "it is the same file as the input `rules/rules.yaml`"
            #expect(outcome.output.contains(reason), "\(outcome.output)")
            #expect(try text("rules/rules.yaml", in: folder) == Self.rules)
        }
    }

    @Test func `a command replaces no key that a link names, and refuses an empty name`() throws {
        try inFolder { folder in
            let outcome = try Program.shell(
                "ln -s k.key link; poprules compile rules -o link; poprules compile rules -o ''",
                in: folder.url)
            #expect(outcome.output.contains("is a private key; use --force"), "\(outcome)")
            #expect(outcome.status == 2)
            #expect(try text("k.key", in: folder).hasPrefix("poprules-private-key"))
        }
    }

    @Test func `gives up a pipe that nobody reads, and creates no file for a folder`() throws {
        try inFolder { folder in
            let outcome = try Program.shell(
                """
                mkfifo unread read; poprules compile rules -o unread
                (sleep 0.5; cat read > copy) & poprules compile rules -o read; wait
                poprules compile rules -o new/; ls
                """, in: folder.url)
            #expect(outcome.output.contains("`unread`: it is a named pipe that no program reads"))
            #expect(outcome.output.contains("`new/`: the folder does not exist"))
            #expect(!outcome.output.split(separator: "\n").contains("new"))
            #expect(try text("copy", in: folder).hasPrefix("{\"popbundle\":"))
        }
    }

    @Test func `a command replaces nothing if one of several outputs may not be replaced`() throws {
        try inFolder { folder in
            let run = "poprules validate rules -f json -o a -f sarif -o k.key"
            #expect(try Program.shell(run, in: folder.url).status == 3)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            #expect(!names.contains("a"))
            let twice = "poprules validate rules -f json -o a -f sarif -o a"
            #expect(try Program.shell(twice, in: folder.url).status == 2)
            let linked =
                "touch a; ln a b1; ln -s . here; for other in ./a $PWD/a b1 here/a; do"
                + " poprules validate rules -f json -o a -f sarif -o $other --force; echo $?; done;"
                + " poprules validate rules -f json -o n -f sarif -o here/n --force; echo $?"
            let outcome = try Program.shell(linked, in: folder.url)
            let codes = outcome.output.split(separator: "\n").map(String.init)
                .filter { $0.count == 1 }
            #expect(codes == ["2", "2", "2", "2", "2"], "\(outcome.output)")
        }
    }

    @Test(
        .enabled(if: Shells.has("bash"), "there is no bash"),
        arguments: ["-o /dev/stdout > seen", "-o /dev/stdout | cat > seen", "-o >(cat > seen)"])
    func `writes to devices and pipes`(output: String) throws {
        try inFolder { folder in
            let run = "poprules compile rules -o /dev/stdout > /dev/null; poprules compile rules "
            try folder.write(run + output + "; wait $!\n", to: "run.bash")
            let outcome = try Program.shell("bash run.bash", in: folder.url)
            #expect(outcome.status == 0 || outcome.status == 127, "\(outcome.output)")
            #expect(try text("seen", in: folder) == text("b", in: folder))
        }
    }

    /// A slip in a job of CI put a private key into its log.
    @Test(
        arguments: [
            "validate k.key", "fmt k.key", "fmt --check k.key", "test k.key", "list k.key",
            "explain --all --rules k.key", "page rules -o p.html --against k.key",
            "diff rules k.key", "backtest rules log.jsonl --mapping k.key", "backtest rules k.key",
        ], ["", "\u{FEFF}", "\n \t"])
    func `a command never prints a private key that was named by mistake`(
        command: String, before: String
    ) throws {
        try inFolder { folder in
            try folder.write("{}\n", to: "log.jsonl")
            let key = try text("k.key", in: folder)
            let secret = key.dropFirst("poprules-private-key:".count)
            if !before.isEmpty { try folder.write(before + key, to: "k.key") }
            let outcome = try Program.shell("poprules \(command)", in: folder.url)
            #expect(outcome.status != 0)
            #expect(!outcome.output.contains(secret.prefix(8)), "\(outcome.output)")
        }
    }

    /// S11: a limit on the size of files simulates a full disk.
    @Test(arguments: ["init new", "bundle keygen new", "compile rules -o new"])
    func `a command leaves nothing if it cannot write`(command: String) throws {
        try inFolder { folder in
            let full = try Program.shell(
                "trap '' XFSZ; ulimit -f 0; poprules \(command)",
                in: folder.url)
            #expect(full.status == 3, "\(full.output)")
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
            #expect(
                Set(paths).subtracting(["new"])
                    == ["rules", "rules/rules.yaml", "rules/a.test.yaml", "k.key", "k.pub", "b"])
            let again = try Program.shell("poprules \(command)", in: folder.url)
            #expect(again.status == 0, "\(again.output)")
        }
    }

    /// A new secret doesn't fit an old public key, and the folder was removed with all that was in
    /// it.
    @Test func `replaces a pair of keys as a whole, and never a folder`() throws {
        try inFolder { folder in
            let old = try text("k.key", in: folder)
            try folder.write("mine", to: "notes/k.pub/note.txt")
            _ = try Program.shell("cp k.key notes/k.key", in: folder.url)
            let refused = try Program.shell(
                "poprules bundle keygen notes/k --force", in: folder.url)
            #expect(refused.status == 3)
            #expect(refused.output.contains("cannot write `notes/k.pub`: it is a folder"))
            #expect(try text("notes/k.key", in: folder) == old)
            #expect(try text("notes/k.pub/note.txt", in: folder) == "mine")
            let unforced = try Program.shell("poprules bundle keygen notes/k", in: folder.url)
            #expect(unforced.output.contains("cannot write `notes/k.pub`: it is a folder"))
            let linked = try Program.shell(
                """
                mkdir vault; mv k.key vault; ln -s vault/k.key k.key; ln -s nowhere l.key
                poprules bundle keygen k --force && test -L k.key && stat -c %a vault/k.key
                poprules bundle keygen l --force
                """, in: folder.url)
            #expect(linked.output.contains("\n600\n"), "\(linked.output)")
            #expect(
                linked.output.contains("cannot write `l.key`: it is a broken symbolic link"))
            #expect(try text("vault/k.key", in: folder) != old)
            // The public key would be written over the secret one.
            let same = try Program.shell(
                "echo mine >one; ln -s one s.key; ln -s one s.pub; poprules bundle keygen s --force",
                in: folder.url)
            #expect(same.output.contains("are the same file"), "\(same.output)")
            #expect(try text("one", in: folder) == "mine\n")
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
            #expect(!paths.contains { $0.contains(".part") })
        }
    }

    /// The system knows why.
    @Test func `reports why a device accepts no data`() throws {
        try inFolder { folder in
            let full = try Program.shell("poprules compile rules -o /dev/full", in: folder.url)
            #expect(full.status == 3)
            #expect(full.output.contains("cannot write `/dev/full`: No space left on device"))
        }
    }

    /// A signal that ended the program left half a key on the disk, without a message.
    @Test(arguments: ["ulimit -f 0", "ulimit -f 1"], ["init new", "bundle keygen new"])
    func `a command leaves nothing if a signal ends it`(
        limit: String, command: String
    ) throws {
        try inFolder { folder in
            let full = try Program.shell("\(limit); poprules \(command)", in: folder.url)
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
            let parts = paths.filter { $0.hasPrefix(".") || $0.contains(".part") }
            #expect(parts.isEmpty, "\(full.status) \(full.output)")
        }
    }

    /// S12: an editor saves while `--fix` and `fmt` are at work.
    @Test(arguments: ["validate --fix rules", "fmt --write rules"])
    func `a command loses no content that was saved in the meantime`(command: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let popups = (0..<300).map { "  p\($0):  { tags: a }\n" }.joined()
        for round in 0..<5 {
            try folder.write("poprules: 1\npopups:\n" + popups, to: "rules/a.yaml")
            // The appended line must be there in the end, whichever process was first.
            _ = try Program.shell(
                "poprules \(command) > said & sleep 0.0\(round); printf '  last: {}\\n' > more;"
                    + " cat rules/a.yaml more > saved; mv saved rules/a.yaml; wait", in: folder.url)
            let now = try text("rules/a.yaml", in: folder)
            #expect(now.contains("  last: {"), "round \(round)")
        }
    }

    @Test func `a command reports that a file was changed in the meantime`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let popups = (0..<2_000).map { "  p\($0): { tags: a }\n" }.joined()
        try folder.write("poprules: 1\npopups:\n" + popups, to: "rules/a.yaml")
        // The file is changed all the time, so that it no longer has the content that was read when
        // the command is about to write it.
        let outcome = try Program.shell(
            "while sleep 0.01; do echo '# x' >> rules/a.yaml; done & poprules validate --fix -q rules;"
                + " code=$?; kill $!; exit $code", in: folder.url)
        #expect(outcome.status == 3, "\(outcome.output.prefix(500))")
        let said = outcome.output.prefix(500)
        #expect(outcome.output.contains("another program changed it"), "\(said)")
        #expect(try text("rules/a.yaml", in: folder).contains("tags: a }"))
    }

    /// Build servers obey commands anywhere in a log.
    @Test(arguments: [
        "schema --for rules", "diff old rules -f html", "simulate rules/a.test.yaml -f svg",
        "test rules --coverage html --coverage-output - -q", "page rules -o -",
        "backtest rules log.jsonl -f html", "graph rules -f svg",
    ])
    func `values are no commands of build servers in documents`(command: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let mark = "##[error]x ##vso[task.x]y"
        try folder.write(
            """
            poprules: 1
            context:
              user.plan: { type: string, default: free, description: "\(mark)" }
            popups:
              a: { when: user.plan == "free", tags: ["\(mark)"], content: { a: "\(mark)" } }
            """, to: "rules/a.yaml")
        try folder.write(
            "poprules_test: 1\ntests:\n  \"\(mark)\":\n"
                + "    steps: [{ expect: { showing: { main: a } } }]\n",
            to: "rules/a.test.yaml")
        try folder.write("poprules: 1\npopups: { a: {} }\n", to: "old/a.yaml")
        try folder.write(
            ###"{"user":"u","time":"2026-03-01T09:30:00Z","event":"##[error]x"}"### + "\n",
            to: "log.jsonl")
        let outcome = try Program.shell("poprules \(command)", in: folder.url)
        #expect(!outcome.output.contains("##[") && !outcome.output.contains("##vso["))
    }

    @Test func `a salt forges no lines`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(
            #"""
            poprules: 1
            context: { user.id: { type: string, default: "" } }
            holdout: { percent: 5, by: user.id, salt: "x\nforged" }
            popups:
              a: { when: user.id != "", rollout: { percent: 30, by: user.id, salt: "y\nforged" } }
            """#, to: "rules/a.yaml")
        let outcome = try Program.shell("poprules audience rules", in: folder.url)
        #expect(outcome.output.contains(#"salt "y\nforged""#), "\(outcome.output)")
        #expect(!outcome.output.contains("\nforged"), "\(outcome.output)")
    }
}
