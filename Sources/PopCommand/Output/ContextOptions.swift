import ArgumentParser
import PopCEL
internal import PopReports
import PopRuleFiles
import PopScheduler
import PopSource
import PopValidation

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
                throw UsageFailure(message: "`--set \(setting)`: write KEY=VALUE")
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

    /// Returns a map with one key, as YAML; a string is used as written, whatever it looks like,
    /// and so is a version, which may be in quotes too.
    static func setting(_ key: String, value: String, type: CELType?) -> String {
        let isText = type == .string || type == .version && !value.hasPrefix("\"")
        // A JSON string is a quoted YAML scalar.
        return "\(key): \(isText ? JSON.string(value).compact : value)"
    }
}
