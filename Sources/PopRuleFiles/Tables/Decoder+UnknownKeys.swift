internal import PopSource
internal import PopYAML

extension Decoder {
    /// Reports keys without meaning and returns the keys that were probably meant.
    mutating func reportUnknown(
        _ entries: [YAMLEntry], of node: YAMLNode, in table: TableSchema,
        beside present: [String]
    ) -> Set<String> {
        var meant: Set<String> = []
        var misplaced: [String: [YAMLEntry]] = [:]
        let (others, joined) = parts(of: entries, table)
        meant.formUnion(joined)
        let entries = withoutCapPerPeriod(others, in: table)
        for entry in entries {
            let key = entry.key
            let name = key.nameForMessages
            guard takeSuggestion() else {
                report(.unknownKey(key, title: table.title))
                continue
            }
            if let keys = reportMiswritten(entry, of: node, in: table) {
                meant.formUnion(keys)
                continue
            }
            if let swapped = swappedKey(entry, of: node, in: table) {
                meant.insert(swapped)
                var finding = Diagnostic.unknownKey(key, title: table.title)
                finding.help = ["write these names the other way round: `\(swapped): \(name)`"]
                report(finding)
                continue
            }
            let similar = table.key(alsoCalled: name, for: entry.value).map { [$0.name] }
            if similar == nil, node.entries.count == 1, let item = namedItem(entry, table: table) {
                meant.formUnion(table.keys.filter(\.isRequired).map(\.name))
                var finding = Diagnostic.unknownKey(key, title: table.title)
                finding.help = ["write `\(item)`"]
                report(finding)
                continue
            }
            if let holder = table.keys.first(where: { $0.holds.contains(name) }),
                similar == nil || present.contains(holder.name)
            {
                misplaced[holder.name, default: []].append(entry)
                continue
            }
            let names = similar ?? table.names(like: name)
            meant.formUnion(names)
            report(
                unknownKey(
                    entry, of: node, in: table, beside: present, similar: names,
                    isOtherName: similar != nil))
        }
        for holder in table.keys {
            if let keys = misplaced[holder.name] {
                report(.misplacedKeys(keys, holder: holder, title: table.title))
            }
        }
        return meant
    }

    /// Returns the finding about a key with another name, or with an unknown name.
    private func unknownKey(
        _ entry: YAMLEntry, of node: YAMLNode, in table: TableSchema, beside present: [String],
        similar: [String], isOtherName: Bool
    ) -> Diagnostic {
        var finding = Diagnostic.unknownKey(
            entry, in: table, beside: present, similar: similar, isOtherName: isOtherName)
        if let help = helpOnFirstEvents(entry, of: node, in: table) {
            finding.help = [help]
            finding.fixes = []
            return finding
        }
        let meant = table.keys.first { $0.name == similar.first }
        if isOtherName, let meant, let trigger = eventTrigger(entry, of: node, meant: meant) {
            finding.help = [trigger]
            finding.fixes = []
            return finding
        }
        if isOtherName, case .condition? = meant?.schema {
            let comparisons = comparisonsSpelledOut(in: entry.value, depth: 8).prefix(3)
            if !comparisons.isEmpty {
                // An example is not needed next to the author's own comparisons.
                finding.help = Array(finding.help.prefix(1))
                finding.help.append(
                    "write the comparisons as \(enumeration(Array(comparisons)))")
            }
        }
        return finding
    }

    /// Help on a trigger that should fire from a certain event on, such as `from: 3`.
    private func helpOnFirstEvents(
        _ entry: YAMLEntry, of node: YAMLNode, in table: TableSchema
    ) -> String? {
        let names = ["from", "min", "at_least", "minimum", "starting_at", "after_count", "skip"]
        guard table.title == Table.trigger.title,
            names.contains(entry.key.nameForMessages.foldedForNames),
            let number = entry.value.scalar.flatMap({ Int($0.text) }), number > 0,
            let event = node.entries.first(where: { $0.key.scalar?.hasText("event") == true })?
                .value.scalar?.text, NameForm.dotted.fits(event.utf8)
        else { return nil }
        let all =
            node["where"] == nil ? "" : ", which also counts events that `where` does not match"
        return "remove `\(entry.key.nameForMessages)`; for each event from number \(number) on, use"
            + " the condition `event_count(\"\(event)\") >= \(number)` in `when`\(all); for only"
            + " that event, use `nth: \(number)`"
    }

    /// The comparisons in a value in the form `{ field: …, op: …, value: … }`.
    private func comparisonsSpelledOut(in node: YAMLNode, depth: Int) -> [String] {
        guard depth > 0, !node.isAlias, node.entries.count + node.items.count <= 20 else {
            return []
        }
        if let text = spelledOut(node) { return [text] }
        // Comparisons that must not hold are written differently.
        let isExclusion = node.entries.contains {
            namesOfExclusions.contains($0.key.nameForMessages.foldedForNames)
        }
        if isExclusion { return [] }
        let parts = node.items.map { $0 } + node.entries.map(\.value)
        return parts.flatMap { comparisonsSpelledOut(in: $0, depth: depth - 1) }
    }

    /// Reports keys of a cap for how often something shows in which period, and returns the others.
    private mutating func withoutCapPerPeriod(
        _ entries: [YAMLEntry], in table: TableSchema
    ) -> [YAMLEntry] {
        guard let windows = table.keys.first(where: { $0.name == "windows" }) else {
            return entries
        }
        let words = namesOfCounts.union(namesOfPeriods)
        let parts = entries.filter { words.contains($0.key.nameForMessages.foldedForNames) }
        guard parts.count == 2, windowText(parts) != nil else { return entries }
        report(.misplacedKeys(parts, holder: windows, title: table.title))
        return entries.filter { entry in !parts.contains { $0.key.range == entry.key.range } }
    }

    /// Reports a key that isn't a name but a part of something else, or more than a name; returns
    /// the keys that were probably meant, and nil for other keys.
    private mutating func reportMiswritten(
        _ entry: YAMLEntry, of node: YAMLNode, in table: TableSchema
    ) -> [String]? {
        let key = entry.key
        if isRestOfNumber(key) {
            let start = beginningOfNumber(key)
            let cut = node.entries.first { $0.value.range.lower == start }?.key.nameForMessages
            let schema = table.keys.first { $0.name == cut }?.schema
            let number = CutNumber(from: start, rest: key, schema: schema ?? .any)
            report(.restOfNumber(number, title: table.title, in: source))
            return []
        }
        if takesPlace(entry, in: table) { return [] }
        if entry.isKeyAlone(in: source), let text = table.entryWithoutColon(key) {
            report(.withoutColon(text, key: key, title: table.title))
            return table.keys.first { text.hasPrefix("\($0.name):") }.map { [$0.name] } ?? []
        }
        if let dotted = keyInName(entry, in: table) {
            report(dotted)
            return []
        }
        return nil
    }

    /// Where the number begins that a comma cuts in front of a key.
    private func beginningOfNumber(_ key: YAMLNode) -> Int {
        var start = key.range.bytes.lowerBound - 1
        // Points part the thousands where a comma begins the fraction.
        while start > 0, isDigit(source.bytes[start - 1]) || source.bytes[start - 1] == point {
            start -= 1
        }
        return start
    }

    /// Returns true if a key is the rest of a number that a comma cut: `{ where: event.total >
    /// 49,99 }`.
    private func isRestOfNumber(_ key: YAMLNode) -> Bool {
        let start = key.range.bytes.lowerBound
        guard let text = key.scalar?.text, start >= 2, !text.isEmpty else { return false }
        let (digit, comma) = (source.bytes[start - 2], source.bytes[start - 1])
        return comma == UInt8(ascii: ",") && isDigit(digit) && text.utf8.allSatisfy(isDigit)
    }
}

/// A number that a comma cuts.
private struct CutNumber {
    /// Where it begins.
    let from: Int
    /// The part after the comma, which YAML reads as a key.
    let rest: YAMLNode
    /// The schema of the value if it is only the number.
    let schema: Schema
}

extension YAMLNode {
    fileprivate var isTruth: Bool {
        if case .bool? = coreValue { true } else { false }
    }

    fileprivate var isNo: Bool {
        isPlain && ["false", "no", "off", "0"].contains(scalar?.text.lowercased() ?? "")
    }
}

/// Returns true if maps of the table are entries of a section.
private func isNamedByKey(_ table: TableSchema) -> Bool {
    SectionKey.all.contains { $0.schema.table?.title == table.title }
}

private let point = UInt8(ascii: ".")

private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

extension TableSchema {
    /// The key that has the name as another name; where several have it, the one that takes such a
    /// value.
    func key(alsoCalled name: String, for value: YAMLNode) -> Key? {
        let folded = name.foldedForNames
        let meant = keys.filter { $0.alsoCalled.contains(folded) }
        return meant.first { ($0.schema.table != nil) == (value.kind == .mapping) } ?? meant.first
    }
}

extension TableSchema {
    /// Keys with similar names, or of which this is the beginning.
    fileprivate func names(like name: String) -> [String] {
        let similar = similarNames(to: name, among: keys.map(\.name))
        guard similar.isEmpty, name.utf8.count >= 3 else { return similar }
        return keys.map(\.name).filter { $0.hasPrefix(name.foldedForNames) }
    }
}

extension Diagnostic {
    static func unknownKey(_ key: YAMLNode, title: String) -> Self {
        Diagnostic(
            .schemaUnknownKey,
            message: "unknown key `\(key.nameForMessages)` in \(title)",
            at: key.range,
            label: "not a key of \(title)")
    }

    fileprivate static func restOfNumber(
        _ number: CutNumber, title: String, in source: SourceFile
    ) -> Self {
        let key = number.rest
        var diagnostic = unknownKey(key, title: title)
        diagnostic.label = "the `,` before `\(key.nameForMessages)` ends the value"
        let place = SourceRange(file: key.range.file, number.from..<key.range.upper)
        var parts = source.text(in: place).split(separator: ",").map(String.init)
        guard parts.count == 2 else { return diagnostic }
        let hasPoints = parts[0].contains(".")
        parts[0] = parts[0].filter { $0 != "." }
        let decimal = parts.joined(separator: ".")
        // Three digits are thousands to one reader, and a fraction to another.
        let mayBeThousands =
            parts[1].count == 3 && parts[0].count <= 3 && parts[0] != "0" && !hasPoints
        let readings = (mayBeThousands ? [parts.joined()] : []) + [decimal]
        let meant = readings.filter(number.schema.takesNumber)
        if meant.count > 1 {
            diagnostic.help = [
                "if the `,` separates thousands, remove it: `\(meant[0])`",
                "if the `,` starts a fraction, write a point: `\(decimal)`",
            ]
        } else if meant == [decimal] {
            diagnostic.help = ["write decimals with a point: `\(decimal)`"]
        } else if let whole = meant.first {
            diagnostic.help = ["remove the `,` that separates thousands: `\(whole)`"]
        } else if number.schema.takesNumber(parts[0]) {
            diagnostic.help = ["use an integer, such as `\(parts[0])`, without a fraction"]
        } else {
            let refused = readings.map { "`\($0)`" }.joined(separator: " and ")
            diagnostic.help = [
                "write another number, without a `,`, because \(refused)"
                    + " \(readings.count == 1 ? "is" : "are") not allowed here"
            ]
        }
        diagnostic.fixes = meant.map {
            Fix("write `\($0)`", edits: [Edit(place, replacement: $0)], isSafe: false)
        }
        return diagnostic
    }

    fileprivate static func unknownKey(
        _ entry: YAMLEntry, in table: TableSchema, beside present: [String], similar: [String],
        isOtherName: Bool
    ) -> Self {
        let key = entry.key
        let name = key.nameForMessages
        var diagnostic = unknownKey(key, title: table.title)
        if let section = adviceOnSections(entry, in: table) {
            diagnostic.help = [section]
            return diagnostic
        }
        if similar.count == 1 { diagnostic.fixes = [.rename(key.range, to: similar[0])] }
        if isOtherName, let meant = table.keys.first(where: { $0.name == similar[0] }) {
            diagnostic.explain(entry, meant: meant)
        } else if let home = homes(of: name).first, !similar.isEmpty,
            !similar.contains(where: { $0.hasPrefix(name) || name.hasPrefix($0) })
        {
            // A key that exists elsewhere is rarely a misspelled one of this map.
            diagnostic.fixes = []
            diagnostic.help = [
                "move `\(name)` into \(home) if you mean the `\(name)` of \(home)",
                "did you mean \(alternatives(similar))?",
            ]
        } else if !similar.isEmpty {
            diagnostic.help = ["did you mean \(alternatives(similar))?"]
        } else if let home = sectionOfEntry(entry), entry.value.entries.count > 1,
            home.schema.table?.title == table.title
        {
            diagnostic.label = "looks like \(withArticle(home.kind))"
            diagnostic.help = [
                "move `\(name)` and the lines below it to the left, so that `\(name)` starts in the"
                    + " same column as the \(home.kind) around it"
            ]
            if home.name == "popups" {
                diagnostic.help.append(
                    "to group popups, give them the same `group: onboarding`, and declare"
                        + " `groups: { onboarding: {} }`, because popups cannot contain other popups"
                )
            }
        } else if let place = placeElsewhere(entry, in: table) {
            diagnostic.help = [place]
        } else if ["id", "name"].contains(name.lowercased()), isNamedByKey(table) {
            diagnostic.help = [
                "remove `\(name)`, because the name of \(table.title) is written before its keys,"
                    + " as in `welcome: { … }`"
            ]
        } else if let advice = adviceOnDefaults(name, in: table) {
            diagnostic.help = [advice]
        } else if let home = homes(of: name).first {
            diagnostic.help = ["move `\(name)` into \(home) if you mean the `\(name)` of \(home)"]
            let required = table.keys.filter { $0.isRequired && !present.contains($0.name) }
                .map(\.name)
            if !required.isEmpty {
                diagnostic.help.append(
                    "or replace `\(name)` with \(enumeration(required)), which"
                        + " \(table.title) requires")
            }
        } else {
            let names = enumeration(table.keys.map(\.name), atMost: 8)
            let shown = NameForm.dotted.fits(name.utf8) ? name : "welcome"
            diagnostic.help =
                ["use one of the keys of \(table.title), \(names)"]
                + table.helpOnOthers.map { $0.replacing("$", with: shown) }
        }
        return diagnostic
    }

    /// Adds help on a key that is written under another name.
    private mutating func explain(_ entry: YAMLEntry, meant: TableSchema.Key) {
        help = ["use `\(meant.name)` instead (\(meant.summary))"]
        let name = entry.key.nameForMessages
        if meant.name == "cap", let window = windowText(entry.value) {
            help = [
                "use `cap` instead, such as `cap: { windows: [\(window)] }`"
            ]
            fixes = []
            return
        }
        let special = meant.examplesByName[name.foldedForNames]
        if meant.name == "cap", special == "", let text = entry.value.scalar?.text {
            let readings = capReadings(text).map {
                Reading("cap: \($0.text)", meaning: $0.meaning, isExact: $0.isExact)
            }
            help =
                readings.isEmpty
                ? [
                    "use `cap` instead, such as `cap: { lifetime: 1 }` for a single impression, or"
                        + " `cap: { windows: [{ max: 1, per: 1d }] }` for one impression a day"
                ] : readings.help
            fixes = readings.fixes(at: entry.key.range.union(entry.value.range))
            return
        }
        if let special, special.hasPrefix("\n\n") {
            let number = entry.value.scalar.flatMap { Int($0.text) }
            help = special.replacing("#", with: "\(number ?? 1)").replacing("$", with: name)
                .split(separator: "\n").map(String.init)
            fixes = []
            return
        }
        let isSpecial = special != nil
        // Such as a popup that must not show, which may be written below its scheduler.
        let isAboutValue = special.map { $0.contains("$") && !$0.hasPrefix("\n") } ?? false
        // A list of one item means no more than the item.
        let value =
            switch entry.value.kind {
            case .sequence: entry.value.items.first
            case .mapping where isAboutValue: entry.value.entries.first?.value
            case .mapping, .scalar: entry.value
            }
        // Such as `ends: true` if a date is required.
        let isTruth = isAboutValue && value?.isTruth == true
        guard let value, value.kind == .scalar, !isTruth, entry.value.kind == .scalar || isSpecial
        else {
            if isSpecial { fixes = [] }
            explainForm(of: entry.value, meant: meant)
            return
        }
        if meant.saysAll(name), value.isNo {
            help = ["remove `\(name): \(value.nameForMessages)`, which has no effect"]
            fixes = []
            return
        }
        let example = meant.example(
            for: name, number: value.scalar.flatMap { Int($0.text) }, text: value.nameForMessages)
        if example != nil || meant.schema.table != nil { fixes = [] }
        guard let example, !example.isEmpty else { return }
        let meanings = example.split(separator: "\n").map(String.init)
        if example.hasPrefix("\n") {
            help = meanings
            return
        }
        help = ["use `\(meant.name)` instead, such as `\(meant.name): \(meanings[0])`"]
        help += meanings.dropFirst()
    }

    /// Adds help on the map that a key takes, if the key was written under another name and nothing
    /// in its value fits.
    private mutating func explainForm(of value: YAMLNode, meant: TableSchema.Key) {
        guard value.kind != .scalar else { return }
        if case .condition = meant.schema, value.entries.count + value.items.count > 0 {
            help.append(
                meant.name == "where"
                    ? "use an expression about the event, such as `where: event.total > 50.0`"
                    : "use an expression or a map of context keys, such as"
                        + " `\(meant.name): { user.plan: { in: [free, pro] } }`")
        } else if let table = meant.schema.table, let example = meant.example,
            !value.entries.contains(where: { entry in
                table.keys.contains { $0.name == entry.key.nameForMessages }
            })
        {
            help.append("use a form such as `\(meant.name): \(example)`")
        } else if case .list = meant.schema, value.kind == .mapping, let example = meant.example {
            help.append("use a form such as `\(meant.name): \(example)`")
        }
    }

    fileprivate static func misplacedKeys(
        _ entries: [YAMLEntry], holder: TableSchema.Key, title: String
    ) -> Self {
        let keys = entries.map(\.key)
        let names = enumeration(keys.map(\.nameForMessages), atMost: 5)
        let verb = keys.count == 1 ? "belongs" : "belong"
        let zone =
            holder.lacksZone(entries) ? ", where `local` is the time zone of the device" : ""
        let written =
            holder.name == "windows"
            ? windowText(entries).map { "[\($0)]" } : holder.written(with: entries)
        // Other forms are only examples.
        let verbOfForm = holder.name == "windows" || !zone.isEmpty ? "write" : "use"
        let example = holder.example.flatMap { example in
            keys.allSatisfy { example.contains(" \($0.nameForMessages): ") } ? example : nil
        }
        let form = example.map { ", such as `\(holder.name): \($0)`" } ?? ""
        return Diagnostic(
            .schemaUnknownKey, message: "\(names) of \(title) \(verb) in `\(holder.name)`",
            at: keys[0].range, label: "not a key of \(title)",
            secondary: keys.dropFirst().prefix(4).map {
                Label("also not a key of \(title)", at: $0.range)
            },
            help: [
                written.map { "\(verbOfForm) `\(holder.name): \($0)` instead of \(names)\(zone)" }
                    ?? "move \(names) into `\(holder.name)` (\(holder.summary))\(form)"
            ])
    }
}
