import ArgumentParser
import PopCEL
internal import PopReports
import PopRuleFiles
import PopScheduler
import PopSource
import PopStories
import PopValidation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `--rules`, for commands that take paths as arguments: what other commands call by that name.
struct RulesOption: ParsableArguments {
    @Option(
        name: .customLong("rules"),
        help: ArgumentHelp("Rule files and folders, like the arguments.", visibility: .hidden),
        completion: .yamlFiles)
    var more: [String] = []

    /// The paths that were given in one way or the other.
    func paths(_ arguments: [String], default usual: [String] = ["rules"]) -> [String] {
        more.isEmpty ? arguments : arguments == usual ? more : arguments + more
    }
}

/// Arguments that are popup IDs, and arguments that are paths of rules.
struct PopupsAndRules {
    let popups: [String]
    let rules: [String]

    /// Separates paths from popups among the arguments; `--rules` gives further paths.
    init(_ arguments: [String], rules: [String]) {
        let paths = arguments.filter(Self.isPath)
        popups = arguments.filter { !Self.isPath($0) }
        self.rules = paths.isEmpty ? rules : rules == ["rules"] ? paths : rules + paths
    }

    private static func isPath(_ argument: String) -> Bool {
        argument.contains("/") || argument.hasSuffix(".yaml") || argument.hasSuffix(".yml")
            || leadsSomewhere(argument)
    }
}

/// Returns true if a file or folder exists at the path.
func leadsSomewhere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

/// The options of commands that evaluate conditions: what the app has set.
struct ContextOptions: ParsableArguments {
    @Option(
        help: "A YAML or JSON file with a map of context keys to values.", completion: .file())
    var context: String?

    @Option(help: "A context key and its value, such as user.plan=pro; may be repeated.")
    var set: [String] = []

    /// The values of declared keys; findings about them end the command.
    func values(for keys: [ContextKey], style: TextStyle) throws -> [String: Value] {
        let types = Dictionary(keys.map { ($0.name, $0.type) }) { first, _ in first }
        return try read(types: types, style: style) { ContextFile.parse($0, keys: keys) }
    }

    /// The values of any keys, each of the type that YAML gives it.
    func values(style: TextStyle) throws -> [String: Value] {
        try read(style: style) { ContextFile.parse($0) }
    }

    /// Reads the values. For string keys, any value is a string, whatever it looks like.
    private func read(
        types: [String: CELType] = [:], style: TextStyle,
        _ parse: (SourceFile) -> Checked<[String: Value]>
    ) throws -> [String: Value] {
        var files: [InputFile] = []
        if let context {
            do {
                files.append(try InputFile(path: context))
            } catch  where context.contains("=") {
                throw UsageFailure(
                    message: "`--context \(context)` is not a file; to set one key, use"
                        + " `--set \(context)`")
            }
        }
        for setting in set {
            guard let equals = setting.firstIndex(of: "="), equals > setting.startIndex else {
                throw UsageFailure(message: Self.withoutValue(setting))
            }
            // A string may contain all that.
            let isText = types[String(setting.prefix { $0 != "=" })] == .string
            let several = CommandIdioms.severalSettings(in: setting) { types[$0] != nil }
            if let several, !isText {
                throw UsageFailure(
                    message: "`--set \(setting)` has several keys: write `\(several)`")
            }
            let name = String(setting[..<equals])
            let value = String(setting[setting.index(after: equals)...])
            let line = Self.setting(name, value: value, type: types[name])
            files.append(InputFile(name: "--set \(setting)", text: line))
        }
        var values: [String: Value] = [:]
        for file in files { values.merge(try file.read(style, parse: parse) ?? [:]) { $1 } }
        return values
    }

    private static func withoutValue(_ setting: String) -> String {
        let parts = setting.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.split(separator: " ").joined(separator: " ") }
        let option = "`--set \(setting)` has no `=`"
        guard parts.count == 2, NameForm.dotted.fits(parts[0].utf8) else {
            return "\(option): write KEY=VALUE, such as `--set user.plan=pro`"
        }
        let value = parts[1].isEmpty ? "pro" : parts[1]
        let form = "`--set \(parts[0])=\(value.quotedForShell)`"
        return "\(option): write \(parts[1].isEmpty ? "a form such as \(form)" : form)"
    }

    /// Refuses settings such as `--set user.plan: pro`, whose value is another word. Without a
    /// colon, the next word is the value only if it has no other meaning.
    func refuseValuesApart(hasOtherMeaning: Bool) throws {
        for setting in set where setting.hasSuffix(":") && !setting.contains("=") {
            throw UsageFailure(message: Self.withoutValue(setting))
        }
        guard !hasOtherMeaning,
            let message = CommandIdioms.settingInTwoWords(Array(CommandLine.arguments.dropFirst()))
        else { return }
        throw UsageFailure(message: message)
    }

    /// Returns a map with one key, as YAML; a string is used as written, whatever it looks like,
    /// and so is a version, which may be in quotes too.
    static func setting(_ key: String, value: String, type: CELType?) -> String {
        let isText = type == .string || type == .version && !value.hasPrefix("\"")
        // A JSON string is a quoted YAML scalar.
        return "\(key): \(isText ? JSON.string(value).compact : value)"
    }
}

/// The option of commands that look at what the user has seen and done.
struct HistoryOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The user's history, such as '{ welcome: { shown: 2, last: -3d } }', or a file that"
                + " contains it.",
            valueName: "history"),
        completion: .file())
    var history: String?

    /// The history; findings about it end the command.
    func read(_ rules: RuleSet, start: Timestamp, style: TextStyle) throws -> History {
        guard let history else { return History() }
        // C17: no file has a name that begins so, or it is written `./{`.
        let isInline = history.drop(while: \.isWhitespace).first == "{"
        let file =
            try isInline
            ? InputFile(name: "--history", text: history) : InputFile(path: history)
        return try file.read(style, parse: HistoryReading(rules: rules, start: start).parse)
            ?? History()
    }
}

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

/// The tests that `--run` names.
extension TestOptions {
    /// An expression of RE2, as in conditions: matching takes a time linear in the name.
    static func pattern(_ text: String) throws -> RegularExpression {
        do {
            return try RegularExpression(text)
        } catch {
            // Patterns of file names have a star on both sides.
            let plain = text.filter { $0 != "*" }
            let meant =
                plain != text && (try? RegularExpression(plain)) != nil && !plain.isEmpty
                ? "; write `--run \(plain.quotedForShell)`, which matches any part of a name" : ""
            throw UsageFailure(
                message: "`--run \(text)` is not a regular expression: \(error.message)\(meant)")
        }
    }
}

/// Ends the command when `--run` names no test, with the names that there are.
func requireMatch(_ workspace: Workspace, wanted: String?, options: TestOptions) throws {
    let names = workspace.tests.flatMap { workspace.link($0).value?.tests ?? [] }
        .map(\.name.value)
    guard let wanted, !names.contains(where: options.wants) else { return }
    throw UsageFailure(
        message: "no test name matches `--run \(wanted)`;"
            + " the tests are \(listed(names.map { "`\($0)`" }))")
}
