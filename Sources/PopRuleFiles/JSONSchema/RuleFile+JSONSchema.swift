package import PopSource

extension RuleFile {
    /// Returns the JSON Schema of a rule file.
    package static func json(_ writer: inout SchemaWriter) -> JSON {
        writer.definition("rule_file") { writer in
            var properties: [JSON.Member] = [
                .init(
                    key: "poprules",
                    value: .object([
                        "description": "the version of the format",
                        "const": .int(RuleFile.version),
                    ]))
            ]
            for section in SectionKey.all {
                properties.append(.init(key: section.name, value: writer.section(section)))
            }
            for setting in SettingKey.all {
                let schema = writer.json(setting.schema)
                properties.append(
                    .init(
                        key: setting.name,
                        value: writer.described(schema, summary: setting.summary)))
            }
            return .object([
                "title": "rule file", "type": "object",
                "properties": .object(properties),
                "patternProperties": .object(["^x-": true]), "additionalProperties": false,
                "required": ["poprules"],
            ])
        }
    }
}

extension SchemaWriter {
    /// A map from the names that a section declares to its entries; an empty section declares
    /// nothing.
    fileprivate mutating func section(_ section: SectionKey) -> JSON {
        let entry = json(section.schema)
        return .object([
            "description": .string(section.summary),
            "type": ["object", "null"], "propertyNames": section.form.json,
            "additionalProperties": section.takesNothing
                ? .object(["anyOf": [entry, .object(["type": "null"])]]) : entry,
        ])
    }
}
