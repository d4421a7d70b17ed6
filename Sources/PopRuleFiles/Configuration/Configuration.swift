public import PopReports
public import PopSource
internal import PopYAML

/// The settings of a project's checks: the file `poprules.yaml`.
public struct Configuration: Sendable {
    /// The name of the file, which is never a rule file.
    public static let fileName = "poprules.yaml"
    /// The version of the format that is read.
    static let version = 1

    /// The level of a check, or of all checks of a group.
    public struct CheckLevel: Sendable, Hashable {
        /// The checks that it is about; of a group, all of them.
        public var checks: Set<Check>
        /// The level of their findings; `off` reports none.
        public var level: Level
    }

    /// Levels for the files whose paths match.
    public struct Override: Sendable {
        /// Patterns as `PathPattern` reads them, relative to the configuration file.
        public var paths: [Located<String>]
        /// Levels for files whose paths match one of the patterns; later ones win.
        public var checks: [CheckLevel]
    }

    /// Files, folders and patterns, relative to the file.
    public var rules: [Located<String>] = []
    /// Levels for all files, in the order of the file; later ones win.
    public var checks: [CheckLevel] = []
    /// In the order of the file; later ones win.
    public var overrides: [Override] = []
    /// A file, relative to this one.
    public var baseline: Located<String>?

    /// The configuration of a project that has none.
    public init() {}
}

/// The levels of checks by path, ready to be looked up.
public struct CheckLevels: Sendable {
    private let general: [Configuration.CheckLevel]
    private let overrides: [(patterns: [PathPattern], checks: [Configuration.CheckLevel])]

    /// The levels that a configuration gives, with its patterns made ready.
    public init(_ configuration: Configuration) {
        general = configuration.checks
        overrides = configuration.overrides.map { override in
            (override.paths.map { PathPattern($0.value) }, override.checks)
        }
    }

    /// The findings at the levels that are configured, those that are off left out.
    ///
    /// `path` gives the path of a file relative to the configuration; nil if patterns do not apply.
    public func apply(to diagnostics: Diagnostics, path: (FileID) -> String?) -> Diagnostics {
        var known: [FileID: [Configuration.CheckLevel]] = [:]
        if general.isEmpty, overrides.isEmpty,
            diagnostics.list.allSatisfy({ $0.level != .off })
        {
            return diagnostics
        }
        return Diagnostics(
            diagnostics.list.compactMap { finding in
                let file = finding.range.file
                let levels = known[file] ?? self.levels(forFileAt: path(file))
                known[file] = levels
                var finding = finding
                if let last = levels.last(where: { $0.checks.contains(finding.check) }) {
                    let lowest = finding.check.isAlwaysTold ? Level.info : .off
                    finding.level = max(last.level, lowest)
                }
                return finding.level == .off ? nil : finding
            })
    }

    private func levels(forFileAt path: String?) -> [Configuration.CheckLevel] {
        guard let path else { return general }
        let names = PathNames(path)
        return overrides.reduce(into: general) { levels, override in
            if override.patterns.contains(where: { $0.matches(names) }) {
                levels += override.checks
            }
        }
    }
}

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

/// Help on words of other tools for checks that are off, and on the level at which a run fails.
private let helpOnChecks: [String: String] = {
    let off =
        "\n\nswitch off checks by their ids, names or groups in `checks`, such as"
        + " `checks: { P0510: off, hygiene: off }`\nto switch them off in some files only, write"
        + " `overrides: [{ paths: [\"legacy/**\"], checks: { P0510: off } }]`"
    let level =
        "\n\nremove `$`, and use an option of the command: `poprules validate --fail-level warning`"
        + " fails if there are warnings"
    let namesOfOff = [
        "ignore", "ignored", "ignores", "disable", "disabled", "exclude_checks", "skip",
        "extend_ignore", "disabled_checks", "suppress", "off",
    ]
    let namesOfLevels = [
        "fail_level", "fail_on", "fail_on_warnings", "strict", "warnings_as_errors",
        "max_warnings", "exit_level",
    ]
    let entries = namesOfOff.map { ($0, off) } + namesOfLevels.map { ($0, level) }
    return Dictionary(uniqueKeysWithValues: entries)
}()

/// Help on options of `poprules test`, which a configuration does not have.
private let helpOnTestOptions: [String: String] = {
    let coverage =
        "\n\nremove `$`, and use options of the command: `poprules test rules --threshold 80` fails"
        + " if the coverage is below 80 %"
    let tests =
        "\n\nremove `$`, and name files and folders with tests in the command, such as"
        + " `poprules test tests`"
    return [
        "coverage": coverage, "threshold": coverage, "min_coverage": coverage, "tests": tests,
        "test_files": tests, "test_paths": tests,
    ]
}()

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
                "rules",
                format: .pathPatterns, store: { $0.rules = $1 },
                alsoCalled: ["paths", "files"] + helpOnTestOptions.keys,
                summary: "rule files, folders and patterns, relative to this file"
            ).such(as: helpOnTestOptions),
            Key(
                "checks", format: .checkLevels, store: { $0.checks = $1 },
                alsoCalled: ["levels", "severity"] + helpOnChecks.keys,
                summary: "levels by check or group, such as `condition/may-error: error`"
            ).such(as: helpOnChecks),
            Key(
                "overrides", format: .list(of: .table(.override, startingWith: WrittenOverride())),
                store: { $0.overrides = $1 },
                summary:
                    "levels for some files, such as `{ paths: [\"legacy/**\"], checks: { P0306: off } }`"
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

extension Format<[Located<String>]> {
    /// The files to check; a map of levels, as in other linters, belongs under `checks`.
    fileprivate static var pathPatterns: Self {
        let list = Self.list(of: .pathPattern, minimum: 1, maximum: PathPattern.mostTogether)
        return Format(list.schema) { node, decoder in
            let areLevels = node.entries.contains { entry in
                entry.key.scalar.map { Check.named($0.text) != nil } ?? false
            }
            guard areLevels else { return decoder.read(list, at: node)?.value }
            return decoder.mismatch(
                list.schema, at: node,
                help: [
                    "move these levels to the key `checks`; `rules` lists the files to check, such"
                        + " as `rules: [rules]`"
                ])
        }
    }
}

extension Diagnostic {
    fileprivate static func tooLargePattern(_ excess: String, at range: SourceRange) -> Self {
        Diagnostic(
            .schemaLimit, message: "the pattern has \(excess)", at: range, label: "too large",
            help: ["use several patterns, or `*` and `**`, such as `rules/**/*.yaml`"])
    }
}

extension Diagnostic {
    /// A name that no check has, in the configuration or in a comment.
    static func unknownCheck(_ name: String, at range: SourceRange, similar: [String]) -> Self {
        Diagnostic(
            .configUnknownCheck, message: "unknown check `\(name)`", at: range,
            label: "not the id or name of a check",
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
            at: version.range, label: "not a supported version",
            help: ["write `poprules_config: \(Configuration.version)`, the only version"])
    }

    fileprivate static func noMap(_ range: SourceRange) -> Self {
        Diagnostic(
            .schemaType, message: "a configuration must be a map", at: range,
            label: "not a map",
            help: [
                "write `poprules_config: 1` as the first line, and keys such as `rules: [rules]`"
                    + " below it"
            ])
    }
}

extension Configuration {
    /// The keys at the top of the file.
    package static let topLevel = Table.configuration.schema.keys.map {
        TopLevelKey($0.name, summary: $0.summary, schema: $0.schema)
    }
}

/// Findings that a project knows and has not fixed yet, so that only new ones are reported.
public struct Baseline: Sendable {
    /// The version of the format that is read and written.
    static let version = 1

    /// The parts of a finding by which it is recognized again.
    struct Entry: Sendable {
        var check: Located<String>?
        var file: Located<String>?
        var fingerprint: Located<String>?
    }

    let entries: [Located<Entry>]

    /// Returns true if a file that begins so is meant to be a baseline.
    public static func isBaseline(_ bytes: [UInt8]) -> Bool {
        let mark = Array("poprules_baseline".utf8)
        return bytes.prefix(256).drop { " \t\r\n{\"'".utf8.contains($0) }.starts(with: mark)
    }

    /// Reads a baseline file. Linear in the file.
    public static func parse(_ source: SourceFile) -> Checked<Baseline> {
        YAMLDocument.parse(source).then { document in
            var limits = RuleFileLimits.standard
            limits.listItems = limits.baselineEntries
            var decoder = Decoder(source, limits: limits)
            var written = WrittenBaseline()
            if document.root.kind == .mapping {
                decoder.read(.baseline, at: document.root, into: &written)
            } else {
                decoder.report(.noBaseline(document.root.range))
            }
            return Checked(
                Baseline(entries: written.findings?.value ?? []), diagnostics: decoder.diagnostics)
        }
    }

    /// Returns the text of a baseline file in which all findings of a report are known; nil if they
    /// are more than a baseline may hold.
    ///
    /// Findings that are always reported are left out.
    public static func text(
        for report: Report, limits: RuleFileLimits = .standard
    ) -> (text: String, count: Int)? {
        let known = zip(report.findings, report.fingerprints).filter { !$0.0.check.isAlwaysTold }
        guard known.count <= limits.baselineEntries else { return nil }
        let findings = known.map { finding, fingerprint in
            JSON.object([
                "check": .string(finding.check.id),
                "file": .string(report.sources[finding.range.file].path),
                "fingerprint": .string(fingerprint.text),
            ])
        }
        let baseline = JSON.object([
            "poprules_baseline": .int(version), "findings": .array(findings),
        ])
        let text = baseline.pretty + "\n"
        return text.utf8.count <= limits.fileBytes ? (text, known.count) : nil
    }

    /// The findings of a report that are not known, and one for each entry that is about none of
    /// them.
    ///
    /// An entry about a file for which `isLookedAt` is false may still be right.
    public func remove(from report: Report, isLookedAt: (String) -> Bool) -> Diagnostics {
        var known: [String: Located<Entry>] = [:]
        for entry in entries {
            if let fingerprint = entry.value.fingerprint { known[fingerprint.value] = entry }
        }
        var rest = Diagnostics()
        for (finding, fingerprint) in zip(report.findings, report.fingerprints)
        where finding.check.isAlwaysTold || known.removeValue(forKey: fingerprint.text) == nil {
            rest.report(finding)
        }
        for entry in known.values {
            guard let file = entry.value.file, isLookedAt(file.value) else { continue }
            rest.report(.stale(entry))
        }
        return rest
    }
}

private struct WrittenBaseline: Sendable {
    var version: Located<Int>?
    var findings: Located<[Located<Baseline.Entry>]>?
}

extension Table<WrittenBaseline> {
    fileprivate static let baseline = Table(
        "a baseline",
        keys: [
            Key(
                "poprules_baseline", format: .integer(1...Baseline.version),
                store: { $0.version = $1 },
                summary: "the version of the format, 1"
            ).required,
            Key(
                "findings",
                format: .list(of: .table(.baselineEntry, startingWith: Baseline.Entry())),
                store: { $0.findings = $1 },
                summary: "the known findings"
            ).required,
        ])
}

extension Table<Baseline.Entry> {
    fileprivate static let baselineEntry = Table(
        "an entry of a baseline",
        keys: [
            Key("check", format: .text, store: { $0.check = $1 }, summary: "the id of the check")
                .required,
            Key("file", format: .text, store: { $0.file = $1 }, summary: "the path of the file")
                .required,
            Key(
                "fingerprint", format: .text, store: { $0.fingerprint = $1 },
                summary: "the value that identifies the finding"
            )
            .required,
        ])
}

extension Diagnostic {
    fileprivate static func noBaseline(_ range: SourceRange) -> Self {
        Diagnostic(
            .schemaType, message: "this file is not a baseline", at: range, label: "not a map",
            help: ["run `poprules validate --write-baseline FILE` to create a baseline"])
    }

    fileprivate static func stale(_ entry: Located<Baseline.Entry>) -> Self {
        let check = entry.value.check?.value ?? ""
        let file = entry.value.file?.value ?? ""
        return Diagnostic(
            .configStaleBaseline,
            message: "no finding \(check) in `\(file)` matches this entry of the baseline",
            at: entry.value.fingerprint?.range ?? entry.range, label: "matches no finding",
            notes: ["the finding was fixed, or the marked text of the finding has changed"],
            help: ["update the baseline with `--write-baseline`"])
    }
}
