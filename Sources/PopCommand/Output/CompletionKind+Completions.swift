import ArgumentParser
import PopRuleFiles

extension CompletionKind {
    /// Rule files and test files, and the folders that they may be in.
    static var yamlFiles: CompletionKind { .file(extensions: ["yaml", "yml"]) }

    /// The popups of the rules that the command line names, by default those in `rules`.
    ///
    /// Shells put completions on the command line, so only well-formed IDs are offered.
    static var popups: CompletionKind {
        .custom { words, _, _ in
            let named = zip(words, words.dropFirst()).filter { $0.0 == "--rules" }.map(\.1)
            guard let sources = try? RuleFiles.read(named.isEmpty ? ["rules"] : named) else {
                return []
            }
            let names = RuleModel.check(sources).value?.popups.names ?? []
            return names.filter { NameForm.isID($0) }
        }
    }
}
