import ArgumentParser
import PopRuleFiles
import PopTesting

extension CompletionKind {
    /// Rule files and test files, and the folders that they may be in.
    static var yamlFiles: CompletionKind { .file(extensions: ["yaml", "yml"]) }

    /// The popups of the rules that the command line names, by default those in `rules`.
    static var popups: CompletionKind {
        .custom { words, _, _ in
            let named = zip(words, words.dropFirst()).filter { $0.0 == "--rules" }.map(\.1)
            let workspace = try? Workspace(named.isEmpty ? ["rules"] : named)
            return workspace?.main?.model?.popups.names ?? []
        }
    }
}
