public import PopSource
internal import PopYAML

extension Configuration {
    /// Reads `poprules.yaml`. Linear in the file.
    public static func parse(_ source: SourceFile) -> Checked<Configuration> {
        YAMLDocument.parse(source).then { document in
            var decoder = Decoder(source)
            var written = WrittenConfiguration()
            if document.root.isBroken { return Checked(Configuration()) }
            if document.root.kind == .mapping {
                decoder.read(.configuration, at: document.root, into: &written)
            } else {
                decoder.report(.noMap(document.root.range))
            }
            if let version = written.version, version.value != Self.version {
                decoder.report(.unknownVersion(version))
            }
            return Checked(written.configuration, diagnostics: decoder.diagnostics)
        }
    }
}

extension Configuration {
    /// Returns the JSON Schema of the file.
    package static func json(_ writer: inout SchemaWriter) -> JSON {
        writer.table(Table.configuration.schema)
    }
}

/// The configuration as the tables read it.
private struct WrittenConfiguration: Sendable {
    var version: Located<Int>?
    var rules: Located<[Located<String>]>?
    var checks: Located<[Configuration.CheckLevel]>?
    var overrides: Located<[Located<WrittenOverride>]>?
    var baseline: Located<String>?

    var configuration: Configuration {
        var configuration = Configuration()
        configuration.rules = rules?.value ?? []
        configuration.checks = checks?.value ?? []
        configuration.overrides = (overrides?.value ?? []).map { override in
            Configuration.Override(
                paths: override.value.paths?.value ?? [],
                checks: override.value.checks?.value ?? [])
        }
        configuration.baseline = baseline
        return configuration
    }
}

private struct WrittenOverride: Sendable {
    var paths: Located<[Located<String>]>?
    var checks: Located<[Configuration.CheckLevel]>?
}

extension Table<WrittenConfiguration> {
    fileprivate static let configuration = Table(
        "a configuration",
        keys: [
            Key(
                "poprules_config", format: .version(Configuration.version),
                store: { $0.version = $1 },
                summary: "the version of the format, 1"
            ).required,
            Key(
                "rules", format: .list(of: .pathPattern, minimum: 1), store: { $0.rules = $1 },
                alsoCalled: ["paths", "files"],
                summary: "rule files, folders and patterns, relative to this file"),
            Key(
                "checks", format: .checkLevels, store: { $0.checks = $1 },
                alsoCalled: ["levels", "severity"],
                summary: "levels by check or group: `condition/may-error: error`"),
            Key(
                "overrides", format: .list(of: .table(.override, startingWith: WrittenOverride())),
                store: { $0.overrides = $1 },
                summary:
                    "levels for some files: `{ paths: [\"legacy/**\"], checks: { P0306: off } }`"
            ),
            Key(
                "baseline", format: .text, store: { $0.baseline = $1 },
                summary: "a file of known findings, written by `--write-baseline`"),
        ])
}

extension Table<WrittenOverride> {
    fileprivate static let override = Table(
        "an override",
        keys: [
            Key(
                "paths", format: .list(of: .pathPattern, minimum: 1), store: { $0.paths = $1 },
                summary: "patterns for paths, relative to this file"
            ).required,
            Key(
                "checks", format: .checkLevels, store: { $0.checks = $1 },
                summary: "levels by check or group"
            ).required,
        ])
}

extension Format<String> {
    /// A path, or a pattern for paths within its limits.
    fileprivate static var pathPattern: Self {
        Format(.text) { node, decoder in
            guard case .string? = node.coreValue, let text = node.text else {
                return decoder.mismatch(.text, at: node)
            }
            guard let excess = PathPattern.excess(of: text) else { return text }
            decoder.report(.tooLargePattern(excess, at: node.range))
            return nil
        }
    }
}

extension Diagnostic {
    fileprivate static func tooLargePattern(_ excess: String, at range: SourceRange) -> Self {
        Diagnostic(
            .schemaLimit, message: "the pattern has \(excess)", at: range, label: "too large",
            help: ["write several patterns, or use `*` and `**`: `rules/**/*.yaml`"])
    }
}

/// The levels by the names that authors write.
private enum LevelWord: String, CaseIterable, Sendable {
    case error
    case warning
    case info
    case off

    var level: Level {
        switch self {
        case .error: .error
        case .warning: .warning
        case .info: .info
        case .off: .off
        }
    }
}

extension Format<[Configuration.CheckLevel]> {
    /// A map from checks to levels; groups first, so that a check wins over its group.
    fileprivate static var checkLevels: Self {
        let schema = Schema.map(.word(LevelWord.allCases.map(\.rawValue)))
        return Format(schema) { node, decoder in
            guard node.kind == .mapping else { return decoder.mismatch(schema, at: node) }
            var levels: [Configuration.CheckLevel] = []
            for entry in node.entries {
                guard !entry.key.isBroken, let name = entry.key.scalar?.text else { continue }
                let level = decoder.inside(key: entry.key) {
                    $0.read(.word(LevelWord.self), at: entry.value)
                }
                let check = Check.named(name)
                let checks = check.map { [$0] } ?? Check.byGroup[name] ?? []
                if checks.isEmpty {
                    decoder.report(
                        .unknownCheck(
                            name, at: entry.key.range,
                            similar: decoder.suggestions(
                                for: name, among: Check.namesAndGroups)))
                } else if let level {
                    levels.insert(
                        .init(checks: Set(checks), level: level.value.level),
                        at: check == nil ? 0 : levels.endIndex)
                }
            }
            return levels
        }
    }
}

extension Check {
    /// The ids and names of all checks.
    static let names = all.flatMap { [$0.id, $0.name] }

    fileprivate static let byGroup = Dictionary(grouping: all) { String($0.group) }
    fileprivate static let namesAndGroups = names + byGroup.keys.sorted()
}

extension Diagnostic {
    /// A name that no check has, in the configuration or in a comment.
    static func unknownCheck(_ name: String, at range: SourceRange, similar: [String]) -> Self {
        Diagnostic(
            .configUnknownCheck, message: "unknown check `\(name)`", at: range,
            label: "neither the id nor the name of a check",
            help: [
                similar.isEmpty
                    ? "run `poprules explain-check` to list all checks"
                    : "did you mean \(alternatives(similar))?"
            ],
            fixes: similar.count == 1 ? [.rename(range, to: similar[0])] : [])
    }

    fileprivate static func unknownVersion(_ version: Located<Int>) -> Self {
        Diagnostic(
            .schemaVersion,
            message: "version \(version.value) of the configuration format is not supported",
            at: version.range, label: "this program supports version \(Configuration.version)")
    }

    fileprivate static func noMap(_ range: SourceRange) -> Self {
        Diagnostic(
            .schemaType, message: "a configuration must be a map of keys to values", at: range,
            label: "not a map", help: ["write `poprules_config: 1` in the first line"])
    }
}

extension Configuration {
    /// The keys at the top of the file.
    package static let topLevel = Table.configuration.schema.keys.map {
        TopLevelKey($0.name, summary: $0.summary, schema: $0.schema)
    }
}
