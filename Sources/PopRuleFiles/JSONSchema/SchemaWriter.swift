internal import PopCEL
package import PopSource

/// Writes the decoder's tables as a JSON Schema, draft-07.
///
/// A schema describes the possible values of one place at a time. It cannot express how one value
/// depends on another, such as a default on the allowed values, and does not look into expressions.
package struct SchemaWriter {
    /// The names that references may use; any name if nil.
    let names: DeclaredNames?
    /// True if only declared names are allowed; otherwise they are only offered.
    private(set) var isStrict = true
    /// Schemas that several places refer to, in the order in which they were first needed.
    private var definitions: [JSON.Member] = []
    private var positions: [String: Int] = [:]

    package init(names: DeclaredNames? = nil) { self.names = names }

    /// Describes a value that may use names other than the known ones, which are only offered.
    package mutating func offering(_ body: (inout Self) -> JSON) -> JSON {
        isStrict = false
        defer { isStrict = true }
        return body(&self)
    }

    /// Returns the JSON Schema of the values that fit a schema.
    ///
    /// An empty value counts as not written, which is a mistake, unless `mayBeEmpty`; inside of
    /// maps that are read unchanged it is a value.
    mutating func json(_ schema: Schema, mayBeEmpty: Bool = false) -> JSON {
        switch schema {
        case .any: mayBeEmpty ? .object([]) : Self.anythingButNull
        case .bool: .object(["type": "boolean"])
        case .text: .object(["type": "string"])
        case .integer(let range): Self.integer(range)
        case .number(let range): Self.number(range)
        case .duration(let minimum): Self.duration(atLeast: minimum)
        case .pattern(_, let expression):
            .object(["type": "string", "pattern": .string(Self.portable(expression))])
        case .word(let words): Self.words(words)
        case .reference(let kind): reference(to: kind)
        case .condition: condition()
        case .list(let item, let count): list(of: item, count)
        case .map(let value, let keys): map(of: value, keys)
        case .table(let table): self.table(table)
        case .either(let schemas): .object(["anyOf": .array(schemas.map { json($0) })])
        }
    }

    /// A reference to a definition, which is made when nothing has referred to it yet. A definition
    /// with declared names gets another name if these are only offered.
    mutating func definition(
        _ name: String, hasNames: Bool = true, make: (inout Self) -> JSON
    ) -> JSON {
        let name = isStrict || names == nil || !hasNames ? name : name + "_or_other"
        if positions[name] == nil {
            let position = definitions.count
            positions[name] = position
            // Its parts may refer to it.
            definitions.append(JSON.Member(key: name, value: .null))
            definitions[position].value = make(&self)
        }
        return .object(["$ref": .string("#/definitions/\(name)")])
    }

    /// The whole document of a schema, which describes the same values as `root`.
    package func document(_ title: String, root: JSON) -> JSON {
        var members: [JSON.Member] = [
            .init(key: "$schema", value: "http://json-schema.org/draft-07/schema#"),
            .init(key: "title", value: .string(title)),
        ]
        // Next to a `$ref` all other members are ignored.
        if case .object(let own) = root {
            let isReference = own.contains { $0.key == "$ref" }
            members += isReference ? [.init(key: "allOf", value: [root])] : own
        }
        members.append(.init(key: "definitions", value: .object(definitions)))
        return .object(members)
    }

    static let anythingButNull = JSON.object([
        "type": ["string", "number", "boolean", "array", "object"]
    ])

    private mutating func list(of item: Schema, _ count: ClosedRange<Int>) -> JSON {
        .object([
            "type": "array", "items": json(item),
            "minItems": count.lowerBound == 0 ? nil : .int(count.lowerBound),
            "maxItems": .int(min(count.upperBound, RuleFileLimits.standard.listItems)),
        ])
    }

    private mutating func map(of value: Schema, _ keys: MapKeys) -> JSON {
        switch keys {
        case .any:
            return .object([
                "type": "object", "additionalProperties": json(value, mayBeEmpty: true),
            ])
        case .declared(let form):
            return .object([
                "type": "object", "propertyNames": form.json, "additionalProperties": json(value),
            ])
        case .references("context key") where value.isAny: return contextValues()
        case .references(let kind):
            let value = shared(json(value, mayBeEmpty: true), title: "each \(kind)")
            let known = names?.byKind[kind] ?? []
            return .object([
                "type": "object",
                "properties": .object(known.map { JSON.Member(key: $0, value: value) }),
                "additionalProperties": isStrict && names != nil ? false : value,
            ])
        }
    }

    private mutating func reference(to kind: String) -> JSON {
        let anything = JSON.object(["type": "string"])
        guard let known = names?.byKind[kind], !known.isEmpty else { return anything }
        return definition(Self.identifier("name of \(kind)")) { writer in
            let words = Self.words(known)
            return writer.isStrict ? words : .object(["anyOf": [words, anything]])
        }
    }

    /// The schema, or a reference to it when it is too long to be repeated for each name.
    private mutating func shared(_ value: JSON, title: String) -> JSON {
        guard names != nil, value.compact.utf8.count > 80 else { return value }
        var name = Self.identifier(title)
        while let same = positions[name], definitions[same].value != value { name += "_" }
        return definition(name, hasNames: false) { _ in value }
    }

    static func identifier(_ title: String) -> String {
        String(title.map { $0.isLetter ? $0 : "_" })
    }
}

// Values without parts.
extension SchemaWriter {
    static func words(_ words: [String]) -> JSON {
        .object(["type": "string", "enum": .array(words.map(JSON.string))])
    }

    private static func integer(_ range: ClosedRange<Int>) -> JSON {
        if range.lowerBound == range.upperBound {
            return .object(["const": .int(range.lowerBound)])
        }
        return .object([
            "type": "integer",
            "minimum": range.lowerBound == .min ? nil : .int(range.lowerBound),
            "maximum": range.upperBound == .max ? nil : .int(range.upperBound),
        ])
    }

    private static func number(_ range: ClosedRange<Double>) -> JSON {
        .object([
            "type": "number",
            "minimum": range.lowerBound.isFinite ? .double(range.lowerBound) : nil,
            "maximum": range.upperBound.isFinite ? .double(range.upperBound) : nil,
        ])
    }

    /// The units in their order, each at most once; the greatest length is beyond a pattern.
    private static func duration(atLeast minimum: Int) -> JSON {
        let something = minimum > 0 ? "(?=.*[1-9])" : "(?=.)"
        let parts = durationUnits.map { "([0-9]+\($0.name))?" }.joined()
        return .object(["type": "string", "pattern": .string("^\(something)\(parts)$")])
    }

    /// The digits of all scripts count as `\d` to some.
    private static func portable(_ expression: String) -> String {
        expression.replacing(#"\d"#, with: "[0-9]")
    }
}

extension NameForm {
    /// The JSON Schema of names of this form.
    var json: JSON {
        let id = "[A-Za-z_][A-Za-z0-9_]*"
        return .object([
            "pattern": .string(self == .id ? "^\(id)$" : "^\(id)(\\.\(id))*$"),
            "maxLength": .int(RuleFileLimits.standard.nameLength),
            "not": .object(["pattern": .string(reservedPattern)]),
        ])
    }
}

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

/// The key of a mapping for all popups that it does not name.
package let nameOfTheRest = "others"

/// The names that a rule set declares, for an editor to offer.
package struct DeclaredNames: Sendable {
    /// By the kind of thing, such as "popup".
    let byKind: [String: [String]]
    let contextKeys: [ContextKeyModel]

    package init(_ model: RuleModel) {
        byKind = [
            "scheduler": model.schedulers.names, "context key": model.context.names,
            "template": model.templates.names, "event": model.events.names,
            "named condition": model.conditions.names, "group": model.groups.names,
            "popup": model.popups.names, "experiment": model.experiments.names,
            "layer": model.layers.names,
            "context key of a table": model.context.names,
            "popup or event": Self.joined(model.popups.names, model.events.names),
            "popup or template": Self.joined(
                model.popups.names, model.templates.names + [nameOfTheRest]),
        ]
        contextKeys = model.context.entries
    }

    /// Returns the names of both lists, each name once.
    private static func joined(_ first: [String], _ second: [String]) -> [String] {
        var seen: Set<String> = []
        return (first + second).filter { seen.insert($0).inserted }
    }
}
