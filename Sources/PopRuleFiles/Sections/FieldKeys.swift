internal import PopCEL
internal import PopSource
internal import PopYAML

extension Format<[FieldModel]> {
    /// A map from names of fields to types.
    static var fields: Self {
        let type = Format<CELType>.type
        let schema = Schema.map(type.schema, keys: .declared(.id))
        return Format(schema) { node, decoder in
            if node.isNull { return [] }
            guard node.kind == .mapping else {
                return decoder.mismatch(
                    schema, at: node,
                    help: ["write each field with its type, such as `{ title: string }`"])
            }
            return node.entries.compactMap { entry in
                guard let name = decoder.name(entry.key, of: "field", form: .id) else {
                    return nil
                }
                let type = decoder.inside(key: entry.key) { $0.read(type, at: entry.value) }
                return FieldModel(name: name, type: type)
            }
        }.orNothing
    }
}
