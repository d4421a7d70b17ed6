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

    @Test func `no hint is about words behind two dashes, or an option of another command`() {
        #expect(CommandIdioms.hintOnOptions(in: ["validate", "--", "--strict"]) == nil)
        #expect(CommandIdioms.hintOnOptions(in: ["graph", "--strict"]) == nil)
    }
}
