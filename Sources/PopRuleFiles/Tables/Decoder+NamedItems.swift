internal import PopSource
internal import PopYAML

extension Decoder {
    /// Adds help and a fix for a map whose keys are the first value of each item of a list, such as
    /// `after: { welcome: 3d }`, if it is certain which other key the values belong to.
    func offerNamedItems(
        _ node: YAMLNode, table: TableSchema, to diagnostic: inout Diagnostic
    ) {
        guard node.kind == .mapping else { return }
        let items = node.entries.map { namedItem($0, table: table) }
        guard (1...3).contains(items.count), !items.contains(nil) else { return }
        let list = "[\(items.compactMap(\.self).joined(separator: ", "))]"
        diagnostic.help = [
            "write `\(subjectOfValue.dropFirst().dropLast()): \(list)`, because the items of a list"
                + " have no names"
        ]
        diagnostic.fixes = [
            Diagnostic.Fix(
                "make it a list", edits: [.init(node.range, replacement: list)], isSafe: false)
        ]
    }

    /// Returns `welcome: 3d` as the item of a list that is probably meant, such as `{ popup:
    /// welcome, since: 3d }`; nil if it isn't certain which key the value belongs to.
    func namedItem(_ entry: YAMLEntry, table: TableSchema) -> String? {
        guard let name = table.keys.first, name.isRequired, let written = entry.key.scalar,
            let value = onOneLine(entry.value),
            let key = table.onlyKey(of: entry.value, besides: name, limits: limits)
        else { return nil }
        let text = source.text(in: entry.key.range)
        if name.schema.takes(written, limits: limits) {
            return "{ \(name.name): \(text), \(key.name): \(value) }"
        }
        guard case .list = name.schema else { return nil }
        return "{ \(name.name): [\(text)], \(key.name): \(value) }"
    }

    /// Returns the key that the value of an unknown key names, such as `user` in `uid: user`: the
    /// two are probably the wrong way round. Nil for other values.
    func swappedKey(_ entry: YAMLEntry, of node: YAMLNode, in table: TableSchema) -> String? {
        guard let name = entry.value.scalar?.text, let written = entry.key.scalar,
            let key = table.keys.first(where: { $0.name == name }),
            key.schema.takesName(written, limits: limits),
            !node.entries.contains(where: { $0.key.scalar?.text == name })
        else { return nil }
        return name
    }
}

extension TableSchema {
    /// Returns the key that takes a value, except `first`; nil if several keys take the value.
    fileprivate func onlyKey(
        of value: YAMLNode, besides first: Key, limits: RuleFileLimits
    ) -> Key? {
        let takers = keys.filter { key in
            guard key.name != first.name else { return false }
            guard let scalar = value.scalar else {
                return value.kind == .mapping && key.schema.mayBeMap
            }
            return key.schema.tellsValuesApart && key.schema.takes(scalar, limits: limits)
        }
        return takers.count == 1 ? takers[0] : nil
    }
}

extension Schema {
    /// Returns true if a string of any form is such a value, or an item of such a list.
    fileprivate func takesName(_ scalar: YAMLScalar, limits: RuleFileLimits) -> Bool {
        switch self {
        case .text: true
        case .list(let item, _): item.takesName(scalar, limits: limits)
        case .either(let schemas): schemas.contains { $0.takesName(scalar, limits: limits) }
        case .pattern: takes(scalar, limits: limits)
        case .any, .bool, .integer, .number, .duration, .word, .reference, .condition, .map,
            .table:
            false
        }
    }
}
