internal import PopCEL
internal import PopSource
internal import PopYAML

private let helpOnFields =
    "\n\nuse `required: { title: string }` for fields that the content must have, and"
    + " `optional: { image: string }` for fields that it may have"

extension Table<TemplateModel> {
    static let template = Table(
        "a template",
        keys: [
            Key(
                "required", format: .contentFields, store: { $0.required = $1 },
                alsoCalled: ["fields", "content", "needs"],
                summary: "the fields that the content must have, with their types"
            ).such(as: "{ title: string }").such(as: ["fields": helpOnFields]),
            Key(
                "optional", format: .contentFields, store: { $0.optional = $1 },
                summary: "the fields that the content may have, with their types"
            ).such(as: "{ image: string }"),
            Key(
                "actions", format: .actions, store: { $0.actions = $1 },
                alsoCalled: ["action", "buttons", "choices", "answers"],
                summary: "the user's actions on the popup that the app may report"
            ).such(as: "[accept, later, { never: { refusal: true } }]"),
        ])
}

/// A field written as a map, before its type is known to its values.
struct ContentFieldMap: Sendable {
    var type: Located<CELType>?
    var maximum: Located<Int>?
    var values: Located<YAMLNode>?
    var format: Located<ContentFormat>?
    var localized: Located<Bool>?
    var description: Located<String>?
}

extension Table<ContentFieldMap> {
    static let contentField = Table(
        "a field of a template",
        keys: [
            Key("type", format: .type, store: { $0.type = $1 }, summary: "the type of its values")
                .required,
            Key(
                "max", format: .integer(1...1_000_000), store: { $0.maximum = $1 },
                alsoCalled: [
                    "maximum", "max_length", "maxlength", "length", "limit", "max_items",
                    "characters", "chars",
                ],
                summary: "the maximum number of characters in a string, or of items in a list"),
            Key(
                "values", format: .node(.list(.any, count: 1...Int.max)), store: { $0.values = $1 },
                alsoCalled: ["enum", "options", "allowed", "one_of"],
                summary: "the values that it may have"),
            Key(
                "format", format: .word(ContentFormat.self), store: { $0.format = $1 },
                summary: "the format that a string must have"),
            Key(
                "localized", format: .bool, store: { $0.localized = $1 },
                alsoCalled: ["translated", "translatable", "localised", "i18n", "l10n", "locales"],
                summary: "whether it may have a text for each language"),
            Key(
                "description", format: .text, store: { $0.description = $1 },
                summary: "the purpose of the field, for readers"),
        ],
        rules: [.typed(by: "type", values: [], lists: ["values"], bounds: [])])
}

extension Format<[ContentFieldModel]> {
    /// A map from names of fields to types, or to maps with more keys.
    static var contentFields: Self {
        let either = Schema.either([
            Format<CELType>.type.schema, .table(Table.contentField.schema),
        ])
        return .fields(either) { $2.contentField($0, at: $1) }
    }
}

extension Decoder {
    /// A field of a template: only a type, or a map.
    fileprivate mutating func contentField(
        _ name: Located<String>, at node: YAMLNode
    ) -> ContentFieldModel {
        var field = ContentFieldModel(name: name)
        guard node.kind == .mapping else {
            field.type = read(.type, at: node)
            return field
        }
        var map = ContentFieldMap()
        read(.contentField, at: node, into: &map)
        field.type = map.type
        field.description = map.description
        // Without a type the other keys cannot be checked.
        guard let type = map.type?.value else { return field }
        field.maximum = fitting(map.maximum, named: "max", to: type, fits: type.hasLength)
        field.format = fitting(map.format, named: "format", to: type, fits: type == .string)
        field.localized = fitting(
            map.localized, named: "localized", to: type, fits: type == .string)
        field.allowedValues = map.values.flatMap { allowedValues($0, of: type) }
        checkLengths(field)
        return field
    }

    /// Reports a key that has no meaning for values of the type.
    private mutating func fitting<Value>(
        _ value: Located<Value>?, named key: String, to type: CELType, fits: Bool
    ) -> Located<Value>? {
        guard let value, !fits else { return value }
        report(.keyWithoutMeaning(key, type: type, at: value.range))
        return nil
    }

    /// A value that is listed and too long can never be written.
    private mutating func checkLengths(_ field: ContentFieldModel) {
        guard let most = field.maximum else { return }
        for value in field.allowedValues?.value ?? [] {
            guard let length = value.value.length, length > most.value else { continue }
            report(.valueTooLong(at: value.range, length: length, maximum: most))
        }
    }
}

extension CELType {
    /// True if its values have a `length`.
    fileprivate var hasLength: Bool {
        if case .list = self { true } else { self == .string }
    }
}

extension Value {
    /// The characters of a string as users count them, or the items of a list.
    var length: Int? {
        switch self {
        case .string(let text): text.count
        case .list(let items): items.count
        case .null, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, .version, .map,
            .type, .optional:
            nil
        }
    }
}

extension Diagnostic {
    fileprivate static func keyWithoutMeaning(
        _ key: String, type: CELType, at range: SourceRange
    ) -> Self {
        let kinds = key == "max" ? "strings and lists" : "strings"
        return Diagnostic(
            .schemaExclusiveKeys,
            message: "`\(key)` has no effect for values of the type `\(type)`", at: range,
            label: "works only for \(kinds)",
            help: ["remove `\(key)`, or change the type of the field to `string`"])
    }

    fileprivate static func valueTooLong(
        at range: SourceRange, length: Int, maximum: Located<Int>
    ) -> Self {
        Diagnostic(
            .schemaRange, message: "the field allows a value that is longer than its `max`",
            at: range, label: "length \(length)",
            secondary: [Label("at most \(maximum.value)", at: maximum.range)])
    }
}
