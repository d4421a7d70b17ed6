internal import PopScheduler
internal import PopSource
internal import PopYAML

/// The word with `a` or `an` before it.
func withArticle(_ word: String) -> String {
    (word.first.map { "aeiou".contains($0) } ?? false ? "an " : "a ") + word
}

/// A top-level section of a rule file: a map from names to entries.
struct SectionKey: Sendable {
    let name: String
    /// The noun for an entry, such as "popup".
    let kind: String
    let form: NameForm
    let summary: String
    let schema: Schema
    /// The names of an entry's keys, where it has a table of them.
    let keys: WordList?
    /// True if an entry may have no value.
    let takesNothing: Bool
    /// Reads one entry into the file.
    let read: @Sendable (Located<String>, YAMLNode, inout RuleFile, inout Decoder) -> Void
    /// Makes room for as many entries.
    let reserve: @Sendable (Int, inout RuleFile) -> Void

    init<Entry: Declaration>(
        _ name: String, of kind: String, form: NameForm, schema: Schema,
        change: @escaping @Sendable (inout RuleFile, (inout [Entry]) -> Void) -> Void,
        summary: String,
        takesNothing: Bool = false,
        read: @escaping @Sendable (Located<String>, YAMLNode, inout Decoder) -> Entry?
    ) {
        self.name = name
        self.kind = kind
        self.form = form
        self.schema = schema
        keys = schema.table.map { WordList($0.keys.map(\.name)) }
        self.takesNothing = takesNothing
        self.summary = summary
        self.read = { name, node, file, decoder in
            // Taken out, because a closure that reads it copies it.
            var entry = read(name, node, &decoder)
            change(&file) { entries in
                if let entry = entry.take() { entries.append(entry) }
            }
        }
        reserve = { count, file in change(&file) { $0.reserveCapacity(count) } }
    }
}

extension SectionKey {
    static func named(_ name: String) -> SectionKey? { all.first { $0.name == name } }

    /// Every section, in the order in which the format's documentation names them.
    static let all: [SectionKey] = [
        SectionKey(
            "schedulers", of: "scheduler", form: .id, schema: .table(Table.scheduler.schema),
            change: { $1(&$0.schedulers) },
            summary: "the schedulers, each of which shows one popup at a time"
        ) { name, node, decoder in
            var scheduler = SchedulerModel(name: name)
            decoder.readEntry(.scheduler, at: node, into: &scheduler)
            if let tieBreak = scheduler.tieBreak, let strategy = scheduler.strategy,
                strategy.value != .priority
            {
                decoder.report(.tieBreakWithoutPriorities(tieBreak.range, strategy: strategy))
            }
            return scheduler
        },
        SectionKey(
            "context", of: "context key", form: .dotted,
            schema: .either([Format.type.schema, .table(Table.contextKey.schema)]),
            change: { $1(&$0.context) },
            summary: "the keys that conditions may read, with their types"
        ) { name, node, decoder in decoder.contextKey(name, at: node) },
        SectionKey(
            "templates", of: "template", form: .id, schema: .table(Table.template.schema),
            change: { $1(&$0.templates) },
            summary: "the kinds of popups, with the fields of their content"
        ) { name, node, decoder in
            var template = TemplateModel(name: name)
            decoder.readEntry(.template, at: node, into: &template)
            template.isBroken = decoder.diagnostics.hasErrors
            return template
        },
        SectionKey(
            "events", of: "event", form: .dotted, schema: Format.fields.schema,
            change: { $1(&$0.events) },
            summary: "the events that the app sends, with the fields of their payload",
            takesNothing: true
        ) { name, node, decoder in
            let fields = decoder.read(.fields, at: node)?.value
            return EventModel(
                name: name, fields: fields ?? [], isBroken: decoder.diagnostics.hasErrors)
        },
        SectionKey(
            "conditions", of: "named condition", form: .dotted, schema: .condition,
            change: { $1(&$0.conditions) },
            summary: "conditions with names, which other conditions may use"
        ) { name, node, decoder in
            decoder.read(.condition, at: node)
                .map { NamedConditionModel(name: name, condition: $0.value) }
        },
        SectionKey(
            "groups", of: "group", form: .id, schema: .table(Table.group.schema),
            change: { $1(&$0.groups) },
            summary: "the groups of popups that share a condition and a cap", takesNothing: true
        ) { name, node, decoder in
            var group = GroupModel(name: name)
            if !node.isNull { decoder.readEntry(.group, at: node, into: &group) }
            return group
        },
        SectionKey(
            "layers", of: "layer", form: .id, schema: .table(Table.layer.schema),
            change: { $1(&$0.layers) },
            summary:
                "the layers; no user takes part in two experiments of the same layer"
        ) { name, node, decoder in
            var layer = LayerModel(name: name)
            decoder.readEntry(.layer, at: node, into: &layer)
            return layer
        },
        SectionKey(
            "experiments", of: "experiment", form: .id,
            schema: .table(Table.namedExperiment.schema), change: { $1(&$0.experiments) },
            summary:
                "experiments that several popups share, so that a user gets the same variant in all"
                + " of these popups"
        ) { name, node, decoder in
            var experiment = NamedExperimentModel(name: name)
            decoder.readEntry(.namedExperiment, at: node, into: &experiment)
            decoder.checkRange(of: experiment.division, in: node)
            decoder.checkParts(
                control: experiment.division.control,
                weights: (experiment.variants?.value ?? []).map(\.weight))
            return experiment
        },
        SectionKey(
            "popups", of: "popup", form: .id, schema: .table(Table.popup.schema.unsettable),
            change: { $1(&$0.popups) },
            summary: "the popups and the rules by which they show"
        ) { name, node, decoder in
            var popup = PopupModel(name: name)
            decoder.readPopup(at: node, into: &popup)
            if let claim = decoder.claim.take() { popup.checks.claim = claim }
            return consume popup
        },
    ]
}

extension Decoder {
    /// Reads a section that is a map from names to entries.
    mutating func read(_ section: SectionKey, at node: YAMLNode, into file: inout RuleFile) {
        if node.isNull { return }
        guard node.kind == .mapping else {
            report(.noEntries(section, at: node, example: entryInList(node), in: source))
            readList(node, of: section, into: &file)
            return
        }
        let entries = node.entries
        let limit = limits.entries(of: section.kind)
        if entries.count > limit {
            report(.tooMany(section.kind, limit: limit, at: entries[limit].key.range))
            file.isRefused = true
            return
        }
        section.reserve(entries.count, &file)
        var index = 0
        while index < entries.count {
            // Apart from each other: an entry is taken apart by copying both.
            let key = entries.key(at: index)
            let value = entries.value(at: index)
            let strays = keysNotIndented(entries, behind: index, in: section)
            index += 1 + strays.count
            // A mistake in the indentation has been reported.
            if !strays.isEmpty, !value.isBroken {
                report(.notIndented(key, keys: strays, beside: value, in: section))
            }
            if let name = name(key, of: section.kind, form: section.form) {
                // An entry that lost its keys exists; its missing keys have been reported.
                read(
                    section, name: name, key: key, value: value,
                    isSilent: !strays.isEmpty && value.isNull, into: &file)
            }
        }
    }

    /// Reads the items of a list as entries, although it has been reported that they aren't:
    /// references to them are not to be reported too.
    private mutating func readList(
        _ node: YAMLNode, of section: SectionKey, into file: inout RuleFile
    ) {
        guard node.items.count <= limits.entries else { return }
        for item in node.items where !item.isAlias {
            guard let key = nameOfItem(item),
                let name = silently({ $0.name(key, of: section.kind, form: section.form) })
            else { continue }
            silently { section.read(name, item, &file, &$0) }
        }
    }

    /// The name of an entry that is an item of a list: the item, or the value of its `name`.
    private func nameOfItem(_ item: YAMLNode) -> YAMLNode? {
        if item.kind == .scalar { return item }
        let named = item.entries.first {
            ["name", "id", "key"].contains($0.key.scalar?.text ?? "")
        }
        return named?.value
    }

    /// The entries that the first items of a list are meant for, as a map; nil when that is long.
    private func entryInList(_ node: YAMLNode) -> String? {
        let entries = node.items.prefix(3).map { item -> String? in
            guard let name = nameOfItem(item)?.scalar?.text, NameForm.dotted.fits(name.utf8) else {
                return nil
            }
            if item.kind == .scalar { return "\(name): {}" }
            let rest = item.entries.filter { entry in
                !["name", "id", "key"].contains(entry.key.scalar?.text ?? "")
            }
            let parts = rest.map { onOneLine($0) }
            let inner = parts.compactMap(\.self).joined(separator: ", ")
            return parts.contains(nil) ? nil : "\(name): \(inner.isEmpty ? "{}" : "{ \(inner) }")"
        }
        guard !entries.isEmpty, !entries.contains(nil) else { return nil }
        let text = entries.compactMap(\.self).joined(separator: ", ")
        return text.utf8.count <= 120 ? text : entries[0]
    }

    private mutating func read(
        _ section: SectionKey, name: Located<String>, key: YAMLNode,
        value: YAMLNode, isSilent: Bool, into file: inout RuleFile
    ) {
        if isSilent {
            return silently { section.read(name, value, &file, &$0) }
        }
        about("\(section.kind) `\(name.value)`") { decoder in
            decoder.inside(key: key) { decoder in section.read(name, value, &file, &decoder) }
        }
    }

    /// The keys that follow an entry and are meant to be in it: after an entry with keys of its
    /// own, only keys with values that no entry has.
    private func keysNotIndented(
        _ entries: YAMLEntries, behind index: Int, in section: SectionKey
    ) -> [YAMLNode] {
        guard let keys = section.keys, index + 1 < entries.count,
            keys.index(ofKeyAt: index + 1, in: entries) != nil
        else { return [] }
        let value = entries.value(at: index)
        if !value.isNull {
            guard case .table = section.schema, value.kind == .mapping, !value.entries.isEmpty,
                keys.index(ofKeyAt: index, in: entries) == nil
            else { return [] }
        }
        let strays = entries[(index + 1)...].prefix { entry in
            guard keys.index(of: entry.key) != nil else { return false }
            if value.isNull { return true }
            let inner = entry.value.entries
            let isEntry =
                entry.value.kind == .mapping
                && (inner.isEmpty || inner.contains { keys.index(of: $0.key) != nil })
            return !entry.value.isNull && !entry.value.isBroken && !isEntry
        }
        return strays.map(\.key)
    }

    /// Reads the map of an entry; the entry exists even if its value isn't a map.
    fileprivate mutating func readEntry<Entry: Declaration>(
        _ table: Table<Entry>, at node: YAMLNode, into entry: inout Entry
    ) {
        if node.isBroken { return }
        if node.kind == .mapping {
            read(table, at: node, into: &entry)
        } else {
            report(.noMap(entry.name, table: table.schema, at: node, in: source))
        }
    }

    /// Reads a popup, and the defaults that its file has for it.
    fileprivate mutating func readPopup(at node: YAMLNode, into popup: inout PopupModel) {
        if node.kind == .mapping {
            let defaults = defaults
            popup.written = readKeys(of: .popup, at: node, into: &popup) {
                index, value, entries in
                value.isNull && !value.range.isEmpty
                    && (defaults?.has(index) == true || entries.isInGroup(orBy: defaults))
            }
            adviseOnDefaults(in: node)
        } else {
            readEntry(.popup, at: node, into: &popup)
        }
        if let defaults { take(defaults, into: &popup) }
    }
}

extension YAMLEntries {
    /// Returns true if the keys of a popup name its group, or its file does.
    fileprivate func isInGroup(orBy defaults: DefaultsModel?) -> Bool {
        contains { $0.key.scalar?.hasText("group") == true }
            || defaults?.names.contains { $0.value == "group" } == true
    }
}

extension Diagnostic {
    fileprivate static func tieBreakWithoutPriorities(
        _ range: SourceRange, strategy: Located<SchedulerRule.Strategy>
    ) -> Self {
        let name = strategy.value.rawValue
        return Diagnostic(
            .schemaExclusiveKeys, message: "`tie_break` has no effect with `strategy: \(name)`",
            at: range,
            label: "works only with `strategy: priority`",
            secondary: [Label("the strategy is `\(name)`", at: strategy.range)],
            help: ["remove `tie_break`, or write `strategy: priority`"])
    }

    /// A section that is not a map from names to entries.
    fileprivate static func noEntries(
        _ section: SectionKey, at node: YAMLNode, example: String?, in source: SourceFile
    ) -> Self {
        let kind = section.kind
        let isUsable = section.takesNothing || example?.contains(": {}") == false
        return Diagnostic(
            .schemaType,
            message:
                "`\(section.name)` must be a map with one entry per \(kind), but \(node.foundClause)",
            at: node.rangeToPointAt(in: source),
            help: [
                node.kind == .sequence
                    ? "write each \(kind) as its name and a `:` instead of an item of a list"
                        + ((isUsable ? example : nil).map {
                            ", such as `\(section.name): { \($0) }`"
                        } ?? ", and indent its keys below the name")
                    : "write the name of each \(kind) with `:` below `\(section.name)`, indented"
                        + " deeper"
            ])
    }

    fileprivate static func notIndented(
        _ entry: YAMLNode, keys: [YAMLNode], beside value: YAMLNode, in section: SectionKey
    ) -> Self {
        let name = entry.nameForMessages
        let stray = keys[0].nameForMessages
        var finding = Diagnostic(
            .schemaType, message: "the keys of the \(section.kind) `\(name)` are not indented",
            at: keys[0].range, label: "indented too little",
            secondary: [
                Label(
                    "the \(section.kind) that the \(keys.count == 1 ? "key belongs" : "keys belong") to",
                    at: entry.range)
            ]
                + keys.dropFirst().prefix(4).map {
                    Label("also indented too little", at: $0.range)
                },
            help: ["indent the keys deeper than `\(name)`"])
        guard let other = value.entries.last?.key else { return finding }
        let strays = enumeration(keys.map { $0.nameForMessages }, atMost: 5)
        finding.message =
            "`\(stray)` belongs inside the \(section.kind) `\(name)`"
        finding.help = [
            value.isFlow
                ? "move \(strays) into the braces of `\(name)`"
                : "move \(strays) to the right, to the same column as `\(other.nameForMessages)`"
        ]
        return finding
    }

    /// An entry that is not a map.
    fileprivate static func noMap(
        _ name: Located<String>, table: TableSchema, at node: YAMLNode, in source: SourceFile
    ) -> Self {
        var diagnostic = Diagnostic(
            .schemaType,
            message: "`\(name.value)` must be a map with \(table.keyList)"
                + (node.isNull ? ", but has no value" : ""),
            at: node.isNull ? name.range : node.rangeToPointAt(in: source),
            label: node.isNull ? "nothing is below this key" : "this \(node.foundClause)",
            help: [
                "write the keys of \(table.title) below `\(name.value)`, indented deeper"
                    + (node.isNull ? ", or use `{}` if it needs no keys" : "")
            ])
        if !node.isNull, table.keys.contains(where: { $0.name == name.value }) {
            diagnostic.help = [
                "move `\(name.value)` below the name of \(table.title), because a key at this level"
                    + " is read as the name of \(table.title)"
            ]
        }
        if let entry = node.isPlain ? table.entryWithoutColon(node) : nil, !entry.contains(": :") {
            diagnostic.help = ["write `\(entry)`, with a colon and a space after the key"]
            diagnostic.fixes = [.rename(node.range, to: entry)]
        }
        return diagnostic
    }
}

/// A top-level key of a rule file that isn't a map of entries.
struct SettingKey: Sendable {
    let name: String
    let summary: String
    let schema: Schema
    /// Reads the value of the key into the file.
    let read: @Sendable (YAMLNode, inout RuleFile, inout Decoder) -> Void

    init<Value>(
        _ name: String, format: Format<Value>, summary: String,
        store: @escaping @Sendable (inout RuleFile, Located<Value>) -> Void
    ) {
        self.name = name
        self.summary = summary
        schema = format.schema
        read = { node, file, decoder in
            if let value = decoder.read(format, at: node) { store(&file, value) }
        }
    }

    static func named(_ name: String) -> SettingKey? { all.first { $0.name == name } }

    /// In the order in which the format's documentation names them.
    static let all: [SettingKey] = [
        SettingKey(
            "defaults", format: .defaults(.fileDefaults),
            summary: "default values of keys, for all popups of this file"
        ) { $0.defaults = $1 },
        SettingKey(
            "limits", format: .sharedLimits,
            summary:
                "how many popups a user may see in a period, on all schedulers or on some of them"
        ) { $0.limits += $1.value },
        SettingKey(
            "holdout", format: .table(.holdout, startingWith: HoldoutModel()),
            summary: "the users who see only popups that are `essential`"
        ) { $0.holdout = $1 },
        SettingKey(
            "quiet", format: .quiet,
            summary: "a part of each day in which popups are not shown"
        ) { $0.quiet = $1 },
        SettingKey(
            "session", format: .table(.session, startingWith: SessionModel()),
            summary: "when a session starts"
        ) { $0.session = $1 },
        SettingKey(
            "locales", format: .locales,
            summary: "the languages of localized content"
        ) { $0.locales = $1 },
    ]
}

/// A top-level key of a rule file: its purpose, its value, and the things that it declares.
package struct TopLevelKey: Sendable {
    package let name: String
    package let summary: String
    package let schema: Schema
    /// The noun for each entry, such as "popup"; nil for a key that isn't a section.
    package let kind: String?

    package init(_ name: String, summary: String, schema: Schema, kind: String? = nil) {
        self.name = name
        self.summary = summary
        self.schema = schema
        self.kind = kind
    }

    /// In the order in which the format's documentation names them.
    package static let all: [TopLevelKey] =
        SectionKey.all.map { section in
            TopLevelKey(
                section.name, summary: section.summary,
                schema: .map(section.schema, keys: .declared(section.form)), kind: section.kind)
        }
        + SettingKey.all.map { setting in
            TopLevelKey(setting.name, summary: setting.summary, schema: setting.schema)
        }
}

/// The words by which the value of a key is compared in the map form of a condition.
package let matcherWords = Matcher.allCases.map(\.rawValue)

/// The words that combine conditions in their map form.
package let combinerWordsOfConditions = combiners
