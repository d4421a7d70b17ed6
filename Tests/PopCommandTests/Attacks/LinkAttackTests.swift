import Foundation
import Testing

/// Others who may add files to a project must not choose which files outside of it are read or
/// written.
@Suite struct `Links that lead out of the project` {
    private static let rules =
        "poprules: 1\npopups: { a: { grace: 0s, description: d, owner: o } }\n"

    /// Runs a command in the folder `project`, next to which there is the folder `outside`.
    private func run(
        _ command: String, links: [String: String] = [:],
        _ body: (TemporaryFolder, (status: Int32, output: String)) throws -> Void
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.rules, to: "project/rules/r.yaml")
        for (link, target) in links {
            let path = folder.url.appending(path: "project/\(link)").path
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        }
        try folder.write("mine\n", to: "outside/file")
        try folder.write("poprules:   1\npopups:   { x: { grace: 0s } }\n", to: "outside/o.yaml")
        try folder.write("<p>secret</p>\n", to: "outside/toast.html")
        let project = folder.url.appending(path: "project")
        try body(folder, Program.shell(command, in: project))
    }

    @Test(arguments: [
        "compile rules -o out --force", "page rules -o out --force", "schema -o out --force",
        "generate swift rules -o out --force", "validate rules -f sarif -o out --force",
        "validate rules --write-baseline out --force",
    ])
    func `are not followed by an output, even if it is forced`(command: String) throws {
        try run("poprules \(command)", links: ["out": "../outside/file"]) { folder, ended in
            #expect(ended.status == 3, "\(ended.output)")
            #expect(ended.output.contains("a symbolic link that leads out of"))
            let file = folder.url.appending(path: "outside/file")
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text == "mine\n")
        }
    }

    @Test func `are not followed by outputs with a usual name`() throws {
        try run(
            "cp -r ../project ../victim && cd ../victim && poprules compile > /dev/null"
                + " && cd ../project && ln -s ../victim/rules.popbundle rules.popbundle"
                + " && poprules compile"
        ) { _, ended in
            #expect(ended.status == 3)
            #expect(ended.output.contains("cannot write `rules.popbundle`"), "\(ended.output)")
        }
    }

    @Test(arguments: [("fmt rules/o.yaml --write", 3), ("validate rules/o.yaml --fix", 1)])
    func `are not followed by commands that change rule files`(
        command: String, status: Int32
    ) throws {
        try run("poprules \(command)", links: ["rules/o.yaml": "../../outside/o.yaml"]) {
            folder, ended in
            #expect(ended.status == status, "\(ended.output)")
            let file = folder.url.appending(path: "outside/o.yaml")
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.hasPrefix("poprules:   1"))
        }
    }

    @Test func `are not followed by the files of a new project`() throws {
        try run("mv rules old; ln -s ../outside rules; poprules init") { folder, ended in
            #expect(ended.status == 3, "\(ended.output)")
            let names = try FileManager.default.contentsOfDirectory(
                atPath: folder.url.appending(path: "outside").path)
            #expect(Set(names) == ["file", "o.yaml", "toast.html"])
        }
    }

    @Test(arguments: [
        ("page rules -o - --look look", 3), ("validate look", 3), ("validate 'look/*.yaml'", 3),
        ("list look", 3), ("fmt look/o.yaml", 3), ("validate look/o.yaml", 3),
    ])
    func `are not followed by files and folders to read`(command: String, status: Int32) throws {
        try run("poprules \(command)", links: ["look": "../outside"]) { _, ended in
            #expect(ended.status == status)
            #expect(ended.output.contains("leads out"), "\(ended.output)")
            #expect(!ended.output.contains("secret") && !ended.output.contains("grace"))
        }
    }

    @Test(arguments: [
        "validate --config look/o.yaml", "explain a --context look/file", "init look/new",
        "explain a --history=look/file", "backtest rules look/file",
        "backtest rules log.jsonl --checkpoint look/new", "diff look/b.popbundle rules",
        "test rules --coverage json --coverage-output look/c.json",
        "list look/t.test.yaml", "compile look/t.test.yaml -o x.popbundle",
        "validate look/o.yaml look/t.test.yaml", "init look/new.yaml", "init look/a/b.yaml",
    ])
    func `are not followed by any option or argument`(command: String) throws {
        let log = #"{"user":"u","time":"2026-03-02T10:00:00Z","event":"order"}"#
        try run("echo '\(log)' > log.jsonl; poprules \(command)", links: ["look": "../outside"]) {
            folder, ended in
            #expect(ended.status == 3)
            #expect(ended.output.contains("leads out of the project"), "\(ended.output)")
            let names = try FileManager.default.contentsOfDirectory(
                atPath: folder.url.appending(path: "outside").path)
            #expect(Set(names) == ["file", "o.yaml", "toast.html"])
        }
    }

    @Test(arguments: [
        "git init -q", "printf 'poprules_config: 1\\nrules: [rules]\\n' > poprules.yaml",
    ])
    func `are not followed from a subfolder`(preparation: String) throws {
        let links = ["look": "../outside", "rules/o.yaml": "../../outside/o.yaml"]
        try run(
            """
            \(preparation)
            mkdir sub && cd sub
            poprules fmt --write ../look
            poprules validate --fix ../rules/o.yaml
            poprules page ../rules/r.yaml -o ../look/p.html
            head -c 14 ../../outside/o.yaml
            ls ../../outside
            """, links: links
        ) { _, ended in
            #expect(ended.output.contains("poprules:   1"), "\(ended.output)")
            #expect(!ended.output.contains("p.html\n"), "\(ended.output)")
        }
    }

    @Test func `are followed if they stay in the project`() throws {
        try run(
            "mkdir site && touch site/index.html && ln -s site/index.html rules.html"
                + " && ln -s rules more"
                + " && poprules page more -o rules.html && ls site"
        ) { _, ended in
            #expect(ended.status == 0)
            #expect(ended.output.hasSuffix("index.html\n"), "\(ended.output)")
        }
    }

    /// Foundation leaves a link with a long target, and a long chain of links, as they are.
    @Test(arguments: [
        "ln -s \"$(printf './%.0s' $(seq 1500))../outside\" look",
        "ln -s ../outside z0; for i in $(seq 30); do ln -s z$((i - 1)) z$i; done; ln -s z30 look",
        "ln -s .. up; ln -s up/outside look", "ln -s $(cd ../outside; pwd) look",
    ])
    func `are not followed, however they are written`(preparation: String) throws {
        try run(
            """
            \(preparation)
            poprules list look
            poprules fmt --write look
            poprules compile rules -o look/x.popbundle
            poprules bundle keygen look/k
            poprules init look/new
            poprules validate --config look/o.yaml
            poprules backtest rules look/file
            printf 'poprules_test: 1\nrules: [../look]\ntests: { t: { steps: [] } }\n' > rules/t.test.yaml
            poprules test rules
            echo; cat ../outside/*; ls ../outside
            """
        ) { _, ended in
            let lines = ended.output.split(separator: "\n")
            #expect(lines.contains("poprules:   1") && !lines.contains("x"), "\(ended.output)")
            #expect(lines.suffix(3) == ["file", "o.yaml", "toast.html"], "\(ended.output)")
        }
    }

    /// In Swift, a `/` and a combining mark after it are one character, and so are some characters
    /// and a `/` after them.
    @Test(arguments: ["look\u{0600}", "\u{0301}look", "\u{0301}look\u{0600}"])
    func `are not followed if their names join the slash`(name: String) throws {
        try run(
            """
            ln -s ../outside '\(name)'; ln -s '\(name)/.' look
            poprules list look; poprules list '\(name)'; poprules fmt --write look
            poprules compile rules -o look/x.popbundle; poprules init look/new
            poprules backtest rules look/file
            echo; cat ../outside/*; ls ../outside
            """
        ) { _, ended in
            let lines = ended.output.split(separator: "\n")
            #expect(lines.contains("poprules:   1"), "\(ended.output)")
            #expect(lines.suffix(3) == ["file", "o.yaml", "toast.html"], "\(ended.output)")
        }
    }

    @Test func `a folder whose path cannot be known is refused`() throws {
        try run(
            """
            bad=$(printf 'x\\377'); mkdir "$bad"; (cd "$bad"; poprules list ../rules; echo "[$?]")
            long=$(printf 'a%.0s' $(seq 240)); for i in 1 2 3 4 5; do mkdir $long; cd $long; done
            poprules schema -o schema.json; echo "[$?]"
            """
        ) { _, ended in
            let refusals = ended.output.matches(of: #/its path is too long or not UTF-8/#)
            #expect(refusals.count == 2, "\(ended.output)")
            #expect(ended.output.matches(of: #/\[3\]/#).count == 2, "\(ended.output)")
        }
    }

    @Test func `a file whose name is not UTF-8 is not hidden by another one`() throws {
        try run(
            """
            printf 'poprules: 1\\npopups: { b: { nope: 1 } }\\n' > rules/"$(printf '\\377')".yaml
            printf 'poprules: 1\\npopups: { c: {} }\\n' > rules/"$(printf '\\357\\277\\275')".yaml
            poprules validate rules -f short
            """
        ) { _, ended in
            #expect(ended.status == 1)
            #expect(ended.output.contains("[P0016]"), "\(ended.output)")
        }
    }

    @Test func `are not followed to a folder above the project`() throws {
        try run(
            "rm -r rules; ln -s .. rules; poprules init; poprules compile rules -o rules/x.popbundle"
                + "; ls .."
        ) { _, ended in
            #expect(ended.output.hasSuffix("outside\nproject\n"), "\(ended.output)")
        }
    }

    /// The user's own link to the project is followed, and those in the project aren't.
    @Test func `are not followed by paths through a link to the project`() throws {
        try run(
            """
            git init -q; ln -s project ../mine; ln -s ../outside look; cd ../mine
            poprules list $PWD/look
            poprules compile $PWD/rules -o $PWD/look/x.popbundle
            poprules compile $PWD/rules -o $PWD/x.popbundle
            ls ../outside
            """
        ) { _, ended in
            #expect(ended.output.contains("wrote"), "\(ended.output)")
            #expect(ended.output.hasSuffix("\nfile\no.yaml\ntoast.html\n"), "\(ended.output)")
        }
    }

    @Test(arguments: [
        "backtest rules 'look[a]'", "backtest rules look.yaml", "eval 1+1 --context 'look{1}.json'",
        "backtest rules \"$(printf 'look\\nb')\"", "backtest rules folder/../file",
        "compile rules -o folder/../x.popbundle", "init 'folder[1]/new'",
    ])
    func `are not followed by names that look like something else`(command: String) throws {
        try run(
            """
            for name in 'look[a]' look.yaml 'look{1}.json' "$(printf 'look\\nb')"; do
                ln -s ../outside/file "$name"
            done
            mkdir ../outside/inner; ln -s ../outside/inner folder; ln -s ../outside 'folder[1]'
            cp ../outside/file ../file
            poprules \(command); echo "[$?]"; ls ../outside
            """
        ) { _, ended in
            #expect(ended.output.contains("leads out of the project"), "\(ended.output)")
            #expect(ended.output.contains("[3]\nfile\ninner\no.yaml"), "\(ended.output)")
            #expect(!ended.output.contains("mine"))
        }
    }

    @Test(arguments: ["", "mkdir Pröjékt; mv rules Pröjékt; cd Pröjékt;"])
    func `include those into the project's repository`(preparation: String) throws {
        try run(
            "\(preparation) git init -q; ln -s .git/hooks look"
                + "; poprules compile rules -o look/pre-commit; ls look"
        ) { _, ended in
            #expect(!ended.output.contains("pre-commit\n"), "\(ended.output)")
            #expect(ended.output.contains("leads out of the project"), "\(ended.output)")
        }
    }

    @Test func `a folder called ~ is not the home folder`() throws {
        try run(
            """
            mkdir '~' home; export CFFIXED_USER_HOME=$PWD/home HOME=$PWD/home
            cp rules/r.yaml '~'; printf 'poprules:   1\npopups:   { home: {} }\n' > home/h.yaml
            poprules list '~/'; poprules fmt --write '~'; poprules compile rules -o '~/x.popbundle'
            cat home/h.yaml; ls '~' home
            """
        ) { _, ended in
            #expect(ended.output.contains("poprules:   1"), "\(ended.output)")
            #expect(
                ended.output.hasSuffix("home:\nh.yaml\n\n~:\nr.yaml\nx.popbundle\n"),
                "\(ended.output)")
        }
    }

    @Test func `are not followed by the language server, wherever it was started`() throws {
        func message(_ text: String) -> String {
            "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
        }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write("poprules: 1\npopups: { a: {} }\n", to: "project/r.yaml")
        try folder.write("poprules: 1\npopups: { secret: { nope: 1 } }\n", to: "outside/o.yaml")
        try folder.write(
            "poprules_test: 1\nrules: [../outside/o.yaml]\ntests: { t: { steps: [] } }\n",
            to: "project/t.test.yaml")
        let project = folder.url.appending(path: "project")
        try FileManager.default.createSymbolicLink(
            atPath: project.appending(path: "rules").path, withDestinationPath: "../outside")
        let root = #""rootUri":"file://\#(project.path)","capabilities":{}"#
        let messages = [
            #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{\#(root)}}"#,
            #"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"workspace/symbol","params":{"query":""}}"#,
            #"{"jsonrpc":"2.0","id":3,"method":"shutdown"}"#,
            #"{"jsonrpc":"2.0","method":"exit"}"#,
        ]
        try folder.write(messages.map(message).joined(), to: "messages")
        for start in ["/", folder.url.path, project.path] {
            let outcome = try Program.shell(
                "cd '\(start)' && poprules lsp < '\(folder.url.path)/messages'", in: folder.url)
            #expect(outcome.output.contains(#""id":3"#), "\(outcome.output)")
            #expect(!outcome.output.contains("secret"), "\(start): \(outcome.output)")
        }
    }
}
