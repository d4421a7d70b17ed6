internal import PopCEL
internal import PopSource

extension SchemaWriter {
    /// A map with the keys of a table.
    package mutating func table(_ table: TableSchema) -> JSON {
        definition(table.definitionName) { writer in
            var properties: [JSON.Member] = []
            for key in table.keys {
                properties.append(.init(key: key.name, value: writer.property(key)))
            }
            for key in table.keys {
                for name in key.formerly {
                    properties.append(
                        .init(key: name, value: writer.property(key, formerly: name)))
                }
            }
            let required = table.keys.filter(\.isRequired)
            let renamed = required.filter { !$0.formerly.isEmpty }
            let rules = renamed.map(\.eitherName) + table.rules.flatMap { writer.rule($0) }
            return .object([
                "title": .string(table.name), "type": "object",
                "properties": .object(properties), "additionalProperties": false,
                "required": required.isEmpty
                    ? nil : .array(required.filter(\.formerly.isEmpty).map { .string($0.name) }),
                "allOf": rules.isEmpty ? nil : .array(rules),
            ])
        }
    }

    private mutating func property(_ key: TableSchema.Key) -> JSON {
        described(json(key.schema), summary: key.summary, mayBeNothing: key.takesNothing)
    }

    /// The key under a name that it had, which is not offered.
    private mutating func property(_ key: TableSchema.Key, formerly name: String) -> JSON {
        guard case .object(let members) = property(key) else { return .null }
        let advice = "`\(name)` is now called `\(key.name)`"
        return .object(
            members + [
                .init(key: "deprecationMessage", value: .string(advice)),
                .init(key: "doNotSuggest", value: true),
            ])
    }

    /// The schema with its description. Next to a `$ref` all other members are ignored, so that the
    /// reference is put into a list.
    func described(_ schema: JSON, summary: String, mayBeNothing: Bool = false) -> JSON {
        let description = JSON.Member(key: "description", value: .string(summary))
        guard case .object(let members) = schema else { return schema }
        if mayBeNothing {
            let choices: JSON = [schema, .object(["type": "null"])]
            return .object([description, .init(key: "anyOf", value: choices)])
        }
        let isReference = members.contains { $0.key == "$ref" }
        return .object(
            [description] + (isReference ? [.init(key: "allOf", value: [schema])] : members))
    }

    private mutating func rule(_ rule: KeyRule) -> [JSON] {
        switch rule {
        case .anyOf(let names):
            [.object(["anyOf": .array(names.map { Self.has([$0]) })])]
        case .oneOf(let names):
            [.object(["oneOf": .array(names.map { Self.has([$0]) })])]
        case .atMostOneOf(let names):
            [.object(["not": Self.has(names)])]
        case .with(let name, let other):
            [.object(["anyOf": [.object(["not": Self.has([name])]), Self.has([other])]])]
        case .apart(let name, let others):
            others.map { .object(["not": Self.has([name, $0])]) }
        case .apartFrom(let name, let key, let words):
            [
                .object([
                    "not": .object([
                        "required": .array([name, key].map(JSON.string)),
                        "properties": .object([.init(key: key, value: Self.words(words))]),
                    ])
                ])
            ]
        case .typed(let key, let values, let lists, let bounds):
            typed(by: key, values: values, lists: lists, bounds: bounds)
        }
    }

    static func has(_ names: [String]) -> JSON {
        .object(["required": .array(names.map(JSON.string))])
    }

    /// One condition for each type that a word names, and for lists and maps.
    private mutating func typed(
        by key: String, values: [String], lists: [String], bounds: [String]
    ) -> [JSON] {
        let simple = CELType.simpleTypes.sorted { $0.key < $1.key }
        let types: [(test: JSON, type: CELType)] =
            simple.map { (.object(["const": .string($0.key)]), $0.value) }
            + simple.map {
                (.object(["pattern": .string("^ *list< *\($0.key) *> *$")]), .list($0.value))
            }
            + [(.object(["pattern": "^ *map<"]), .map(.dyn, .dyn))]
        return types.map { test, type in
            let value = json(type.schema, mayBeEmpty: true)
            let members =
                values.map { JSON.Member(key: $0, value: value) }
                + lists.map {
                    JSON.Member(key: $0, value: .object(["type": "array", "items": value]))
                } + bounds.map { JSON.Member(key: $0, value: type.hasBounds ? value : false) }
            return .object([
                "if": .object([
                    "required": .array([.string(key)]),
                    "properties": .object([.init(key: key, value: test)]),
                ]),
                "then": .object(["properties": .object(members)]),
            ])
        }
    }
}

extension TableSchema {
    /// The title without its article and quotes.
    fileprivate var name: String {
        let words = title.split(separator: " ").filter { $0 != "a" && $0 != "an" }
        return words.joined(separator: " ").filter { $0 != "`" }
    }

    fileprivate var definitionName: String {
        SchemaWriter.identifier(name)
    }
}

extension TableSchema.Key {
    /// The requirement that the key is written under any of its names.
    fileprivate var eitherName: JSON {
        .object(["anyOf": .array(([name] + formerly).map { SchemaWriter.has([$0]) })])
    }
}
