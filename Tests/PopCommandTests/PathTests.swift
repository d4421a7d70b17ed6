import Foundation
import PopValidation
import Testing

/// Paths in files: the files that they make the program read, write and start.
@Suite struct `Paths in files` {
    private static let rules = "poprules: 1\npopups: { welcome: { content: { title: hi } } }\n"
    private static let secret = "password: tell-no-one: ever\n"
    private static let tests = "tests: { a: { steps: [{ poke: true }] } }\n"

    /// A folder `secrets` next to a folder `project`, which is the working folder of the commands.
    private func inProject(_ body: (TemporaryFolder, URL) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.secret, to: "secrets/secret.yaml")
        try folder.write(Self.rules, to: "project/rules/rules.yaml")
        try body(folder, folder.url.appending(path: "project"))
    }

    private func expectNoSecret(
        _ command: String, in folder: URL, says: String = "leads outside",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try Program.shell(command, in: folder)
        #expect(!outcome.output.contains("tell-no-one"), sourceLocation: sourceLocation)
        #expect(outcome.output.contains(says), "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.status != 0, sourceLocation: sourceLocation)
    }

    @Test(arguments: ["../../secrets", "../../secrets/secret.yaml", "x/../../../secrets", "link"])
    func `paths in a test file do not lead out of the project`(path: String) throws {
        try inProject { folder, project in
            let test = "poprules_test: 1\nrules: [\(path)]\n" + Self.tests
            try folder.write(test, to: "project/rules/a.test.yaml")
            try FileManager.default.createSymbolicLink(
                atPath: project.appending(path: "rules/link").path,
                withDestinationPath: "../../secrets")
            for command in ["validate rules", "test rules", "simulate rules/a.test.yaml"] {
                try expectNoSecret("poprules \(command)", in: project)
            }
        }
    }

    @Test func `of rules that are elsewhere are offered`() throws {
        try inProject { folder, project in
            let test = "poprules_test: 1\nrules: [rules]\n" + Self.tests
            try folder.write(test, to: "project/tests/a.test.yaml")
            let named = try Program.shell("poprules validate tests", in: project)
            #expect(named.output.contains("write `../rules`"), "\(named)")
            let left = try Program.shell("poprules validate . 2>&1", in: project)
            let note = "subfolders are read only if you name them: `rules`, `tests`"
            #expect(left.output.contains(note), "\(left)")
        }
    }

    #if !canImport(Darwin)
        // The file systems of Apple have one file for both names.
        @Test func `that differ only in their normalization are two files`() throws {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let outcome = try Program.shell(
                #"""
                set -e; mkdir rules
                one=$(printf 'rules/\303\251.yaml'); two=$(printf 'rules/e\314\201.yaml')
                printf 'poprules: 1\npopups: { first: {} }\n' > "$one"
                printf 'poprules: 1\npopups: { second: {} }\n' > "$two"
                poprules list rules; echo ====; poprules compile rules -o -
                git init -q; git add -A; git -c user.email=a@b -c user.name=x commit -qm one
                poprules diff --git HEAD rules || echo "exit $?"
                """#, in: folder.url)
            let parts = outcome.output.split(separator: "====")
            #expect(parts.count == 2, "\(outcome)")
            for part in parts {
                #expect(part.contains("first") && part.contains("second"), "\(outcome)")
            }
            #expect(outcome.output.contains("rename one of them"), "\(outcome)")
        }
    #endif

    @Test func `paths in a step that reloads do not lead out of the project`() throws {
        try inProject { folder, project in
            let steps = "tests: { a: { steps: [{ reload: ../../secrets }] } }\n"
            try folder.write("poprules_test: 1\n" + steps, to: "project/rules/a.test.yaml")
            try expectNoSecret("poprules test rules", in: project, says: "P0907")
        }
    }

    @Test(arguments: [
        "../secrets", "../secrets/secret.yaml", "../secrets/*", "../**/*.yaml", "link",
    ])
    func `paths in a configuration do not lead out of its folder`(path: String) throws {
        try inProject { folder, project in
            let text = "poprules_config: 1\nrules: [rules, \"\(path)\"]\n"
            try folder.write(text, to: "project/poprules.yaml")
            try FileManager.default.createSymbolicLink(
                atPath: project.appending(path: "link").path, withDestinationPath: "../secrets")
            try expectNoSecret(
                "poprules validate", in: project, says: "is outside the folder of the")
        }
    }

    @Test func `files in a folder that are links out of the folder are not read`() throws {
        try inProject { folder, project in
            let rules = project.appending(path: "rules")
            for name in ["b.yaml", "b.test.yaml"] {
                let link = rules.appending(path: name).path
                try FileManager.default.createSymbolicLink(
                    atPath: link, withDestinationPath: "../../secrets/secret.yaml")
                for command in ["validate rules", "validate 'rules/*.yaml'", "test rules"] {
                    try expectNoSecret("poprules \(command)", in: project)
                }
                try FileManager.default.removeItem(atPath: link)
            }
        }
    }

    @Test func `paths of snapshots stay in their folder`() throws {
        try inProject { folder, project in
            let test =
                "poprules_test: 1\ntests: { a: { snapshot: ../../x, steps: [{ poke: true }] } }\n"
            try folder.write(test, to: "project/rules/a.test.yaml")
            let outcome = try Program.shell("poprules test rules --update", in: project)
            #expect(outcome.status == 1)
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
            #expect(!paths.contains { $0.hasSuffix(".log") })
        }
    }

    @Test func `of snapshots that cannot be written are reported`() throws {
        try inProject { folder, project in
            let test = "poprules_test: 1\ntests: { a: { snapshot: a, steps: [{ poke: true }] } }\n"
            try folder.write(test, to: "project/rules/a.test.yaml")
            try folder.write("no folder", to: "project/rules/snapshots")
            let outcome = try Program.shell("poprules test rules --update", in: project)
            #expect(
                outcome.output == "poprules: cannot write the snapshot `rules/snapshots/a.log`\n")
            #expect(outcome.status == 3)
        }
    }
}

@Suite struct `Files that commands write` {
    @Test(arguments: [
        "compile rules -o out", "validate rules -f json -o out",
        "validate rules --write-baseline out", "bundle sign b --key release.key -o out",
    ])
    func `files that commands write are replaced as a whole`(command: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write("poprules: 1\npopups: { welcome: {} }\n", to: "rules/rules.yaml")
        try folder.write(
            try Repository.text("Tests/PopCommandTests/Fixtures/release.key"), to: "release.key")
        try folder.write("before", to: "out")
        // A reader that opened the file before still reads its old content.
        let outcome = try Program.shell(
            "poprules compile rules -o b; ln out old; poprules \(command) --force", in: folder.url)
        #expect(outcome.status == 0, "\(outcome.output)")
        let old = try String(contentsOf: folder.url.appending(path: "old"), encoding: .utf8)
        let new = try String(contentsOf: folder.url.appending(path: "out"), encoding: .utf8)
        #expect(old == "before")
        #expect(new != "before")
    }
}

@Suite struct `Nothing` {
    @Test func `nothing in the content of a file is executed`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(
            """
            poprules: 1
            x-a: !!python/object/apply:os.system ["touch found"]
            conditions: { c: "$(touch found)" }
            popups:
              "`touch found`": { when: "system('touch found')" }
              b: { description: "$(touch found)", content: { a: !!js/function "touch found" } }
            """, to: "rules/rules.yaml")
        for command in ["validate", "test", "list", "explain b", "compile"] {
            _ = try Program.shell("poprules \(command) rules", in: folder.url)
        }
        let path = folder.url.appending(path: "found").path
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `nothing in the sources starts another program, except git`() throws {
        let starters = try Repository.swiftFiles(in: "Sources").filter { path in
            let text = try Repository.text(path)
            return [
                "Process()", "posix_spawn", "popen(", "dlopen(", "execv", "NSTask", " fork(",
                "system(\"",
            ].contains { text.contains($0) }
        }
        #expect(starters == ["Sources/PopCommand/Output/ChildProcess.swift"])
    }
}
