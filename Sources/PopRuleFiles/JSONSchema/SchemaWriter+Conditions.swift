internal import PopCEL
internal import PopSource

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

// MARK: values of context keys

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
