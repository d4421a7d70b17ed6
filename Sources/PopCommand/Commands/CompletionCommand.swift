import ArgumentParser

struct CompletionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print a script by which a shell completes what is typed.",
        discussion: """
            It completes subcommands, options, files and the ids of popups.

            Example:
              poprules completion fish > ~/.config/fish/completions/poprules.fish
              poprules completion zsh > ~/.zsh/completions/_poprules
              source <(poprules completion bash)
            """)

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish
    }

    @Argument(help: "The shell.")
    var shell: Shell

    func run() {
        let script: CompletionShell =
            switch shell {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        Terminal.say(PopRulesCommand.completionScript(for: script))
    }
}
