import Foundation
import Testing

/// The scripts are loaded by the shells themselves.
@Suite struct `The shell completion` {
    /// Returns the completions that bash offers after these words.
    private func offers(in words: String) throws -> [String] {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let rules = Repository.root.appending(path: "rules")
        try FileManager.default.copyItem(at: rules, to: folder.url.appending(path: "rules"))
        try folder.write(Self.script, to: "complete.bash")
        let outcome = try Program.shell("bash --norc complete.bash \(words)", in: folder.url)
        #expect(outcome.status == 0, "\(outcome.output)")
        return outcome.output.split(separator: "\n").map {
            String($0).trimmingCharacters(in: .whitespaces)
        }
    }

    private static let script = """
        poprules completion bash > script && source ./script
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        COMP_LINE="$*"
        COMP_POINT=${#COMP_LINE}
        COMP_TYPE=9
        # The name of the function that the script has registered.
        function=$(complete -p poprules | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        "$function" poprules "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\\n' "${COMPREPLY[@]}"
        """

    @Test(.enabled(if: Shells.has("bash"), "there is no bash"))
    func `of bash knows subcommands, options and their values`() throws {
        let commands = try offers(in: "poprules ''")
        for command in `The help`.commands { #expect(commands.contains(command), "\(command)") }
        #expect(try offers(in: "poprules val") == ["validate"])
        #expect(try offers(in: "poprules validate --write").contains("--write-baseline"))
        #expect(try offers(in: "poprules validate --format s") == ["short", "sarif"])
        #expect(try offers(in: "poprules completion ''").contains("fish"))
    }

    @Test(.enabled(if: Shells.has("bash"), "there is no bash"))
    func `of bash knows files, folders and the ids of popups`() throws {
        #expect(try offers(in: "poprules validate ru").contains { $0.hasPrefix("rules") })
        #expect(try offers(in: "poprules test rules/new").contains("rules/new-user.test.yaml"))
        #expect(try offers(in: "poprules explain rating") == ["rating_prompt"])
        #expect(try offers(in: "poprules explain --rules rules/start.yaml cons") == ["consent"])
    }

    @Test(
        .enabled(if: Shells.has("zsh"), "there is no zsh"),
        arguments: ["poprules completion zsh | zsh -n"])
    func `of zsh is a valid script of zsh`(command: String) throws {
        let outcome = try Program.shell(command, in: Repository.root)
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.output)")
    }

    @Test(.enabled(if: Shells.has("fish"), "there is no fish"))
    func `of fish is a valid script of fish, which offers subcommands`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let outcome = try Program.shell(
            "poprules completion fish > script && fish --no-execute script"
                + " && HOME=. fish -c 'source script; complete -C \"poprules val\"'", in: folder.url
        )
        #expect(outcome.output.hasPrefix("validate"), "\(outcome.output)")
    }
}
