internal import PopCEL
internal import PopScheduler
internal import PopSource
internal import PopYAML

extension Format<[FieldModel]> {
    /// A map from names of fields to types.
    static var fields: Self {
        let type = Format<CELType>.type
        return .fields(type.schema) { name, node, decoder in
            if namesOfPayloads.contains(name.value), node.kind == .mapping {
                decoder.report(.fieldsInside(name, written: decoder.onOneLine(node)))
                return nil
            }
            return FieldModel(name: name, type: decoder.read(type, at: node))
        }
    }
}

/// Common keys for the fields of an event, around them.
private let namesOfPayloads: Set<String> = [
    "properties", "fields", "payload", "params", "parameters", "attributes", "data", "schema",
    "props",
]

extension Diagnostic {
    fileprivate static func fieldsInside(_ name: Located<String>, written: String?) -> Self {
        Diagnostic(
            .schemaType, message: "the fields of an event must not be nested in `\(name.value)`",
            at: name.range, label: "one level too many",
            help: [
                "write the fields directly below the event, such as"
                    + " `order.paid: \(written ?? "{ total: double }")`"
            ])
    }
}

extension Format {
    /// A map from names of fields to their definitions.
    static func fields<Field>(
        _ schema: Schema,
        read: @escaping @Sendable (Located<String>, YAMLNode, inout Decoder) -> Field?
    ) -> Self where Value == [Field] {
        let schema = Schema.map(schema, keys: .declared(.id))
        return Format(schema) { node, decoder in
            if node.isNull { return [] }
            guard node.kind == .mapping else {
                return decoder.mismatch(
                    schema, at: node,
                    help: ["write each field with its type, such as `{ title: string }`"])
            }
            let count = node.entries.count
            guard count <= RuleBounds.fields else {
                decoder.report(
                    .itemCount(
                        count, minimum: 0, maximum: RuleBounds.fields, with: decoder, at: node))
                return nil
            }
            return node.entries.compactMap { entry in
                guard let name = decoder.name(entry.key, of: "field", form: .id) else {
                    return nil
                }
                return decoder.inside(key: entry.key) { read(name, entry.value, &$0) }
            }
        }.orNothing
    }
}
