package import PopSource
internal import PopYAML

extension Format {
    /// A list of at least `minimum` items, and at most `maximum` or `RuleFileLimits.listItems`.
    package static func list<Item>(
        of item: Format<Item>, minimum: Int = 0, maximum: Int = .max
    ) -> Self where Value == [Located<Item>] {
        Format(.list(item.schema, count: minimum...maximum)) { node, decoder in
            guard node.kind == .sequence else {
                return decoder.mismatch(.list(item.schema), at: node)
            }
            let count = node.items.count
            let maximum = min(maximum, decoder.limits.listItems)
            guard count <= maximum, count >= minimum else {
                decoder.report(
                    .itemCount(
                        count, minimum: minimum, maximum: maximum, with: decoder, at: node))
                return nil
            }
            return decoder.insideItem { decoder in
                node.items.compactMap { decoder.read(item, at: $0) }
            }
        }
    }

    /// A map with the keys of a table, read into a value that starts empty. `mayBeEmpty` is true if
    /// a map without keys has a meaning.
    package static func table(
        _ table: Table<Value>, startingWith empty: Value, mayBeEmpty: Bool = true
    ) -> Self {
        Format(.table(table.schema)) { node, decoder in
            guard node.kind == .mapping else {
                return decoder.mismatch(.table(table.schema), at: node)
            }
            if !mayBeEmpty, node.entries.isEmpty {
                decoder.report(.noKeys(of: table.schema, with: decoder, at: node))
            }
            var value = empty
            decoder.read(table, at: node, into: &value)
            return value
        }
    }
}

extension Format<YAMLNode> {
    /// A node that is read later, when its type is known.
    package static func node(_ schema: Schema) -> Self { Format(schema) { node, _ in node } }

    /// A map that is read later, when the type of its values is known.
    package static func map(of value: Schema, keys: MapKeys = .any) -> Self {
        let schema = Schema.map(value, keys: keys)
        return Format(schema) { node, decoder in
            node.kind == .mapping ? node : decoder.mismatch(schema, at: node)
        }
    }
}

extension Diagnostic {
    fileprivate static func noKeys(
        of table: TableSchema, with decoder: Decoder, at node: YAMLNode
    ) -> Self {
        let names = enumeration(table.keys.map(\.name), atMost: 5)
        return Diagnostic(
            .schemaMissingKey, message: "\(decoder.subjectOfValue) is empty", at: node.range,
            label: "no keys",
            help: ["write at least one of \(names), or remove the line"])
    }

    static func itemCount(
        _ count: Int, minimum: Int, maximum: Int, with decoder: Decoder, at node: YAMLNode
    ) -> Self {
        let range = node.rangeToPointAt(in: decoder.source)
        if count < minimum {
            return Diagnostic(
                .schemaRange, message: "\(decoder.subjectOfValue) is an empty list", at: range,
                label: "no items", help: ["list at least one item, or remove the line"])
        }
        return Diagnostic(
            .schemaLimit,
            message:
                "\(decoder.subjectOfValue) has \(count) items, more than the limit of \(maximum)",
            at: range)
    }
}
