internal import PopSource
package import PopYAML

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
            check(table.choices, of: table.schema.title, in: node, mayLack: !unknown.isEmpty)
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
            secondary: [Label("has no value because of this", at: outer.range)],
            help: [
                "indent `\(name)` and the lines below it by two more spaces than"
                    + " `\(outer.nameForMessages)`"
            ])
    }

    fileprivate static func formerName(_ key: YAMLNode, now name: String) -> Self {
        Diagnostic(
            .schemaDeprecatedKey, message: "`\(key.nameForMessages)` is now called `\(name)`",
            at: key.range,
            label: "still works", help: ["write `\(name)`"],
            fixes: [
                Fix(
                    "write `\(name)`", edits: [.init(key.range, replacement: name)], isSafe: true)
            ])
    }

    fileprivate static func twoNames(_ key: YAMLNode, now: YAMLNode) -> Self {
        Diagnostic(
            .schemaExclusiveKeys,
            message: "`\(key.nameForMessages)` is the former name of `\(now.nameForMessages)`,"
                + " which is also written", at: key.range, label: "ignored",
            secondary: [Label("the current name", at: now.range)], help: ["remove one of them"])
    }

    fileprivate static func missingKey(
        _ key: TableSchema.Key, title: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .schemaMissingKey, message: "\(title) needs the key `\(key.name)`", at: range,
            label: "`\(key.name)` is missing", help: ["add `\(key.name)`: \(key.summary)"])
    }
}

extension YAMLNode {
    /// Returns true if a key is written in the map itself, and is not merged in.
    fileprivate func holds(_ key: YAMLNode) -> Bool {
        let (map, key) = (definitionRange, key.range)
        return map.file == key.file && map.lower <= key.lower && key.upper <= map.upper
    }
}
