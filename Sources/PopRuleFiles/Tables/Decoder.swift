internal import PopCEL
package import PopSource
package import PopYAML

/// Reads YAML nodes into located values and collects the findings about them.
package struct Decoder {
    package let source: SourceFile
    package let limits: RuleFileLimits
    package private(set) var diagnostics = Diagnostics()
    /// The place that is being read.
    private var place = Place()
    /// The number of further names that are compared with the existing ones.
    private var suggestionsLeft: Int
    /// Nil for small sets and for single conditions.
    let known: KnownExpressions?
    /// True if a condition that was read names the history of popups.
    private(set) var mentionsHistory = false
    /// True if the text of a condition appears elsewhere too.
    private(set) var conditionsRepeat = false
    /// The precedence that the popup being read claims over others.
    var claim: PrecedenceClaim?
    /// The default values of the file for all its popups.
    var defaults: DefaultsModel?
    /// The schedule that is being read: the meaning of its times depends on its zone.
    var schedule: YAMLNode?
    /// The number of lists and maps between that key and the node.
    private(set) var depth = 0

    private struct Place {
        /// The key whose value is being read, and its name when that is not the key's text.
        var key: YAMLNode?
        var keyName: String?
        /// An example of the value of that key.
        var example: String?
        /// True if the node is an item of that key's list.
        var isItem = false
    }

    /// For each key of a schedule that a condition used: true if a variable has a similar name.
    var scheduleKeysLikeVariables: [String: Bool] = [:]

    package init(_ source: SourceFile, limits: RuleFileLimits = .standard) {
        self.init(source, limits: limits, known: nil)
    }

    init(_ source: SourceFile, limits: RuleFileLimits, known: KnownExpressions?) {
        self.source = source
        self.limits = limits
        self.known = known
        suggestionsLeft = limits.suggestions
    }

    /// The names that someone who wrote `name` may have meant; none once many have been looked for.
    mutating func suggestions(for name: String, among candidates: some Sequence<String>) -> [String]
    {
        takeSuggestion() ? similarNames(to: name, among: candidates) : []
    }

    /// Notes the names that a condition uses.
    mutating func note(_ expression: Expression) {
        if expression.mentions("popups") { mentionsHistory = true }
    }

    /// The same for a string that isn't an expression.
    mutating func note(unread text: String) {
        if text.contains("popups") { mentionsHistory = true }
    }

    /// The expression of a string that appears elsewhere too, moved to another place.
    mutating func again(_ known: Expression, at place: TextMap) -> Expression {
        conditionsRepeat = true
        return known.moved(to: place)
    }

    mutating func note(key: String) {
        if key.hasPrefix("popups.") { mentionsHistory = true }
    }

    /// Returns true if one more name may be compared with the existing ones.
    mutating func takeSuggestion() -> Bool {
        suggestionsLeft -= 1
        return suggestionsLeft >= 0
    }

    /// The names that one may be compared with; none once many have been looked for.
    package mutating func offered(_ names: some Sequence<String>) -> [String] {
        takeSuggestion() ? Array(names) : []
    }

    /// The same without findings.
    package var withoutFindings: Decoder {
        var decoder = Decoder(source, limits: limits, known: known)
        decoder.suggestionsLeft = suggestionsLeft
        return decoder
    }

    /// As many names may be looked for as another one has left.
    package mutating func goOn(after other: Decoder) { suggestionsLeft = other.suggestionsLeft }

    /// Continues with other findings, and exchanges them for its own.
    mutating func startOver(with findings: inout Diagnostics) {
        suggestionsLeft = limits.suggestions
        swap(&findings, &diagnostics)
    }

    /// Changes the findings about the entry that is being read.
    mutating func reviseFindings(_ change: (inout Diagnostic) -> Void) {
        diagnostics = Diagnostics(
            diagnostics.list.map { finding in
                var finding = finding
                change(&finding)
                return finding
            })
    }

    package mutating func report(_ diagnostic: Diagnostic) { diagnostics.report(diagnostic) }

    package mutating func report(contentsOf other: Diagnostics) {
        diagnostics.report(contentsOf: other)
    }

    /// The key whose value is being read, as the subject of a sentence.
    package var subjectOfValue: String {
        guard let name = place.keyName ?? place.key?.scalar?.text else { return "the file" }
        return place.isItem ? "an item of `\(name)`" : "`\(name)`"
    }

    /// The key whose value is being read, unless it is an item of a list there.
    var namedKey: Located<String>? {
        guard !place.isItem, place.keyName == nil, let key = place.key else { return nil }
        return key.scalar.map { Located($0.text, at: key.range) }
    }

    /// Where something is missing: at the key whose value the node is, or at the item.
    func rangeToBlame(for node: YAMLNode) -> SourceRange {
        place.isItem ? node.rangeToPointAt(in: source) : rangeOfKey ?? node.range
    }

    /// True if the current value is an item of a list.
    var isInItem: Bool { place.isItem }

    /// The place of that key.
    package var rangeOfKey: SourceRange? { place.key?.range }

    /// An example of the value of that key.
    var example: String? {
        get { place.example }
        set { place.example = newValue }
    }

    /// Reads the value of a key.
    package mutating func inside<Result>(
        key: consuming YAMLNode, _ body: (inout Decoder) -> Result
    ) -> Result {
        at(Place(key: key), body: body)
    }

    /// Reads the values of the keys of a map, one after the other.
    ///
    /// They share one place, which moves from key to key: places of their own count three
    /// references each.
    mutating func insideKeys(of entries: YAMLEntries, _ body: (Int, inout Decoder) -> Void) {
        if entries.isEmpty { return }
        inside(key: entries.key(at: 0)) { decoder in
            for position in 0..<entries.count {
                decoder.place.key?.move(toKeyAt: position, in: entries)
                body(position, &decoder)
            }
        }
    }

    /// Reads the value of a key of which only the name is known.
    package mutating func inside<Result>(
        keyNamed name: String, _ body: (inout Decoder) -> Result
    ) -> Result {
        at(Place(key: place.key, keyName: name), body: body)
    }

    /// Reads an item of the list that is the current key's value.
    package mutating func insideItem<Result>(_ body: (inout Decoder) -> Result) -> Result {
        at(Place(key: place.key, keyName: place.keyName, isItem: true), body: body)
    }

    private mutating func at<Result>(
        _ inner: consuming Place, body: (inout Decoder) -> Result
    ) -> Result {
        // Swapped and not copied, which would retain all that is in it.
        swap(&inner, &place)
        let result = body(&self)
        swap(&inner, &place)
        return result
    }

    /// Reads the parts of the current value; reports values that are nested too deeply and returns
    /// nil.
    package mutating func nested<Result>(
        _ node: YAMLNode, atMost limit: Int, body: (inout Decoder) -> Result?
    ) -> Result? {
        guard depth < limit else {
            report(.nestedTooDeeply(subjectOfValue, limit: limit, at: node.range))
            return nil
        }
        depth += 1
        defer { depth -= 1 }
        return body(&self)
    }

    /// Sets the subject of every finding that `body` makes and that has none yet.
    package mutating func about<Result>(
        _ subject: @autoclosure () -> String, body: (inout Decoder) -> Result
    ) -> Result {
        // Swapped and not copied: earlier findings are never held twice, and so never moved.
        var found = Diagnostics()
        swap(&found, &diagnostics)
        let result = body(&self)
        swap(&found, &diagnostics)
        if !found.isEmpty {
            found.setSubject(subject())
            diagnostics.report(contentsOf: found)
        }
        return result
    }

    /// Reads without reporting anything.
    package mutating func silently<Result>(_ body: (inout Decoder) -> Result) -> Result {
        var found = Diagnostics()
        swap(&found, &diagnostics)
        defer { swap(&found, &diagnostics) }
        return body(&self)
    }
}

extension Diagnostics {
    func about(_ subject: String) -> Diagnostics {
        var copy = self
        copy.setSubject(subject)
        return copy
    }
}

extension Diagnostic {
    fileprivate static func nestedTooDeeply(
        _ subject: String, limit: Int, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .schemaLimit, message: "\(subject) is nested more than \(limit) levels deep", at: range,
            label: "one level too many", help: ["use fewer nested lists and maps"])
    }
}

extension Decoder {
    /// Reads a map with the keys of a table.
    ///
    /// Keys without meaning and keys that are missing are reported. The finding about a missing key
    /// points at the key whose value the map is.
    package mutating func read<Target>(
        _ table: Table<Target>, at node: YAMLNode, into target: inout Target
    ) {
        _ = readKeys(of: table, at: node, into: &target) { _, _, _ in false }
    }

    /// The same, but for values that mean that the key is not set. Answers the keys that are
    /// written, a bit for each.
    mutating func readKeys<Target>(
        of table: Table<Target>, at node: YAMLNode, into target: inout Target,
        unless isUnset: (Int, YAMLNode, YAMLEntries) -> Bool
    ) -> UInt64 {
        walkKeys(of: table.shape, at: node, unless: isUnset) { index, value, decoder in
            table.readers[index](value, &target, &decoder)
        }
    }

    /// Walks the keys of a map and hands on those values that are to be read.
    private mutating func walkKeys(
        of table: TableShape, at node: YAMLNode,
        unless isUnset: (Int, YAMLNode, YAMLEntries) -> Bool,
        read: (Int, YAMLNode, inout Decoder) -> Void
    ) -> UInt64 {
        guard node.kind == .mapping else {
            if !node.isBroken { reportMismatch(.table(table.schema), at: node) }
            return 0
        }
        var seen: UInt64 = 0
        var unknown: [YAMLEntry] = []
        var cutOff = 0..<0
        var unindented: [SourceRange] = []
        let entries = node.entries
        insideKeys(of: entries) { position, decoder in
            if !cutOff.isEmpty, cutOff.contains(entries.key(at: position).range.lower) { return }
            let current = table.index(ofKeyAt: position, in: entries)
            guard let index = current ?? table.formerIndex(of: entries.key(at: position)) else {
                let entry = entries[position]
                if !entry.key.isBroken, !unindented.contains(entry.key.range) {
                    unknown.append(entry)
                }
                return
            }
            if current == nil {
                let name = table.schema.keys[index].name
                guard decoder.mayHaveFormerName(entries.key(at: position), now: name, in: node)
                else { return }
            }
            // The map's own keys come before merged keys, under whatever name.
            if seen & 1 << UInt64(index) != 0 { return }
            seen |= 1 << UInt64(index)
            decoder.example = table.examples[index]
            if isUnset(index, entries.value(at: position), entries) { return }
            if let inner = table.keyNotIndented(behind: index, at: position, in: node) {
                decoder.report(.notIndented(inner, below: entries.key(at: position)))
                unindented.append(inner.range)
                return
            }
            if node.isFlow, case .list = table.schema.keys[index].schema,
                let items = entries.value(at: position).itemsCutOff(in: decoder.source)
            {
                decoder.report(.listWithoutBrackets(items, with: decoder))
                cutOff = items.bytes
                return
            }
            read(index, entries.value(at: position), &decoder)
        }
        if !table.choices.isEmpty {
            check(table.choices, of: table.schema, in: node, mayLack: !unknown.isEmpty)
        }
        if !unknown.isEmpty || table.required & ~seen != 0 {
            reportKeys(of: table, at: node, seen: seen, unknown: unknown)
        }
        return seen
    }

    /// Reports a key with a former name; returns true if it is read, which it isn't next to the
    /// current name.
    private mutating func mayHaveFormerName(
        _ key: YAMLNode, now name: String, in node: YAMLNode
    ) -> Bool {
        let twin = node.entries.first { $0.key.scalar?.hasText(name) == true }?.key
        if let twin, node.holds(key), node.holds(twin) {
            report(.twoNames(key, now: twin))
            return false
        }
        report(.formerName(key, now: name))
        return true
    }

    /// Reports keys without meaning, and those that are missing; `seen` are the others.
    private mutating func reportKeys(
        of table: TableShape, at node: YAMLNode, seen: UInt64, unknown: [YAMLEntry]
    ) {
        let schema = table.schema
        let names = { (keys: UInt64) in
            schema.keys.indices.filter { keys & (1 << UInt64($0)) != 0 }
                .map { schema.keys[$0].name }
        }
        let (missing, present) = (names(table.required & ~seen), names(seen))
        let meant = reportUnknown(unknown, of: node, in: schema, beside: present)
        // If a map has none of its keys, that is reported only once.
        if present.isEmpty, !unknown.isEmpty { return }
        for key in schema.keys where missing.contains(key.name) && !meant.contains(key.name) {
            report(.missingKey(key, title: schema.title, at: rangeToBlame(for: node)))
        }
    }
}

extension TableShape {
    /// The key that follows a key without a value, and that isn't a key of the map but of that
    /// value: it was not indented.
    fileprivate func keyNotIndented(
        behind index: Int, at position: Int, in node: YAMLNode
    ) -> YAMLNode? {
        let entries = node.entries
        guard !node.isFlow, position + 1 < entries.count, entries.value(at: position).isNull,
            entries.value(at: position).range.isEmpty
        else { return nil }
        let next = entries.key(at: position + 1)
        guard let name = next.scalar?.text, self.index(of: next) == nil,
            schema.keys[index].schema.table?.keys.contains(where: { $0.name == name }) ?? false
        else { return nil }
        return next
    }
}

extension Diagnostic {
    fileprivate static func notIndented(_ key: YAMLNode, below outer: YAMLNode) -> Self {
        let name = key.nameForMessages
        return Diagnostic(
            .schemaUnknownKey,
            message: "`\(name)` is not indented below `\(outer.nameForMessages)`", at: key.range,
            label: "starts in the same column as `\(outer.nameForMessages)`",
            secondary: [
                Label(
                    "this key has no value, because the next line is not indented", at: outer.range)
            ],
            help: [
                "indent `\(name)` and the lines below it by 2 spaces more than"
                    + " `\(outer.nameForMessages)`"
            ])
    }

    fileprivate static func formerName(_ key: YAMLNode, now name: String) -> Self {
        Diagnostic(
            .schemaDeprecatedKey, message: "`\(key.nameForMessages)` is now called `\(name)`",
            at: key.range,
            label: "the old name still works", help: ["write `\(name)`"],
            fixes: [
                Fix(
                    "write `\(name)`", edits: [.init(key.range, replacement: name)], isSafe: true)
            ])
    }

    fileprivate static func twoNames(_ key: YAMLNode, now: YAMLNode) -> Self {
        Diagnostic(
            .schemaExclusiveKeys,
            message: "`\(key.nameForMessages)` is the former name of `\(now.nameForMessages)`,"
                + " and both are set", at: key.range, label: "ignored",
            secondary: [Label("the current name", at: now.range)],
            help: ["remove `\(key.nameForMessages)`"])
    }

    fileprivate static func missingKey(
        _ key: TableSchema.Key, title: String, at range: SourceRange
    ) -> Self {
        var help = "add `\(key.name)` (\(key.summary))"
        if let example = key.example {
            help = "add `\(key.name)`, such as `\(key.name): \(example)` (\(key.summary))"
        }
        // Only the version of a format has one value.
        if case .integer(let range) = key.schema, range.lowerBound == range.upperBound {
            help =
                "write `\(key.name): \(range.lowerBound)` as the first line of the file; it"
                + " declares the version of the file's format"
        }
        return Diagnostic(
            .schemaMissingKey, message: "\(title) needs the key `\(key.name)`", at: range,
            label: "`\(key.name)` is missing", help: [help])
    }
}

extension YAMLNode {
    /// Returns true if a key is written in the map itself, and is not merged in.
    fileprivate func holds(_ key: YAMLNode) -> Bool {
        let (map, key) = (definitionRange, key.range)
        return map.file == key.file && map.lower <= key.lower && key.upper <= map.upper
    }
}

extension Decoder {
    /// A value as it would be written in braces or brackets, on one line; nil for a value that has
    /// no such form, is reached through an alias, or is too long.
    package func onOneLine(_ node: YAMLNode) -> String? {
        let text = writtenOnOneLine(node, depth: 8)
        return text.flatMap { $0.utf8.count <= longestLine ? $0 : nil }
    }

    /// The entry of a map in that form.
    package func onOneLine(_ entry: YAMLEntry) -> String? {
        onOneLine(entry.value).map { "\(source.text(in: entry.key.range)): \($0)" }
    }

    private func writtenOnOneLine(_ node: YAMLNode, depth: Int) -> String? {
        guard depth > 0, !node.isBroken, !node.isAlias, node.entries.count + node.items.count < 20
        else { return nil }
        switch node.kind {
        case .scalar:
            let text = source.text(in: node.range)
            if text.isEmpty || text.contains("\n") { return nil }
            let isCut = node.isPlain && text.contains { ",[]{}".contains($0) }
            if isCut { return text.contains { "\"\\".contains($0) } ? nil : "\"\(text)\"" }
            return text
        case .sequence:
            let items = node.items.map { writtenOnOneLine($0, depth: depth - 1) }
            return items.contains(nil)
                ? nil : "[\(items.compactMap(\.self).joined(separator: ", "))]"
        case .mapping:
            let entries = node.entries.map { entry in
                writtenOnOneLine(entry.value, depth: depth - 1).map {
                    "\(source.text(in: entry.key.range)): \($0)"
                }
            }
            if entries.isEmpty { return "{}" }
            return entries.contains(nil)
                ? nil : "{ \(entries.compactMap(\.self).joined(separator: ", ")) }"
        }
    }
}

/// Longer forms are not read on one line.
private let longestLine = 160
