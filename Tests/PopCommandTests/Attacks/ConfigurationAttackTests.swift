import Foundation
import Testing

/// S-L7: a configuration above the folder of another account's rules.
@Suite struct `A configuration in a parent folder` {
    private static let configuration = "poprules_config: 1\nchecks: { P0301: off }\n"
    private static let rules = "poprules: 1\npopups: { a: { when: nope } }\n"

    /// Runs `validate` in `top/work`, with a configuration in `top` that switches off the finding
    /// there.
    private func validate(_ preparation: String) throws -> (isTaken: Bool, output: String) {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.configuration, to: "top/poprules.yaml")
        try folder.write(Self.rules, to: "top/work/rules/r.yaml")
        let outcome = try Program.shell(
            """
            set -e
            \(preparation)
            cd top/work
            poprules validate -f short rules
            """, in: folder.url)
        #expect([0, 1].contains(outcome.status), "\(outcome.output)")
        #expect(outcome.output.contains("P0301") == (outcome.status == 1), "\(outcome.output)")
        return (outcome.status == 0, outcome.output)
    }

    private static let note = "top/poprules.yaml` is ignored"

    @Test func `a configuration names at most 500 files and folders`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let names = (0..<501).map { "  - rules/r\($0).yaml\n" }.joined()
        try folder.write("poprules_config: 1\nrules:\n\(names)", to: "poprules.yaml")
        try folder.write("poprules: 1\npopups: { a: {} }\n", to: "rules/r.yaml")
        let outcome = try Program.shell("poprules validate -f short", in: folder.url)
        #expect(outcome.status == 1)
        #expect(
            outcome.output.hasPrefix(
                "poprules.yaml:3:3: error: `rules` has 501 items, more than the limit of 500"
                    + " [P0111]\n"))
    }

    @Test(arguments: [
        "true", "chmod 1777 top", "export HOME=$PWD/top", "mkdir -p top/.git",
        "mkdir top/.git; chmod 777 top top/work; chmod 666 top/poprules.yaml",
    ])
    func `a parent configuration is used if the current account owns it`(preparation: String) throws
    {
        let (isTaken, output) = try validate(preparation)
        #expect(isTaken, "\(output)")
        #expect(!output.contains("is ignored"), "\(output)")
    }

    @Test(arguments: [
        "mkdir top/work/.git", "echo 'gitdir: x' > top/work/.git", "export HOME=$PWD/top/work",
    ])
    func `a configuration above a repository or the home folder is not used`(
        preparation: String
    ) throws {
        let (isTaken, output) = try validate(preparation)
        #expect(!isTaken, "\(output)")
        #expect(!output.contains("is ignored"), "\(output)")
    }

    @Test(arguments: ["chmod 777 top", "chmod 666 top/poprules.yaml"])
    func `a parent configuration is skipped with a notice if everyone may write to it`(
        preparation: String
    ) throws {
        let (isTaken, output) = try validate(preparation)
        #expect(!isTaken, "\(output)")
        #expect(output.contains(Self.note), "\(output)")
        #expect(output.contains("all accounts may write"), "\(output)")
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root can give files away"),
        arguments: [
            "chown 4321 top/poprules.yaml", "chown -R 4321 top; chown -R 0 top/work",
            "chmod 1777 top; chown 4321 top/poprules.yaml",
            "ln -s poprules.yaml top/link; mv top/poprules.yaml top/x.yaml"
                + "; ln -s x.yaml top/poprules.yaml; chown -h 4321 top/poprules.yaml",
            "mkdir top/.git; chown 4321 top/poprules.yaml",
        ])
    func `a parent configuration is skipped with a notice if another account owns it`(
        preparation: String
    ) throws {
        let (isTaken, output) = try validate(preparation)
        #expect(!isTaken, "\(output)")
        #expect(output.contains(Self.note), "\(output)")
        #expect(output.contains("another account owns"), "\(output)")
    }

    /// A checkout of another account, such as in a container.
    @Test(
        .enabled(if: geteuid() == 0, "only root can give files away"),
        arguments: ["chown -R 4321 top", "mkdir top/.git; chown -R 4321 top"])
    func `a parent configuration is used if its account owns the folder of the rules`(
        preparation: String
    ) throws {
        let (isTaken, output) = try validate(preparation)
        #expect(isTaken, "\(output)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can mount"))
    func `a configuration on another file system is not used`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Self.configuration, to: "top/poprules.yaml")
        try folder.write(Self.rules, to: "r.yaml")
        let outcome = try Program.shell(
            """
            mkdir top/work
            cat > run <<'END'
            mount -t tmpfs none top/work || { echo skipped; exit 0; }
            mkdir top/work/rules; cp r.yaml top/work/rules; cd top/work
            poprules validate -f short rules
            END
            unshare -m sh run || echo failed
            """, in: folder.url)
        let isSkipped = ["skipped", "unshare"].contains { outcome.output.contains($0) }
        #expect(outcome.output.contains("P0301") || isSkipped, "\(outcome.output)")
    }
}

/// Each name of no check was compared with those of all checks: 700 kB took 10 seconds.
@Suite struct `Many names of unknown checks` {
    @Test(arguments: ["configuration", "comment"])
    func `are compared with known names only a hundred times`(place: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let names = (0..<150).map { "schedule/always-quiet\($0)" }
        let levels = names.map { "\($0): off" }.joined(separator: ", ")
        let isComment = place == "comment"
        let comment = "# poprules:ignore-file[\(names.joined(separator: " "))] because\n"
        try folder.write(
            "poprules_config: 1\n" + (isComment ? "" : "checks: { \(levels) }\n"),
            to: "poprules.yaml")
        try folder.write(
            "poprules: 1\n" + (isComment ? comment : "") + "popups: { a: {} }\n",
            to: "rules/r.yaml")
        let outcome = try Program.shell("poprules validate -f json rules", in: folder.url)
        let unknown = outcome.output.components(separatedBy: "unknown check `").count - 1
        let helps = outcome.output.components(separatedBy: "did you mean `").count - 1
        #expect(unknown == 150, "\(outcome.output.prefix(500))")
        #expect(helps == 100, "\(helps)")
    }
}

/// The parser compared each argument with all others: 20,000 took 15 seconds.
@Suite struct `Too many arguments` {
    @Test func `are refused with an error message`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let outcome = try Program.shell("poprules validate $(yes x | head -6000)", in: folder.url)
        #expect(outcome.status == 2)
        #expect(outcome.output.contains("at most 5000 arguments"), "\(outcome.output.prefix(300))")
    }
}
