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
        ("/? usage", "--help"),
    ])

    /// Words behind `bundle`, with the commands that do the same.
    private static let bundleCommands = table([
        ("create build make compile pack package export", "compile"),
        ("key keys key-gen genkey generate generate-key keypair new-key", "bundle keygen"),
        ("check validate inspect", "bundle verify"),
    ])

    /// An option, and the commands that have it; without commands, all do.
    private typealias Option = (option: String, commands: Set<String>)

    /// Common options, with the option that does the same. The command `""` is the program itself.
    private static let options: [String: [Option]] = {
        let all: [(words: String, option: String, commands: [String])] = [
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
            (
                "-k -t -g --grep --filter --match --only --name --pattern --test-name-pattern",
                "--run", ["test"]
            ),
            ("--dry-run --check-only", "--check", ["fmt"]),
            ("--user --context-key --var --with --attribute", "--set", ["explain", "eval"]),
            ("--date --now --time --on", "--at", ["explain", "validate", "eval", "collisions"]),
            ("--to", "--output", ["page", "compile", "validate", "generate", "schema"]),
            (
                "--out", "--output",
                ["page", "compile", "backtest", "validate", "generate", "schema"]
            ),
            ("--usage --man -?", "--help", []), ("-v --ver", "--version", [""]),
            ("--no-color --no-colors --no-colour", "--color never", ["validate", "test", "diff"]),
        ]
        var options: [String: [Option]] = [:]
        for (words, option, commands) in all {
            for word in words.split(separator: " ") {
                options[String(word), default: []].append((option, Set(commands)))
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

    /// Returns the error about a first word that isn't a command; nil without one.
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

    /// Returns the error about a second word that isn't a command below the first; nil without
    /// one.
    ///
    /// - Parameters:
    ///   - words: The words behind the name of the program.
    ///   - isFile: Indicates whether there is a file or folder at a path.
    static func unknownSubcommand(in words: [String], isFile: (String) -> Bool) -> String? {
        guard words.count > 1, !words[1].hasPrefix("-") else { return nil }
        let (command, word) = (words[0], words[1])
        let commands = ["generate": ["swift"], "bundle": ["keygen", "sign", "verify"]]
        guard let names = commands[command], !names.contains(word) else { return nil }
        let start = "there is no command `\(command) \(word.shortened)`"
        if word == "help" { return "\(start); use `poprules \(command) --help`" }
        let similar = similarNames(to: word, among: names).map { "\(command) \($0)" }
        if !similar.isEmpty { return "\(start); did you mean \(alternatives(similar))?" }
        if command == "generate" {
            let rest = shellWords(words.dropFirst())
            return isFile(word)
                ? "name the language first: write `poprules generate swift \(rest)`"
                : "\(start), because poprules generates only Swift; use `poprules generate swift`"
        }
        if let other = bundleCommands[word.lowercased()] {
            return "\(start); use `poprules \(other)`"
        }
        if isFile(word) { return "\(start); use `poprules compile \(word.quotedForShell)`" }
        return "\(start); to see all commands, use `poprules \(command) --help`"
    }

    /// Returns a line on the option to use in place of one of another tool; nil without such an
    /// option.
    static func hintOnOptions(in words: [String]) -> String? {
        guard let first = words.first else { return nil }
        let isProgram = first.hasPrefix("-")
        let command = isProgram ? "" : first
        for word in isProgram ? words[...] : words.dropFirst() {
            if word == "--" { return nil }
            let name = String(word.prefix { $0 != "=" })
            let same = options[name.lowercased(), default: []].first {
                $0.commands.isEmpty || $0.commands.contains(command)
            }
            if let same { return "\nUse `\(same.option)` instead of `\(name)`." }
        }
        return nil
    }

    /// Returns words as a part of a shell command. The value of a `KEY=VALUE` is quoted by itself.
    static func shellWords(_ words: some Sequence<String>) -> String {
        words.map { word -> String in
            let name = String(word.prefix { $0 != "=" })
            guard name.isPlainForShell, name != word else { return word.quotedForShell }
            return "\(name)=\(String(word.dropFirst(name.count + 1)).quotedForShell)"
        }.joined(separator: " ")
    }
}
