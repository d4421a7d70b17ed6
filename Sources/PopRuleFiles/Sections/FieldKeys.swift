internal import PopCEL
internal import PopScheduler
internal import PopSource
internal import PopYAML

extension Format<[FieldModel]> {
    /// A map from names of fields to types.
    static var fields: Self {
        let type = Format<CELType>.type
        return .fields(type.schema) { name, node, decoder in
            FieldModel(name: name, type: decoder.read(type, at: node))
        }
    }
}

extension Format {
    /// A map from names of fields to what is said of each.
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
