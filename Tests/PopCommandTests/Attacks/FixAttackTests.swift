import Foundation
import Testing

/// Fixes change only rule files, and only their text.
@Suite struct `A fix in a foreign file` {
    @Test(arguments: [
        "services:\n  web: { image: nginx }\n", "root:x:0:0\n", "on: push\njobs: {}\n",
    ])
    func `adds no version to a file that is not about popups`(text: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(text, to: "other.yaml")
        _ = try Program.shell("poprules validate other.yaml --fix", in: folder.url)
        let path = folder.url.appending(path: "other.yaml")
        #expect(try String(contentsOf: path, encoding: .utf8) == text)
    }

    @Test func `adds the version to a file with sections of rules`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write("popups: { a: {} }\n", to: "rules.yaml")
        _ = try Program.shell("poprules validate rules.yaml --fix", in: folder.url)
        let path = folder.url.appending(path: "rules.yaml")
        #expect(
            try String(contentsOf: path, encoding: .utf8) == "poprules: 1\npopups: { a: {} }\n")
    }

    @Test func `is reported with the names of the first twenty files`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for file in 10..<32 {
            try folder.write(
                "poprules: 1\npopups: { p\(file): { owner: a, description: b, tags: s } }\n",
                to: "rules/f\(file).yaml")
        }
        let outcome = try Program.shell("poprules validate rules --fix", in: folder.url)
        let names = (10..<30).map { "  rules/f\($0).yaml\n" }.joined()
        let start = "made 22 fixes in 22 files\n" + names + "  and 2 more\n"
        #expect(outcome.output.hasPrefix(start), "\(outcome.output)")
    }

    /// Only root can give files to others, and would keep them itself.
    @Test(.enabled(if: NSUserName() == "root"))
    func `leaves a file with its owner and group`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write("popups: { a: {} }\n", to: "rules.yaml")
        let commands = [
            "chown 1234:42 rules.yaml", "poprules validate rules.yaml --fix >/dev/null",
            "poprules fmt --write rules.yaml", "stat -c %u:%g rules.yaml",
        ]
        let outcome = try Program.shell(commands.joined(separator: "; "), in: folder.url)
        #expect(outcome.output.hasSuffix("1234:42\n"), "\(outcome.output)")
    }
}

@Suite struct `A constant expression` {
    @Test(arguments: [
        "k > -3-9223372036854775807", "k in [-9223372036854775807-2]",
        "k == 1-2-9223372036854775807", "size(s) > -9223372036854775808",
        "k > -9223372036854775808/-1", "k > 9223372036854775807+1",
    ])
    func `outside of the range of integers ends no command`(condition: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(
            "poprules: 1\ncontext: { k: int, s: string }\npopups: { a: { when: '\(condition)' } }\n",
            to: "rules.yaml")
        for command in ["validate", "list", "graph", "explain a --rules"] {
            let outcome = try Program.shell("poprules \(command) rules.yaml", in: folder.url)
            #expect((0...4).contains(outcome.status), "\(command): \(outcome)")
        }
    }
}

@Suite struct `A report of tests in TAP` {
    @Test func `a TAP report starts no line with a command of GitHub Actions`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(
            "poprules: 1\npopups: { a: { content: { t: \"a\\n::error::x\\nb\" } } }\n",
            to: "rules.yaml")
        try folder.write(
            """
            poprules_test: 1
            tests:
              t: { steps: [{ expect: { content: { a: { t: "c" } } } }] }

            """, to: "rules.test.yaml")
        let outcome = try Program.shell("poprules test . -f tap", in: folder.url)
        #expect(outcome.status == 1, "\(outcome.output)")
        let lines = outcome.output.split(separator: "\n")
        #expect(!lines.contains { $0.drop { $0 == " " }.hasPrefix("::") }, "\(outcome.output)")
    }
}
