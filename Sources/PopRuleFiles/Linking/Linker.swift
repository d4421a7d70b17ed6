internal import PopScheduler
public import PopSource
internal import PopYAML

extension RuleModel {
    /// Merges files into one rule set and looks for names that are defined twice, for references
    /// that lead nowhere, and for popups that wait for each other in a circle.
    public static func link(
        _ files: [RuleFile], sources: SourceSet, limits: RuleFileLimits = .standard
    ) -> Checked<RuleModel> {
        var linker = Linker(sources: sources, limits: limits)
        linker.merge(files)
        if linker.isRefused { return Checked(nil, diagnostics: linker.diagnostics) }
        linker.checkReferences()
        linker.checkOrder()
        return Checked(linker.model, diagnostics: linker.diagnostics)
    }
}

/// The state of linking: the model so far and the findings.
struct Linker {
    var model: RuleModel
    var diagnostics = Diagnostics()
    let limits: RuleFileLimits
    /// The number of further names that are compared with the existing ones.
    var suggestions: Int
    /// The file that is being checked, and the places of undefined names in it: `defaults` are
    /// checked for each popup, and reported once.
    var strays: (file: FileID?, places: Set<SourceRange>) = (nil, [])
    /// True if the files together have more entries than the limit.
    private(set) var isRefused = false

    init(sources: SourceSet, limits: RuleFileLimits) {
        model = RuleModel(sources: sources)
        self.limits = limits
        suggestions = limits.suggestions
    }

    /// Merges the declarations of the files, each name once.
    mutating func merge(_ files: [RuleFile]) {
        let schedulers = files.flatMap(\.schedulers)
        let isMainDeclared = schedulers.contains { $0.name.value == RuleModel.mainScheduler }
        model.schedulers = section(
            of: [isMainDeclared ? [] : [.implicitMain], schedulers], "scheduler")
        model.context = section(of: files.map(\.context), "context key")
        model.templates = section(of: files.map(\.templates), "template")
        model.events = section(of: files.map(\.events), "event")
        model.conditions = section(of: files.map(\.conditions), "condition")
        model.groups = section(of: files.map(\.groups), "group")
        model.layers = section(of: files.map(\.layers), "layer")
        model.experiments = section(of: files.map(\.experiments), "experiment")
        if let excess = excessOfDefaults(in: files) {
            diagnostics.report(excess)
            isRefused = true
            return
        }
        model.popups = section(of: files.map { withDefaultsOfGroups($0.popups) }, "popup")
        model.defaults = files.compactMap(\.defaults)
        model.limits = files.flatMap(\.limits)
        model.holdout = single("holdout", of: files.compactMap(\.holdout))
        model.quiet = single("quiet", of: files.compactMap(\.quiet))
        model.session = single("session", of: files.compactMap(\.session))
        model.locales = single("locales", of: files.compactMap(\.locales))
        model.conditionsMentionHistory = files.contains(where: \.conditionsMentionHistory)
        model.conditionsRepeat = files.contains(where: \.conditionsRepeat)
        if isRefused { return }
        checkNames()
        checkLocales()
        checkLayers()
    }

    /// Returns the value of a key that a rule set may have once; reports the others.
    private mutating func single<Value>(
        _ name: String, of values: [Located<Value>]
    ) -> Located<Value>? {
        for again in values.dropFirst() {
            diagnostics.report(.writtenTwice(name, again: again.range, first: values[0].range))
        }
        return values.first
    }

    private mutating func section<Entry: Declaration>(
        of files: [[Entry]], _ kind: String
    ) -> Section<Entry> {
        var section = Section<Entry>()
        // A key path would be made again for every section: 12,000 instructions.
        let limit = limits.entries(of: kind)
        if files.reduce(0, { $0 + $1.count }) > limit {
            let all = files.joined()
            let tooMany = all[all.index(all.startIndex, offsetBy: limit)]
            diagnostics.report(.tooMany(kind, limit: limit, at: tooMany.name.range))
            isRefused = true
            return section
        }
        for (again, first) in section.take(files) {
            diagnostics.report(.definedTwice(kind, name: again.name, first: first.name.range))
        }
        return section
    }

    /// Keys and conditions share their names: each once, and none is the beginning of another.
    private mutating func checkNames() {
        for condition in model.conditions.entries {
            if let key = model.context[condition.name.value] {
                diagnostics.report(.keyAndCondition(condition.name, key: key.name.range))
            }
        }
        for key in model.context.entries { checkBeginning(of: key.name) }
        for condition in model.conditions.entries { checkBeginning(of: condition.name) }
    }

    private mutating func checkBeginning(of name: Located<String>) {
        let bytes = name.value.utf8
        for offset in bytes.indices where bytes[offset] == UInt8(ascii: ".") {
            let prefix = String(name.value[..<offset])
            if let key = model.context[prefix] {
                diagnostics.report(
                    .prefix(prefix, kind: "context key", shorter: key.name.range, of: name))
                return
            }
            if let condition = model.conditions[prefix] {
                diagnostics.report(
                    .prefix(prefix, kind: "condition", shorter: condition.name.range, of: name))
                return
            }
        }
    }
}

extension SchedulerModel {
    /// The scheduler that exists although no file declares it.
    fileprivate static let implicitMain = SchedulerModel(
        name: Located(
            RuleModel.mainScheduler, at: SourceRange(file: FileID(index: 0), 0..<0)))
}

extension Diagnostic {
    static func tooMany(_ kind: String, limit: Int, at range: SourceRange) -> Self {
        Diagnostic(
            .schemaLimit, message: "the rule set has more than \(limit) \(kind)s", at: range,
            label: "the first one above the limit", notes: ["nothing else was checked"])
    }

    fileprivate static func definedTwice(
        _ kind: String, name: Located<String>, first: SourceRange
    ) -> Self {
        Diagnostic(
            .refDuplicateID, message: "the \(kind) `\(name.value)` is defined twice",
            at: name.range,
            label: "defined a second time", subject: "\(kind) `\(name.value)`",
            secondary: [Label("first defined here", at: first)],
            help: ["rename or remove one of the two; only the first is used"])
    }

    fileprivate static func writtenTwice(
        _ name: String, again: SourceRange, first: SourceRange
    ) -> Self {
        Diagnostic(
            .refDuplicateID, message: "`\(name)` appears twice in the rules", at: again,
            label: "appears a second time", secondary: [Label("first appears here", at: first)],
            help: [
                "keep only one `\(name)`, because `\(name)` applies to all files; only the"
                    + " first is used"
            ])
    }

    fileprivate static func keyAndCondition(_ name: Located<String>, key: SourceRange) -> Self {
        Diagnostic(
            .refDuplicateID,
            message: "`\(name.value)` is the name of a condition and of a context key",
            at: name.range, label: "the condition",
            secondary: [Label("the context key", at: key)],
            help: [
                "rename the condition or the context key, because an expression cannot use the"
                    + " same name for both"
            ])
    }

    fileprivate static func prefix(
        _ prefix: String, kind: String, shorter: SourceRange, of name: Located<String>
    ) -> Self {
        Diagnostic(
            .refKeyPrefix,
            message: "`\(name.value)` starts with the name of the \(kind) `\(prefix)`",
            at: name.range, label: "cannot be used together with `\(prefix)`",
            secondary: [Label("`\(prefix)` is declared here", at: shorter)],
            help: [
                "rename one of the keys, for example `\(prefix)` to `\(prefix).value`"
            ]
        )
    }
}

/// A key by which a popup is meant to take the place of others, such as `preempt: true`.
struct PrecedenceClaim: Sendable {
    var key: Located<String>
    /// True if the value claims precedence, false if it denies it.
    var isMeant: Bool
    /// The popups that the value names.
    var names: [String]
}

/// Keys of other tools with the meaning that `switch` has for the preempted popup.
private let precedenceWords: Set = [
    "preempt", "preempts", "preemptive", "interrupt", "interrupts", "interruptive",
    "can_interrupt", "override", "overrides", "replace", "replaces", "take_over", "takes_over",
    "supersede", "supersedes", "force", "forced", "steal", "evict", "evicts", "urgent", "immediate",
]

extension Decoder {
    /// Notes a key of a popup that claims precedence over others; the help depends on the others.
    mutating func takesPlace(_ entry: YAMLEntry, in table: TableSchema) -> Bool {
        guard let name = entry.key.scalar?.text, table.title == "a popup",
            precedenceWords.contains(name.foldedForNames)
        else { return false }
        let texts = ([entry.value] + entry.value.items).compactMap { $0.scalar?.text }
        if texts.contains(where: { PopupRule.Switch(rawValue: $0) != nil }) { return false }
        let words = ["true", "false", "yes", "no", "on", "off", "always", "never", ""]
        claim = PrecedenceClaim(
            key: Located(name, at: entry.key.range),
            isMeant: !["false", "no", "off", "never"].contains(texts.first ?? ""),
            names: texts.filter { !words.contains($0.lowercased()) })
        return true
    }
}

extension Linker {
    /// Reports a popup that is written to take the place of others.
    mutating func check(_ claim: PrecedenceClaim, of popup: PopupModel) {
        suggestions -= 1
        var others: [PopupModel] = []
        if suggestions >= 0 {
            let own = popup.priority?.value ?? PopupRule.normalPriority
            let lane = popup.place.scheduler?.value ?? RuleModel.mainScheduler
            others = model.popups.entries.filter { other in
                (other.place.scheduler?.value ?? RuleModel.mainScheduler) == lane
                    && (other.priority?.value ?? PopupRule.normalPriority) < own
                    && (claim.names.isEmpty || claim.names.contains(other.name.value))
            }
        }
        diagnostics.report(.takesPlace(claim, of: popup, others: others.map(\.name.value)))
    }
}

extension Diagnostic {
    fileprivate static func takesPlace(
        _ claim: PrecedenceClaim, of popup: PopupModel, others: [String]
    ) -> Self {
        let name = popup.name.value
        var help = [
            "remove `\(claim.key.value)`, because by default a popup waits until the visible popup"
                + " ends"
        ]
        if claim.isMeant {
            help = [
                others.isEmpty
                    ? "give `\(name)` a higher `priority`, and add `switch: latent` to each popup"
                        + " that it must replace"
                    : "add `switch: latent` (the popup comes back later) or `switch: discard` (the"
                        + " popup is dropped) to each popup that must give way, such as"
                        + " \(enumeration(others, atMost: 5))"
            ]
            // An urgent popup chooses no popups.
            if claim.names.isEmpty {
                help.append(
                    "add `urgent: true` to `\(name)` if it must replace any visible popup of lower"
                        + " `priority`, regardless of that popup's `switch`")
            }
        }
        return Diagnostic(
            .schemaUnknownKey, message: "unknown key `\(claim.key.value)` in a popup",
            at: claim.key.range,
            label: "not a key of a popup", subject: "popup `\(name)`",
            notes: claim.isMeant
                ? [
                    "a popup cannot name the popups that it replaces: a popup with a lower priority"
                        + " gives way if its own `switch` is `latent` or `discard`"
                ] : [],
            help: help)
    }
}

extension Diagnostics {
    /// The same findings; those about an unknown anchor name the other file that has it.
    ///
    /// Files are searched only when there is such a finding.
    func namingAnchorsElsewhere(in sources: [SourceFile]) -> Diagnostics {
        guard list.contains(where: { $0.check == .yamlUndefinedAlias }) else { return self }
        var searches = 10
        return Diagnostics(
            list.map { finding in
                guard finding.check == .yamlUndefinedAlias, searches > 0,
                    let own = sources.first(where: { $0.id == finding.range.file })
                else { return finding }
                searches -= 1
                let anchor = "&" + own.text(in: finding.range).dropFirst()
                guard
                    let other = sources.first(where: { $0.id != own.id && $0.defines(anchor) })
                else { return finding }
                var named = finding
                // It isn't a string that starts with `*`, nor another name.
                named.fixes = []
                named.help = [
                    "write the value itself here, or move the value with `\(anchor)` to this"
                        + " file, because `\(anchor)` in `\(other.path)` works only in that file"
                ]
                return named
            })
    }
}

extension SourceFile {
    /// Returns true if the file has an anchor of this name.
    fileprivate func defines(_ anchor: String) -> Bool {
        let wanted = Array(anchor.utf8)
        let ends = Array(" \n\r\t,]}".utf8)
        return bytes.indices.contains { start in
            bytes[start] == UInt8(ascii: "&") && bytes[start...].starts(with: wanted)
                && (start + wanted.count == bytes.count
                    || ends.contains(bytes[start + wanted.count]))
        }
    }
}
