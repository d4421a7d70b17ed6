import ArgumentParser

struct CompletionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print a script that completes commands in your shell.",
        discussion: """
            The script completes subcommands, options, files and popup ids.

            Example:
              poprules completion fish > ~/.config/fish/completions/poprules.fish
              poprules completion zsh > ~/.zsh/completions/_poprules
              source <(poprules completion bash)
            """)

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish
    }

    @Argument(help: "The name of the shell.")
    var shell: Shell

    func run() {
        let script: CompletionShell =
            switch shell {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        let text = PopRulesCommand.completionScript(for: script)
        Terminal.putData(Self.withoutExpansion(text) + "\n")
    }

    /// Removes the expansion from the script for bash: there, `compgen -W` expands its words, even
    /// commands in them. Instead, the output of the program is used unchanged while a word is
    /// completed. The scripts for the other shells expand nothing.
    private static func withoutExpansion(_ script: String) -> String {
        let words = #"__poprules_add_completions -W "$("#
        guard script.contains(words) else { return script }
        let function = "\n__poprules_custom_complete() {\n"
        return script.replacing(words, with: #"__poprules_add_words "$("#)
            .replacing(function, with: "\n" + addWords + function, maxReplacements: 1)
    }

    private static let addWords = #"""
        __poprules_add_words() {
            local word
            while IFS='' read -r word; do
                [[ "${word}" = "${cur}"* ]] && COMPREPLY+=("${word}")
            done <<<"${1}"
        }

        """#
}
