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

extension SchemaWriter {
    /// A condition in any of its forms.
    mutating func condition() -> JSON {
        definition("condition") { writer in
            let condition = writer.condition()
            let list = JSON.object(["type": "array", "items": condition])
            return .object([
                "title": "condition",
                "type": ["string", "boolean", "array", "object"],
                // Only for strings: a blank one has no meaning.
                "pattern": "[^ \\t\\n\\r\\f]",
                "items": condition,
                "if": .object(["type": "object"]),
                "then": writer.keyMatches(
                    beside: combiners.map { JSON.Member(key: $0, value: list) }),
            ])
        }
    }

    /// A map of keys to values and comparisons, all of which must hold, and of lists of conditions.
    private mutating func keyMatches(beside combiners: [JSON.Member]) -> JSON {
        guard let names else {
            return .object([
                "properties": .object(combiners), "additionalProperties": match(.dyn),
            ])
        }
        let keys = names.contextKeys.map { key in
            JSON.Member(key: key.name.value, value: described(match(key), summary: key.summary))
        }
        let conditions = (names.byKind["named condition"] ?? []).map { name in
            JSON.Member(key: name, value: described(match(.bool), summary: "a named condition"))
        }
        // The names that the engine itself provides: see `Scope`.
        let own = JSON.object(["^(now$|session\\.|popups\\.|event\\.)": match(.dyn)])
        return .object([
            "properties": .object(combiners + keys + conditions), "patternProperties": own,
            "additionalProperties": isStrict ? false : match(.dyn),
        ])
    }

    private mutating func match(_ key: ContextKeyModel) -> JSON {
        let type = key.type?.value ?? .dyn
        guard let allowed = allowed(key) else { return match(type) }
        return definition("match_\(key.name.value)", hasNames: false) {
            $0.match(type, value: allowed)
        }
    }

    private mutating func match(_ type: CELType) -> JSON {
        definition(Self.identifier("match \(type)"), hasNames: false) { writer in
            writer.match(type, value: writer.json(type.schema, mayBeEmpty: true))
        }
    }

    /// A value of the type, or a map of comparisons.
    private mutating func match(_ type: CELType, value: JSON) -> JSON {
        let list = JSON.object(["type": "array", "items": value])
        let comparisons = Matcher.allCases.map { matcher in
            let operand: JSON =
                switch matcher {
                case .exists: .object(["type": "boolean"])
                case .in, .notIn: list
                case .contains: json((type.contained ?? type).schema, mayBeEmpty: true)
                case .eq, .ne: value
                case .gt, .gte, .lt, .lte, .startsWith, .endsWith, .matches:
                    json(type.schema, mayBeEmpty: true)
                }
            return JSON.Member(key: matcher.rawValue, value: operand)
        }
        let negation = JSON.Member(
            key: "not",
            value: .object([
                "type": "object", "properties": .object(comparisons),
                "additionalProperties": false, "minProperties": .int(1),
            ]))
        return .object([
            "if": .object(["type": "object"]),
            "then": .object([
                "properties": .object(comparisons + [negation]), "additionalProperties": false,
            ]),
            "else": value,
        ])
    }
}

// Values of context keys.
extension SchemaWriter {
    /// A map of context keys to their values.
    mutating func contextValues() -> JSON {
        guard let names else { return .object(["type": "object"]) }
        return definition("context_values") { writer in
            let properties = names.contextKeys.map { key in
                let type = key.type?.value ?? .dyn
                let value = writer.allowed(key) ?? writer.json(type.schema, mayBeEmpty: true)
                return JSON.Member(
                    key: key.name.value, value: writer.described(value, summary: key.summary))
            }
            return .object([
                "title": "values of context keys", "type": "object",
                "properties": .object(properties),
                "additionalProperties": writer.isStrict ? false : .object([]),
            ])
        }
    }

    /// The values that a key can have, when it has a list of them.
    private func allowed(_ key: ContextKeyModel) -> JSON? {
        guard let values = key.allowedValues?.value.map({ JSON($0.value) }) else { return nil }
        let known = values.compactMap { $0 }
        return known.count == values.count && !known.isEmpty
            ? .object(["enum": .array(known)]) : nil
    }
}

extension JSON {
    /// A value as it is written in a file; nil for values that are written as strings of another
    /// form.
    fileprivate init?(_ value: Value) {
        switch value {
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .uint(let value): self = .uint(value)
        case .double(let value): self = .double(value)
        case .string(let text): self = .string(text)
        case .null, .bytes, .timestamp, .duration, .version, .list, .map, .type, .optional:
            return nil
        }
    }
}

extension ContextKeyModel {
    /// The description of the key, and its type.
    fileprivate var summary: String {
        let type = type.map { "\($0.value)" } ?? "any"
        return description.map { "\($0.value) (\(type))" } ?? type
    }
}
