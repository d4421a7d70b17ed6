internal import PopCEL
internal import PopScheduler
internal import PopSource
internal import PopYAML

/// A context key written as a map, before its type is known to its other values.
struct ContextKeyMap: Sendable {
    var type: Located<CELType>?
    var values: Located<YAMLNode>?
    var minimum: Located<YAMLNode>?
    var maximum: Located<YAMLNode>?
    var defaultValue: Located<YAMLNode>?
    var isMomentary: Located<Bool>?
    var description: Located<String>?
}

/// Help on keys that other tools use for values that may be missing.
private let helpOnMissing: [String: String] = {
    let names = ["nullable", "optional", "required", "is_optional", "is_required", "not_null"]
    let reason =
        "because `default` decides whether a value may be missing: a key with `default` always has"
        + " a value, and a key without `default` may have no value; to check for a"
        + " value, use a condition such as `has(user.plan)`"
    return Dictionary(uniqueKeysWithValues: names.map { ($0, "\n\nremove `$`, \(reason)") })
}()

extension Table<ContextKeyMap> {
    static let contextKey = Table(
        "an entry of `context`",
        keys: [
            Key(
                "type", format: .type, store: { $0.type = $1 },
                summary: "the type of the values of the key, such as `string`"
            ).required,
            Key(
                "values", format: .node(.list(.any, count: 1...Int.max)), store: { $0.values = $1 },
                alsoCalled: ["enum", "options", "allowed"],
                summary: "the values that the key can have"),
            Key(
                "min", format: .node(.any), store: { $0.minimum = $1 }, alsoCalled: ["minimum"],
                summary: "the smallest value that the key can have"),
            Key(
                "max", format: .node(.any), store: { $0.maximum = $1 }, alsoCalled: ["maximum"],
                summary: "the largest value that the key can have"),
            Key(
                "default", format: .node(.any), store: { $0.defaultValue = $1 },
                alsoCalled: ["initial", "value"] + helpOnMissing.keys,
                summary:
                    "the value of the key until the app sets the key; without a default, the key"
                    + " has no value until then"
            ).such(as: helpOnMissing),
            Key(
                "momentary", format: .bool, store: { $0.isMomentary = $1 },
                alsoCalled: ["transient", "volatile", "ephemeral", "temporary", "moment"],
                summary:
                    "whether the key describes the current situation, such as the current screen,"
                    + " and not the user"),
            Key(
                "description", format: .text, store: { $0.description = $1 },
                summary: "the meaning of the key, for people who read the rules"),
        ],
        rules: [
            .typed(by: "type", values: ["default"], lists: ["values"], bounds: ["min", "max"])
        ])
}

extension Decoder {
    /// An entry of `context`: only a type, or a map.
    mutating func contextKey(_ name: Located<String>, at node: YAMLNode) -> ContextKeyModel {
        var key = ContextKeyModel(name: name)
        guard node.kind == .mapping else {
            if let type = typeOfSample(node) {
                report(.sampleInsteadOfType(name, type: type, at: node, in: source))
            } else {
                key.type = read(.type, at: node)
            }
            return key
        }
        if let inner = nestedKey(node) {
            // As a name `popups` has been reported.
            if name.value != "popups" {
                report(
                    SectionKey.named(name.value) == nil
                        ? .nestedKeys(name, inner: inner) : .sectionInside(name))
            }
            return key
        }
        var map = ContextKeyMap()
        read(.contextKey, at: node, into: &map)
        key.type = map.type
        key.description = map.description
        key.isMomentary = map.isMomentary
        guard let type = map.type?.value else { return key }
        if let values = map.values { key.allowedValues = allowedValues(values, of: type) }
        key.minimum = bound(map.minimum, name: "min", of: type)
        key.maximum = bound(map.maximum, name: "max", of: type)
        key.hasDefault = map.defaultValue != nil
        key.defaultValue = map.defaultValue.flatMap { typed($0, name: "default", as: type) }
        checkBounds(&key)
        return key
    }

    /// The first key of a map that has none of the keys of a declaration, but types or maps.
    private func nestedKey(_ node: YAMLNode) -> YAMLNode? {
        let table = Table.contextKey
        guard let first = node.entries.first, first.key.scalar != nil,
            !node.entries.contains(where: { table.shape.index(of: $0.key) != nil })
        else { return nil }
        let isType = first.value.scalar.map { CELType.simpleTypes[$0.text] != nil } ?? false
        return isType || first.value.kind == .mapping ? first.key : nil
    }

    /// The type of a sample value that is written instead of a type; nil if it may be meant as a
    /// type.
    private func typeOfSample(_ node: YAMLNode) -> CELType? {
        switch node.scalar?.value {
        case .bool?: return .bool
        case .int?: return .int
        case .float?: return .double
        case nil, .null, .unsigned, .hugeInteger, .string: break
        }
        guard let first = node.items.first else { return nil }
        return typeOfSample(first) ?? .string
    }

    private mutating func typed(
        _ node: Located<YAMLNode>, name: String, as type: CELType
    ) -> Located<Value>? {
        inside(keyNamed: name) { $0.value(node.value, as: type) }.map {
            Located($0, at: node.range)
        }
    }

    /// Nil also where one of them cannot be read: which values are allowed is not known then.
    mutating func allowedValues(
        _ node: Located<YAMLNode>, of type: CELType
    ) -> Located<[Located<Value>]>? {
        inside(keyNamed: "values") { decoder -> [Located<Value>]? in
            guard node.value.kind == .sequence else {
                return decoder.mismatch(.list(type.schema), at: node.value)
            }
            if node.value.items.isEmpty {
                decoder.report(.noValues(at: node.range))
                return nil
            }
            if case .list = type, let item = node.value.items.first(where: { $0.kind == .scalar }) {
                decoder.report(.valueOfItems(type, at: item))
                return nil
            }
            let values = decoder.insideItem { decoder in
                node.value.items.map { item in
                    decoder.value(item, as: type).map { Located($0, at: item.range) }
                }
            }
            return values.contains { $0 == nil } ? nil : values.compactMap(\.self)
        }.map { Located($0, at: node.range) }
    }

    private mutating func bound(
        _ node: Located<YAMLNode>?, name: String, of type: CELType
    ) -> Located<Value>? {
        guard let node else { return nil }
        guard type.hasBounds else {
            report(.boundWithoutOrder(name, type: type, at: node.range))
            return nil
        }
        return typed(node, name: name, as: type)
    }

    /// Removes bounds that no value is between: the intended bounds are unknown.
    private mutating func checkBounds(_ key: inout ContextKeyModel) {
        if let minimum = key.minimum, let maximum = key.maximum,
            maximum.value.isLess(than: minimum.value)
        {
            report(.boundsCross(minimum, maximum, in: source))
            (key.minimum, key.maximum) = (nil, nil)
            return
        }
        guard let value = key.defaultValue else { return }
        var text: String { source.text(in: value.range).shortened }
        if let allowed = key.allowedValues,
            !allowed.value.contains(where: { $0.value == value.value })
        {
            let names = allowed.value.map { source.text(in: $0.range).shortened }
            report(.defaultNotAllowed(text, names: names, at: value.range, list: allowed.range))
        } else if let minimum = key.minimum, value.value.isLess(than: minimum.value) {
            report(
                .defaultOutside(text, side: "below `min`", at: value.range, bound: minimum.range))
        } else if let maximum = key.maximum, maximum.value.isLess(than: value.value) {
            report(
                .defaultOutside(text, side: "above `max`", at: value.range, bound: maximum.range))
        }
    }
}

extension CELType {
    /// True if its values have an order, so that there can be a smallest and a largest.
    var hasBounds: Bool {
        switch self {
        case .int, .uint, .double, .timestamp, .duration, .version: true
        case .dyn, .null, .bool, .string, .bytes, .list, .map, .optional, .type, .wrapper, .opaque,
            .parameter:
            false
        }
    }
}

extension Value {
    /// Returns true if this is less than another value of the same type that has an order. NaN is
    /// within no bounds.
    func isLess(than other: Value) -> Bool {
        switch (self, other) {
        case (.int(let a), .int(let b)): a < b
        case (.uint(let a), .uint(let b)): a < b
        case (.double(let a), .double(let b)): !(a >= b)
        case (.timestamp(let a), .timestamp(let b)): a < b
        case (.duration(let a), .duration(let b)): a < b
        case (.version(let a), .version(let b)): a < b
        case (.null, _), (.bool, _), (.int, _), (.uint, _), (.double, _), (.string, _), (.bytes, _),
            (.timestamp, _), (.duration, _), (.version, _), (.list, _), (.map, _), (.type, _),
            (.optional, _):
            false
        }
    }
}

extension Diagnostic {
    fileprivate static func nestedKeys(_ outer: Located<String>, inner: YAMLNode) -> Self {
        let name = "\(outer.value).\(inner.nameForMessages)"
        return Diagnostic(
            .schemaUnknownKey, message: "context keys cannot be nested", at: outer.range,
            label: "`\(outer.value)` contains other keys",
            help: [
                "write the whole name as one key, `\(name)`, followed by its type, such as"
                    + " `\(name): string`"
            ])
    }

    fileprivate static func sectionInside(_ name: Located<String>) -> Self {
        Diagnostic(
            .schemaUnknownKey, message: "the section `\(name.value)` is inside `context`",
            at: name.range, label: "not a context key, but a section",
            help: [
                "move `\(name.value)` and the lines below it to the left, so that"
                    + " `\(name.value)` starts in the same column as `context`"
            ])
    }

    fileprivate static func sampleInsteadOfType(
        _ name: Located<String>, type: CELType, at node: YAMLNode, in source: SourceFile
    ) -> Self {
        let text = source.text(in: node.range)
        let key = node.kind == .sequence ? "values" : "default"
        let item = node.items.count == 1 ? node.items[0].scalar?.text : nil
        let isType = item.map { CELType.simpleTypes[$0] != nil } ?? false
        let map = isType ? "list<\(item ?? "")>" : "{ type: \(type), \(key): \(text) }"
        return Diagnostic(
            .schemaType,
            message: "`\(name.value)` must be a type such as `string`, but \(node.foundClause)",
            at: node.rangeToPointAt(in: source), label: "not a type",
            help: text.contains("\n")
                ? ["write a map with the keys `type` and `\(key)`"] : ["write `\(map)`"],
            fixes: text.contains("\n") ? [] : [.rename(node.range, to: map)])
    }

    fileprivate static func noValues(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaRange, message: "`values` is an empty list, so no value is allowed",
            at: range,
            label: "no items", help: ["list the allowed values, or remove `values`"])
    }

    fileprivate static func valueOfItems(_ type: CELType, at item: YAMLNode) -> Self {
        Diagnostic(
            .schemaType, message: "`values` of a key with the type `\(type)` must contain lists",
            at: item.range,
            label: "a single item, not a list",
            help: [
                "if these are the allowed items of a list, remove `values`, because only whole"
                    + " lists can be restricted",
                "if you mean whole lists, put each list in brackets, such as"
                    + " `values: [[\(item.nameForMessages)]]`",
            ])
    }

    fileprivate static func boundWithoutOrder(
        _ name: String, type: CELType, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .schemaExclusiveKeys,
            message: "`\(name)` has no effect for values of the type `\(type)`",
            at: range, label: "`\(type)` has no smallest or largest value",
            help: ["list the allowed values under `values`, or remove `\(name)`"])
    }

    fileprivate static func boundsCross(
        _ minimum: Located<Value>, _ maximum: Located<Value>, in source: SourceFile
    ) -> Self {
        Diagnostic(
            .schemaRange, message: "`max` is less than `min`, so no value is allowed",
            at: maximum.range, label: "`max` is the largest value",
            secondary: [Label("`min` is the smallest value", at: minimum.range)])
    }

    fileprivate static func defaultNotAllowed(
        _ text: String, names: [String], at range: SourceRange, list: SourceRange
    ) -> Self {
        let similar = similarValues(to: text, among: names)
        return Diagnostic(
            .schemaEnum, message: "the default `\(text)` is not one of the allowed values",
            at: range,
            label: "not an allowed value", secondary: [Label("the allowed values", at: list)],
            help: similar.isEmpty ? [] : ["did you mean \(alternatives(similar))?"],
            fixes: similar.count == 1 ? [.rename(range, to: similar[0])] : [])
    }

    fileprivate static func defaultOutside(
        _ text: String, side: String, at range: SourceRange, bound: SourceRange
    ) -> Self {
        let end = side.hasPrefix("below") ? "smallest" : "largest"
        return Diagnostic(
            .schemaRange, message: "the default `\(text)` is \(side)", at: range,
            label: "outside the allowed range",
            secondary: [Label("the \(end) allowed value", at: bound)])
    }
}

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
                "write the fields directly below the event, without `\(name.value)`, such as"
                    + " `\(written ?? "{ total: double }")`"
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
                let names = node.items.compactMap { $0.scalar?.text }.filter {
                    NameForm.id.fits($0.utf8) && CELType.simpleTypes[$0] == nil
                }
                let fields = (names.isEmpty ? ["title"] : names.prefix(5)).map { "\($0): string" }
                return decoder.mismatch(
                    schema, at: node,
                    help: [
                        "write each field with its type, such as"
                            + " `{ \(fields.joined(separator: ", ")) }`"
                    ])
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
