internal import PopCEL
public import PopSource
package import PopYAML

extension RuleFile {
    /// The version of the format that is read.
    public static let version = 1

    /// Reads one rule file: YAML, then its sections. Linear in the file.
    public static func parse(
        _ source: SourceFile, limits: RuleFileLimits = .standard
    ) -> Checked<RuleFile> {
        parse(source, limits: limits, known: KnownExpressions(forBytes: source.bytes.count))
    }

    /// Reads several rule files; the answers are in the order of the files.
    static func parse(_ sources: [SourceFile], limits: RuleFileLimits) -> [Checked<RuleFile>] {
        let known = KnownExpressions(forBytes: sources.reduce(0) { $0 + $1.bytes.count })
        return sources.map { parse($0, limits: limits, known: known) }
    }

    private static func parse(
        _ source: SourceFile, limits: RuleFileLimits, known: KnownExpressions?
    ) -> Checked<RuleFile> {
        if let unreadable = Diagnostic.unreadable(source) {
            return Checked(RuleFile(), diagnostics: Diagnostics([unreadable]))
        }
        let decoder = Decoder(source, limits: limits, known: known)
        return YAMLDocument.parse(source, limits: limits.yaml).then { decoder.read($0.root) }
    }
}

/// The first key of a test file.
let testFileKey = "poprules_test"

/// The first key of a mapping file, which defines the meaning of a log's rows.
package let mappingFileKey = "poprules_mapping"

extension RuleFileLimits {
    var yaml: YAMLLimits {
        var limits = YAMLLimits.standard
        limits.bytes = fileBytes
        return limits
    }
}

extension Decoder {
    fileprivate func read(_ root: YAMLNode) -> Checked<RuleFile> {
        var decoder = self
        var file = RuleFile()
        if let key = root.entries.first(where: { $0.key.scalar?.hasText(testFileKey) == true }) {
            decoder.report(.testFile(key.key, path: source.path))
        } else if let key = root.entries.first(where: {
            $0.key.scalar?.hasText(mappingFileKey) == true
        }) {
            decoder.report(.mappingFile(key.key, path: source.path))
        } else if let bundle = Diagnostic.bundle(root) {
            decoder.report(bundle)
        } else if root.kind == .mapping {
            decoder.readSections(root, into: &file)
        } else if !root.isBroken {
            decoder.report(.noSections(root, in: source))
        }
        file.conditionsMentionHistory = decoder.mentionsHistory
        file.conditionsRepeat = decoder.conditionsRepeat
        return Checked(file, diagnostics: decoder.diagnostics)
    }

    private mutating func readSections(_ root: YAMLNode, into file: inout RuleFile) {
        var hasVersion = false
        if let node = root["defaults"] {
            let popups = root["popups"]?.entries.count ?? 0
            if let excess = DefaultsModel.excess(of: node.range, for: popups, limits: limits) {
                report(excess)
            } else {
                defaults = defaults(at: node, allowedBy: .fileDefaults)
            }
        }
        // The section whose lines are right above.
        var above: SectionKey?
        for entry in root.entries {
            guard let name = name(ofKey: entry.key) else { continue }
            if name == "poprules" {
                hasVersion = true
                checkVersion(entry)
            } else if let section = SectionKey.named(name) {
                above = section
                if entry.value.isBroken { continue }
                inside(key: entry.key) { $0.read(section, at: entry.value, into: &file) }
            } else if let setting = SettingKey.named(name) {
                above = nil
                if entry.value.isBroken { continue }
                about("`\(name)`") { decoder in
                    decoder.inside(key: entry.key) { setting.read(entry.value, &file, &$0) }
                }
            } else if !name.hasPrefix("x-") {
                // A misspelt `poprules` is one mistake.
                if !suggestions(for: name, among: ["poprules"]).isEmpty { hasVersion = true }
                let indented = above.flatMap { indentation(of: entry, below: $0) }
                // The entries that follow are below a key that is not indented yet.
                above = nil
                report(
                    .unknownSection(entry, isHelped: takeSuggestion(), indented: indented))
            }
        }
        if !hasVersion, !hasUnreadVersion { report(.noVersion(root)) }
    }

    /// True if the file has a line for the version that isn't a valid entry, which has been
    /// reported.
    private var hasUnreadVersion: Bool {
        String(decoding: source.bytes.prefix(1 << 12), as: UTF8.self)
            .contains(#/(?:^|\n)poprules *[:=\u{FF1A}]/#)
    }

    /// Returns the fix that indents an entry at the margin into the section above it; nil if it
    /// belongs elsewhere.
    private func indentation(of entry: YAMLEntry, below section: SectionKey) -> Diagnostic.Fix? {
        guard sectionOfEntry(entry)?.name == section.name else { return nil }
        let whole = entry.key.range.union(entry.value.range)
        let text = source.bytes[whole.bytes]
        var starts = [whole.lower]
        for offset in text.indices
        where text[offset] == UInt8(ascii: "\n") && offset + 1 < whole.upper {
            if text[offset + 1] != UInt8(ascii: "\n") { starts.append(offset + 1) }
        }
        let edits = starts.map {
            Diagnostic.Edit(
                SourceRange(file: whole.file, $0..<$0), replacement: "  ")
        }
        return Diagnostic.Fix(
            "indent it and what is below it", edits: edits,
            isSafe: !text.contains(UInt8(ascii: "|")))
    }

    private mutating func checkVersion(_ entry: YAMLEntry) {
        if entry.value.isBroken { return }
        if case .int(let number)? = entry.value.scalar?.value, number == RuleFile.version { return }
        report(.unknownVersion(entry))
    }
}

/// `poprules:1` with its space; nil if the string does not begin with a key of a rule file.
private func entryWithoutColon(_ text: String) -> String? {
    guard let match = text.wholeMatch(of: #/(\w+) *[:=\u{FF1A}] *([^\s:=]+)/#),
        match.output.1 == "poprules" || SectionKey.named(String(match.output.1)) != nil
    else { return nil }
    return "\(match.output.1): \(match.output.2)"
}

/// The section among whose entries a map with such keys belongs; popups before others.
func sectionOfEntry(_ entry: YAMLEntry) -> SectionKey? {
    let keys = entry.value.entries.compactMap { $0.key.scalar?.text }
    func fit(_ section: SectionKey) -> Int {
        let known = section.schema.table?.keys.map(\.name) ?? []
        return keys.count { known.contains($0) }
    }
    let best = SectionKey.all.reversed().max { fit($0) < fit($1) }
    return best.flatMap { fit($0) > 0 && 2 * fit($0) >= keys.count ? $0 : nil }
}

/// The path of the text on standard input, unless `--stdin-filename` sets another one.
private let standardInputPath = "<stdin>"

/// The name of a file up to its ending; a sample name if the source isn't a file.
private func stem(of path: String) -> Substring {
    if path.hasPrefix("<") { return "shop" }
    let name = path.split(separator: "/").last ?? ""
    return name.lastIndex(of: ".").map { name[..<$0] } ?? name
}

extension Diagnostic {
    fileprivate static func noSections(_ root: YAMLNode, in source: SourceFile) -> Self {
        if let text = root.scalar?.text, let entry = entryWithoutColon(text) {
            return Diagnostic(
                .schemaType, message: "`\(text.shortened)` is not in the form `key: value`",
                at: root.range,
                label: "YAML reads this as one string", help: ["write `\(entry)`"],
                fixes: [.rename(root.range, to: entry)])
        }
        let isTOML = root.scalar?.text.contains(#/^ *[\w.]+ *= *\S/#) ?? false
        return Diagnostic(
            .schemaType,
            message: "a rule file must be a map of sections, but \(root.foundClause)",
            at: root.rangeToPointAt(in: source), label: "not a section",
            help: (isTOML
                ? [
                    "use YAML, not TOML, with `key: value` instead of `key = value`, and `popups:` above"
                        + " indented entries instead of `[popups]`"
                ] : []) + [
                    "start the file with `poprules: \(RuleFile.version)`, and add one or more of"
                        + " the sections \(enumeration(SectionKey.all.map(\.name))), such as"
                        + " `popups: { welcome: { trigger: start } }`"
                ])
    }

    /// Tests in a file whose name makes it a rule file.
    fileprivate static func testFile(_ key: YAMLNode, path: String) -> Self {
        Diagnostic(
            .testFileName,
            message: "this file contains tests, but its name does not end in `.test.yaml`",
            at: key.range,
            label: "the first key of a test file",
            help: [
                path == standardInputPath
                    ? "pass a file name that ends in `.test.yaml`, such as"
                        + " `--stdin-filename shop.test.yaml`"
                    : "rename the file, for example to `\(stem(of: path)).test.yaml`"
            ])
    }

    /// A mapping in a file whose name makes it a rule file.
    fileprivate static func mappingFile(_ key: YAMLNode, path: String) -> Self {
        Diagnostic(
            .schemaUnknownKey,
            message: "`\(mappingFileKey)` is the first key of a mapping file, not of a rule file",
            at: key.range,
            label: "marks a mapping file for `poprules backtest`",
            help: [
                RuleFiles.isMappingFile(path)
                    ? "run `poprules validate \(path.quotedForShell)` to check the mapping, and use"
                        + " it with `poprules backtest --mapping \(path.quotedForShell)`"
                    : path == standardInputPath
                        ? "pass a file name that ends in `.mapping.yaml`, such as"
                            + " `--stdin-filename shop.mapping.yaml`"
                        : "rename the file, for example to `\(stem(of: path)).mapping.yaml`, so"
                            + " that poprules reads the file as a mapping file"
            ])
    }

    fileprivate static func noVersion(_ root: YAMLNode) -> Self {
        let start = SourceRange(file: root.range.file, root.range.lower..<root.range.lower)
        let line = "poprules: \(RuleFile.version)"
        return Diagnostic(
            .schemaVersion,
            message: "the file does not declare the version of its format",
            at: root.entries.first?.key.range ?? start,
            label: "`\(line)` is missing above this line",
            help: ["add `\(line)` as the first line"],
            fixes: [
                Fix(
                    "add the line", edits: [.init(start, replacement: line + "\n")],
                    isSafe: hasOnlySections(root))
            ])
    }

    /// Returns true if a file is certainly meant as a rule file: all keys are sections of rules.
    private static func hasOnlySections(_ root: YAMLNode) -> Bool {
        let sections = Set(allSections.map(\.name))
        let names = root.entries.compactMap { $0.key.scalar?.text }
        return !names.isEmpty && names.count == root.entries.count
            && names.allSatisfy { sections.contains($0) || $0.hasPrefix("x-") }
            && names.contains { sections.contains($0) }
    }

    fileprivate static func unknownVersion(_ entry: YAMLEntry) -> Self {
        let range = entry.value.range.isEmpty ? entry.key.range : entry.value.range
        if case .int(let number)? = entry.value.scalar?.value {
            return Diagnostic(
                .schemaVersion, message: "version \(number) of the format is not supported",
                at: range,
                label: "not a supported version",
                help: ["use `poprules: \(RuleFile.version)`, the only version"])
        }
        return Diagnostic(
            .schemaVersion,
            message:
                "`poprules` must be the version of the format, but \(entry.value.foundClause)",
            at: range, label: "not a supported version",
            help: ["use `poprules: \(RuleFile.version)`, the only version"],
            fixes: [.rename(range, to: "\(RuleFile.version)")])
    }

    fileprivate static func unknownSection(
        _ entry: YAMLEntry, isHelped: Bool, indented: Diagnostic.Fix?
    ) -> Self {
        let key = entry.key
        let name = key.nameForMessages
        var diagnostic = Diagnostic(
            .schemaUnknownKey, message: "unknown section `\(name)` in a rule file", at: key.range,
            label: "not a section")
        guard isHelped else { return diagnostic }
        let names = SectionKey.all.map(\.name) + SettingKey.all.map(\.name)
        let similar = similarNames(to: name, among: names + ["poprules"])
        if ["version", "format", "schema_version", "api_version", "apiversion"].contains(
            name.lowercased()), entry.value.kind == .scalar
        {
            let line = "poprules: \(RuleFile.version)"
            diagnostic.help = ["write the version of the format as `\(line)`"]
            return diagnostic
        }
        if sectionsOfTests.contains(name.foldedForNames) {
            diagnostic.label = "belongs in a test file"
            diagnostic.help = [
                "move `\(name)` to a file whose name ends in `.test.yaml`, such as"
                    + " `welcome.test.yaml`, with `poprules_test: 1` as its first line"
            ]
            return diagnostic
        }
        if entry.value.anchorRange != nil, similar.isEmpty {
            let ours = "x-\(key.scalar?.text ?? name)"
            diagnostic.help = [
                "if you only use the values with `*`, rename the section to `\(ours)`; poprules"
                    + " ignores sections whose names start with `x-`"
            ]
            diagnostic.fixes = [.rename(key.range, to: ours)]
            return diagnostic
        }
        if let word = otherNamesOfSections[name.foldedForNames] {
            diagnostic.help = ["use the section `\(word)` instead"]
            if word == "session", let text = entry.value.scalar?.text {
                let timeout = milliseconds(in: text) == nil ? "30m" : text
                diagnostic.help = [
                    "use the section `session` instead, such as `session: { timeout: \(timeout) }`"
                ]
            }
            return diagnostic
        }
        if let home = sectionOfEntry(entry), similar.isEmpty {
            diagnostic.label = "looks like \(withArticle(home.kind))"
            diagnostic.help = [
                "indent `\(name)` and the lines below it, so that they belong to `\(home.name)`"
            ]
            if let indented { diagnostic.fixes = [indented] }
        } else if !similar.isEmpty {
            diagnostic.help = ["did you mean \(alternatives(similar))?"]
        } else if let home = homes(of: name).first {
            diagnostic.help = [
                home == Table.popup.title
                    ? "move `\(name)` below the name of a popup, indented deeper than the name"
                    : "move `\(name)` into \(home), indented deeper"
            ]
        } else {
            diagnostic.help = [
                "use one of the sections \(enumeration(names)); poprules ignores a section whose"
                    + " name starts with `x-`"
            ]
        }
        if similar.count == 1 { diagnostic.fixes = [.rename(key.range, to: similar[0])] }
        return diagnostic
    }
}

/// Sections of test files, folded.
private let sectionsOfTests: Set<String> = ["tests", "test", "personas", "test_cases"]

/// Other common words for sections, folded.
private let otherNamesOfSections = wordTable([
    (
        "control_group global_control_group global_control holdback universal_holdout"
            + " global_holdout", "holdout"
    ),
    ("quiet_hours do_not_disturb dnd silence silent_hours blackout", "quiet"),
    ("sessions session_timeout", "session"),
    ("globals global common shared base", "defaults"),
    (
        "attributes attribute properties traits variables vars facts user_attributes"
            + " user_properties user_traits context_keys user_context", "context"
    ),
    (
        "messages campaigns modals dialogs in_app_messages inapp_messages announcements"
            + " notifications", "popups"
    ),
    ("audiences audience segments cohorts targets", "conditions"),
    ("frequency_caps caps rate_limits global_caps", "limits"),
    ("queues lanes slots surfaces channels placements", "schedulers"),
    ("languages supported_languages", "locales"),
    ("ab_tests abtests split_tests", "experiments"),
])

extension Diagnostic {
    /// Returns the finding about the output of `poprules compile` or `poprules bundle sign`; nil
    /// for anything else.
    package static func bundle(_ root: YAMLNode) -> Self? {
        let isSigned = root.scalar?.text.hasPrefix("popbundle-signed ") ?? false
        let key = root["poprules"] == nil ? root.entries.first?.key : nil
        let isBundle = key?.scalar?.hasText("popbundle") ?? false
        guard isSigned || isBundle else { return nil }
        return Diagnostic(
            .schemaVersion, message: "this is a compiled bundle, not a rule file",
            at: key?.range ?? root.range, label: "the start of a bundle",
            help: [
                "use the rule files that this bundle was compiled from, because bundles are only"
                    + " for apps"
            ])
    }
}

/// Expressions without findings by their strings, so that a string that appears in several places
/// of a large set of files is parsed once.
final class KnownExpressions {
    /// In smaller sets, looking up every condition takes longer than parsing the repeated ones
    /// again.
    private static let bytesWorthLookingUp = 65_536

    private var expressions: [HashedText: Expression] = [:]

    /// Nil where it would not pay.
    init?(forBytes count: Int) {
        if count < Self.bytesWorthLookingUp { return nil }
    }

    subscript(text: HashedText) -> Expression? { expressions[text] }

    /// Adds an expression, or returns the earlier one.
    func note(_ expression: Expression, for text: HashedText) -> Expression? {
        Self.fill(&expressions[text], with: expression)
    }

    /// By reference, so that the text is looked up once.
    private static func fill(
        _ place: inout Expression?, with expression: Expression
    ) -> Expression? {
        if let first = place { return first }
        place = expression
        return nil
    }
}

/// A string that is hashed once, however often it is looked up: the strings of conditions are long.
struct HashedText: Hashable, Sendable {
    private let hash: Int
    private let text: String

    init(_ text: String) {
        hash = text.hashValue
        self.text = text
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
