internal import PopCEL
internal import PopSource
internal import PopYAML

extension Format<CELType> {
    /// The type of a context key or of a field: `bool`, `list<string>`, `map<string, int>` and so
    /// on.
    static var type: Self {
        let schema = Schema.pattern(
            phrase: "a type such as `string`, `int` or `list<string>`",
            expression:
                #"^ *((list<|map< *(any|bool|int|string|uint) *,) *)*(\#(simpleTypes))[ >]*$"#)
        return Format(schema) { node, decoder in
            if let item = typeInBrackets(node) {
                decoder.report(
                    .typeInBrackets(item, subject: decoder.subjectOfValue, at: node.range))
                return nil
            }
            guard let text = node.scalar?.text else { return decoder.mismatch(schema, at: node) }
            guard let type = CELType(parsing: text, depth: decoder.limits.typeDepth) else {
                decoder.report(.unknownType(text, subject: decoder.subjectOfValue, at: node.range))
                return nil
            }
            return type
        }
    }
}

/// The type in a list of one, `[string]`.
private func typeInBrackets(_ node: YAMLNode) -> String? {
    guard node.items.count == 1, let text = node.items[0].scalar?.text else { return nil }
    let name = foreignTypes[text.lowercased()] ?? text
    return CELType.simpleTypes[name] == nil ? nil : name
}

private let simpleTypes = CELType.simpleTypes.keys.sorted().joined(separator: "|")

/// The names of the types in other languages.
private let foreignTypes = [
    "boolean": "bool", "integer": "int", "number": "double", "float": "double", "text": "string",
    "str": "string", "date": "timestamp", "datetime": "timestamp", "time": "timestamp",
    "array": "list<any>", "list": "list<any>", "map": "map<string, any>",
    "object": "map<string, any>",
    "dict": "map<string, any>", "dyn": "any", "semver": "version", "enum": "string",
    "enumeration": "string",
]

/// `string[]` and `array<string>`.
private func foreignList(_ text: String) -> String? {
    let beginnings = ["array<", "list(", "list[", "array(", "array[", "set<", "list of ", "list<"]
    let folded = text.lowercased()
    let beginning = beginnings.first { folded.hasPrefix($0) }
    guard beginning != nil || folded.hasSuffix("[]") else { return nil }
    let element = folded.dropFirst(beginning?.count ?? 0).filter(\.isLetter)
    let name = foreignTypes[String(element)] ?? String(element)
    let isKnown = CELType.simpleTypes[name] != nil || foreignTypes[String(element)] != nil
    return isKnown ? "list<\(name)>" : nil
}

private let mapHelp =
    "write a map as `map<string, int>`; its keys must be `string`, `int`, `uint`, `bool` or `any`"

extension CELType {
    /// The schema of the type's values in YAML.
    var schema: Schema {
        switch self {
        case .bool: .bool
        case .int: .integer(Int.min...Int.max)
        case .uint: .integer(0...Int.max)
        case .double: .number(-Double.infinity...Double.infinity)
        case .string, .bytes: .text
        case .timestamp:
            .pattern(phrase: "a time such as `2026-11-01T09:00:00Z`", expression: "^.+$")
        case .duration: .duration(minimum: 0)
        case .version:
            .pattern(
                phrase: "a version such as `\"1.12.0\"`",
                expression: #"^[0-9]+(\.[0-9]+)*(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$"#)
        case .list(let element): .list(element.schema)
        case .map(_, let value): .map(value.schema)
        case .dyn, .null, .optional, .type, .wrapper, .opaque, .parameter: .any
        }
    }
}

extension Diagnostic {
    fileprivate static func typeInBrackets(
        _ item: String, subject: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .schemaType, message: "\(subject) must be a type, but is a list", at: range,
            label: "a type in brackets",
            help: [
                "if each value is a list: `list<\(item)>`",
                "if each value is a single \(item): `\(item)`",
            ],
            fixes: [.rename(range, to: "list<\(item)>"), .rename(range, to: item)])
    }

    fileprivate static func unknownType(
        _ text: String, subject: String, at range: SourceRange
    ) -> Self {
        let names = CELType.simpleTypes.keys.sorted()
        let type =
            foreignTypes[text.lowercased()] ?? foreignList(text)
            ?? similarNames(to: text, among: names, limit: 1).first
        // In braces a comma would end the value.
        let meant = type.map { $0.contains(",") ? "\"\($0)\"" : $0 }
        let isMap = text.hasPrefix("map<")
        return Diagnostic(
            .schemaEnum, message: "unknown type `\(text.shortened)`", at: range,
            label: meant.map { "write `\($0)` instead" } ?? "not a type",
            help: text.lowercased().hasPrefix("enum")
                ? ["use the type `string`, and list the allowed strings under `values`"]
                : meant != nil
                    ? []
                    : isMap
                        ? [mapHelp]
                        : [
                            "use one of the types \(enumeration(names)), or a type built from"
                                + " them, such as `list<string>` or `map<string, int>`"
                        ], fixes: meant.map { [.rename(range, to: $0)] } ?? [])
    }
}
