internal import PopCEL
internal import PopScheduler
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
            Key(
                "type", format: .type, store: { $0.type = $1 },
                summary: "the type of the values of the field, such as `string`"
            ).required,
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
                summary: "the values that the field may have"),
            Key(
                "format", format: .word(ContentFormat.self), store: { $0.format = $1 },
                summary: "the format that a string must have"),
            Key(
                "localized", format: .bool, store: { $0.localized = $1 },
                alsoCalled: ["translated", "translatable", "localised", "i18n", "l10n", "locales"],
                summary: "whether the field may have a string for each language"),
            Key(
                "description", format: .text, store: { $0.description = $1 },
                summary: "the purpose of the field, for people who read the rules"),
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
            .schemaRange, message: "`values` contains a value that is longer than `max`",
            at: range, label: "has the length \(length)",
            secondary: [Label("the maximum length is \(maximum.value)", at: maximum.range)],
            help: ["shorten the value, or raise `max`"])
    }
}

extension ContentFormat {
    /// Returns the mistake in a string, and a suggestion; nil without a mistake.
    func problem(in text: String) -> (help: String, meant: String?)? {
        switch self {
        case .url: problemInAddress(text)
        case .color: problemInColor(text)
        case .date:
            daysSince1970(text) != nil
                ? nil
                : (
                    helpOnLastDay(text)
                        ?? "write a date as year, month and day, such as `2027-01-31`", nil
                )
        case .email:
            text.wholeMatch(of: #/[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;.]+/#) != nil
                ? nil : ("write one address, such as `help@example.com`", nil)
        }
    }

    /// The noun after "is no" in messages.
    var noun: String {
        switch self {
        case .url: "URL"
        case .color: "color"
        case .date: "date"
        case .email: "email address"
        }
    }
}

/// An address with its scheme, of the web or of the app.
private func problemInAddress(_ text: String) -> (help: String, meant: String?)? {
    if text.contains(where: \.isWhitespace) {
        return ("use `%20` instead of each space", nil)
    }
    let general = "start the URL with its scheme, such as `https://example.com` or `myapp://home`"
    guard let match = text.wholeMatch(of: #/([A-Za-z][A-Za-z0-9+.\-]*):(.+)/#) else {
        let isHost = text.wholeMatch(of: #/(?:[A-Za-z0-9\-]+\.)+[A-Za-z]{2,}(?:[\/?#].*)?/#) != nil
        return (general, isHost ? "https://\(text)" : nil)
    }
    let (scheme, rest) = (match.output.1.lowercased(), match.output.2)
    guard ["http", "https"].contains(scheme) else {
        // `example.com:8080` and `localhost:3000` name a port.
        let isPort = rest.first?.isNumber == true && scheme != "tel"
        let isNear = ["htp", "htps", "htttp", "htttps", "hhtp", "hhtps", "http", "https", "ttps"]
            .contains(scheme)
        if isNear {
            return ("use the scheme `https` instead of `\(match.output.1)`", "https:\(rest)")
        }
        return isPort ? (general, "https://\(text)") : nil
    }
    if rest.wholeMatch(of: #/\/\/[^\/?#]+.*/#) != nil { return nil }
    let host = rest.drop { $0 == "/" }
    return (
        "write two slashes and a host after `\(scheme):`",
        host.isEmpty ? nil : "\(scheme)://\(host)"
    )
}

/// `#` and three, four, six or eight digits.
private func problemInColor(_ text: String) -> (help: String, meant: String?)? {
    let form =
        "use `#` and six hexadecimal digits, such as `\"#ff8800\"`; two more digits set the opacity"
    if let digits = namedColors[text.lowercased()] {
        return (
            "use `#` and six hexadecimal digits instead of the name of a color", "\"#\(digits)\""
        )
    }
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    let isColor =
        [3, 4, 6, 8].contains(digits.utf8.count)
        && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
    if isColor, text.hasPrefix("#") { return nil }
    return (form, isColor ? "\"#\(digits)\"" : nil)
}

/// Colors by their names in CSS (CSS Color Module Level 4, section "Named Colors"), as digits.
private let namedColors = [
    "black": "000000", "white": "ffffff", "red": "ff0000", "green": "008000", "lime": "00ff00",
    "blue": "0000ff", "yellow": "ffff00", "cyan": "00ffff", "aqua": "00ffff", "magenta": "ff00ff",
    "fuchsia": "ff00ff", "gray": "808080", "grey": "808080", "silver": "c0c0c0",
    "maroon": "800000", "olive": "808000", "purple": "800080", "teal": "008080", "navy": "000080",
    "orange": "ffa500", "pink": "ffc0cb", "brown": "a52a2a", "gold": "ffd700", "beige": "f5f5dc",
    "coral": "ff7f50", "crimson": "dc143c", "indigo": "4b0082", "ivory": "fffff0",
    "khaki": "f0e68c", "lavender": "e6e6fa", "salmon": "fa8072", "tan": "d2b48c",
    "tomato": "ff6347", "turquoise": "40e0d0", "violet": "ee82ee", "lightblue": "add8e6",
    "lightgreen": "90ee90", "lightgray": "d3d3d3", "lightgrey": "d3d3d3", "lightpink": "ffb6c1",
    "lightyellow": "ffffe0", "darkblue": "00008b", "darkgreen": "006400", "darkgray": "a9a9a9",
    "darkgrey": "a9a9a9", "darkred": "8b0000", "darkorange": "ff8c00", "skyblue": "87ceeb",
    "royalblue": "4169e1", "steelblue": "4682b4", "slategray": "708090", "forestgreen": "228b22",
    "seagreen": "2e8b57", "hotpink": "ff69b4", "deeppink": "ff1493", "plum": "dda0dd",
    "orchid": "da70d6", "mintcream": "f5fffa", "whitesmoke": "f5f5f5", "rebeccapurple": "663399",
]

extension Table<ActionModel> {
    static let action = Table(
        "an action",
        keys: [
            Key(
                "refusal", format: .bool, store: { $0.refusal = $1 },
                alsoCalled: ["refuse", "refuses", "is_refusal", "negative", "close", "closes"],
                summary:
                    "whether users decline the popup with this action, which counts like closing")
        ])
}

extension Format<[ActionModel]> {
    /// A list of names, of which each may be a map with more keys.
    static var actions: Self {
        let id = Schema.pattern(
            phrase: "the name of an action such as `accept`",
            expression: "^[A-Za-z_][A-Za-z0-9_]*$")
        let map = Schema.map(.table(Table.action.schema), keys: .declared(.id))
        let schema = Schema.list(.either([id, map]), count: 1...RuleBounds.fields)
        return Format(schema) { node, decoder in
            guard node.kind == .sequence else {
                guard let list = decoder.actionList(node) else {
                    return decoder.mismatch(schema, at: node)
                }
                return decoder.mismatch(
                    schema, at: node, help: ["write `\(list)`"],
                    fixes: [.rename(node.range, to: list)])
            }
            if node.items.isEmpty {
                decoder.report(.noActions(at: node.range))
                return []
            }
            let count = node.items.count
            guard count <= RuleBounds.fields else {
                decoder.report(
                    .itemCount(
                        count, minimum: 1, maximum: RuleBounds.fields, with: decoder, at: node))
                return nil
            }
            let actions = decoder.insideItem { decoder in
                node.items.flatMap { decoder.actions(in: $0, schema: id) }
            }
            return decoder.eachOnce(actions)
        }
    }
}

extension Decoder {
    /// The action that an item of the list declares; several where a map has several.
    fileprivate mutating func actions(in node: YAMLNode, schema: Schema) -> [ActionModel] {
        if node.isBroken { return [] }
        guard node.kind == .mapping else {
            guard case .string? = node.coreValue else {
                let _: String? = mismatch(schema, at: node)
                return []
            }
            return name(node, of: "action", form: .id).map { [ActionModel(name: $0)] } ?? []
        }
        if let refusal = refusalCutOff(node) {
            report(refusal)
            return []
        }
        return node.entries.compactMap { entry in
            guard let name = name(entry.key, of: "action", form: .id) else { return nil }
            var action = ActionModel(name: name)
            inside(key: entry.key) { decoder in
                if entry.value.kind == .mapping {
                    decoder.read(.action, at: entry.value, into: &action)
                } else if !entry.value.isBroken {
                    decoder.report(.actionIsNoMap(name, at: entry.value))
                }
            }
            return action
        }
    }

    /// Returns the finding about `- never:` above a `refusal` at the same level, and about `name:
    /// never`; nil if the item is not written so.
    private func refusalCutOff(_ node: YAMLNode) -> Diagnostic? {
        guard node.entries.count == 2,
            let refusal = node.entries.first(where: { $0.key.scalar?.hasText("refusal") == true }),
            let other = node.entries.first(where: { $0.key.scalar?.hasText("refusal") != true }),
            case .bool(let isRefusal)? = refusal.value.coreValue
        else { return nil }
        let isNamed = other.key.scalar.map { $0.hasText("name") || $0.hasText("id") } == true
        let name = isNamed && !other.value.isNull ? other.value : other.key
        guard isNamed || other.value.isNull, let text = name.scalar?.text else { return nil }
        return .refusalCutOff(text, isRefusal: isRefusal, at: node.range)
    }

    /// The first of those with one name; reports the others, and a name that means something else.
    fileprivate mutating func eachOnce(_ actions: [ActionModel]) -> [ActionModel] {
        var first: [String: SourceRange] = [:]
        return actions.filter { action in
            let name = action.name
            if name.value == TemplateRule.Action.close { report(.closeIsNoAction(at: name.range)) }
            guard let place = first[name.value] else {
                first[name.value] = name.range
                return true
            }
            report(.actionTwice(name, first: place))
            return false
        }
    }

    /// For actions written as a map: `{ accept: {}, never: { refusal: true } }`.
    fileprivate func actionList(_ node: YAMLNode) -> String? {
        guard node.kind == .mapping, !node.entries.isEmpty else { return nil }
        let items = node.entries.map { entry in
            let name = entry.key.nameForMessages
            return entry.value.entries.isEmpty
                ? name : "{ \(name): \(source.text(in: entry.value.range)) }"
        }
        let list = "[\(items.joined(separator: ", "))]"
        return list.utf8.count > 160 || list.contains("\n") ? nil : list
    }
}

extension Diagnostic {
    fileprivate static func refusalCutOff(
        _ name: String, isRefusal: Bool, at range: SourceRange
    ) -> Self {
        let item = isRefusal ? "{ \(name): { refusal: true } }" : name
        return Diagnostic(
            .schemaType, message: "`refusal` must be nested below the name of its action",
            at: range, label: "`refusal` is on the same level as the action",
            help: ["write the whole item as `\(item)`"],
            fixes: [.rename(range, to: item)])
    }

    fileprivate static func noActions(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaRange, message: "`actions` is an empty list", at: range, label: "no items",
            help: ["list the actions that users can take, or remove `actions`"])
    }

    fileprivate static func actionIsNoMap(_ name: Located<String>, at node: YAMLNode) -> Self {
        var diagnostic = Diagnostic(
            .schemaType,
            message: "`\(name.value)` must be a map with the key `refusal`, but"
                + " \(node.foundClause)",
            at: node.isNull ? name.range : node.range,
            help: [
                "if users decline the popup with this action, write"
                    + " `{ \(name.value): { refusal: true } }`",
                "if users do not decline the popup with this action, use only its name,"
                    + " `\(name.value)`",
            ])
        let text = node.scalar?.text ?? ""
        if !text.isEmpty {
            diagnostic.fixes = [.rename(node.range, to: "{ refusal: true }")]
        } else {
            diagnostic.help.removeFirst()
        }
        if text == "refusal" { diagnostic.help.removeLast() }
        return diagnostic
    }

    fileprivate static func closeIsNoAction(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaIDFormat, message: "`close` cannot be the name of an action", at: range,
            label: "reserved name",
            notes: ["`close` is built in: it means that the user closes the popup"],
            help: ["remove `close`, or choose another name"])
    }

    fileprivate static func actionTwice(_ name: Located<String>, first: SourceRange) -> Self {
        Diagnostic(
            .refDuplicateID, message: "the action `\(name.value)` is declared twice",
            at: name.range, label: "declared again",
            secondary: [Label("first declared here", at: first)],
            help: ["remove or rename one of the two actions; only the first is used"])
    }
}
