import PopRuleFiles
import PopSource

/// Commands and options of other tools, with those of poprules that do the same.
enum CommandIdioms {
    /// Common names of commands.
    private static let commands = table([
        ("lint check verify analyze analyse vet inspect", "validate"),
        ("tests spec run-tests", "test"), ("run story scenario", "simulate"),
        ("why debug trace reason", "explain"), ("show ls print cat popups dump", "list"),
        ("format fix prettify", "fmt"), ("build export package pack", "compile"),
        ("sign verify-bundle", "bundle"), ("create new scaffold setup", "init"),
        ("html web serve site report view", "page"), ("compare changes", "diff"),
        ("replay logs simulate-log", "backtest"), ("repl interactive", "play"),
        ("conflicts overlaps", "collisions"), ("who users segment", "audience"),
        ("codegen gen", "generate"), ("dot tree", "graph"), ("evaluate expr cel", "eval"),
        ("language-server languageserver server", "lsp"), ("version", "--version"),
    ])

    /// Common options, with the option that does the same and the commands that have it.
    private static let options: [String: (option: String, commands: Set<String>)] = {
        let all = [
            (
                "--strict --werror --warnings-as-errors --error-on-warnings --max-warnings",
                "--fail-level warning", ["validate"]
            ),
            (
                "--json", "--format json",
                ["validate", "list", "explain", "diff", "test", "backtest"]
            ),
            ("--html", "--format html", ["diff", "backtest"]),
            ("--sarif", "--format sarif", ["validate"]),
            ("--junit", "--format junit", ["validate", "test"]),
            ("--autofix --fix-all --fix-everything", "--fix", ["validate"]),
            ("--errors-only --only-errors", "--min-level error", ["validate"]),
            ("--filter --grep --match --only --name", "--run", ["test"]),
            ("--dry-run --check-only", "--check", ["fmt"]),
            ("--user --context-key --var --with --attribute", "--set", ["explain", "eval"]),
            ("--date --now --time --on", "--at", ["explain", "validate", "eval", "collisions"]),
            ("--out --to", "--output", ["page", "compile", "backtest", "validate"]),
            ("--no-color --no-colors --no-colour", "--color never", ["validate", "test", "diff"]),
        ]
        var options: [String: (String, Set<String>)] = [:]
        for (words, option, commands) in all {
            for word in words.split(separator: " ") {
                options[String(word)] = (option, Set(commands))
            }
        }
        return options
    }()

    private static func table(_ rows: [(words: String, command: String)]) -> [String: String] {
        var table: [String: String] = [:]
        for row in rows {
            for word in row.words.split(separator: " ") { table[String(word)] = row.command }
        }
        return table
    }

    /// Returns the error about a first word that isn't a command; nil if there is none.
    ///
    /// - Parameters:
    ///   - words: The words behind the name of the program.
    ///   - names: The names of all commands.
    ///   - isFile: Indicates whether there is a file or folder at a path.
    static func unknownCommand(
        in words: [String], among names: [String], isFile: (String) -> Bool
    ) -> String? {
        guard let word = words.first, !word.hasPrefix("-"), !names.contains(word) else {
            return nil
        }
        let start = "there is no command `\(word.shortened)`"
        if let command = commands[word.lowercased()] {
            return "\(start); use `poprules \(command)`"
        }
        let similar = similarNames(to: word, among: names)
        if !similar.isEmpty { return "\(start); did you mean \(alternatives(similar))?" }
        if isFile(word) {
            return "\(start); to check this file or folder, use"
                + " `poprules validate \(word.quotedForShell)`"
        }
        return "\(start); to see all commands, use `poprules --help`"
    }

    /// Returns a line on the option to use in place of one of another tool; nil without such an
    /// option.
    static func hintOnOptions(in words: [String]) -> String? {
        guard let command = words.first else { return nil }
        for word in words.dropFirst() {
            if word == "--" { return nil }
            let name = String(word.prefix { $0 != "=" }).lowercased()
            guard let (option, commands) = options[name], commands.contains(command) else {
                continue
            }
            return "\nUse `\(option)` instead of `\(name)`."
        }
        return nil
    }
}
