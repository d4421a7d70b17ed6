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
            guard let text = node.scalar?.text else { return decoder.mismatch(schema, node) }
            guard let type = CELType(parsing: text, depth: decoder.limits.typeDepth) else {
                decoder.report(.unknownType(text, decoder.subjectOfValue, at: node.range))
                return nil
            }
            return type
        }
    }
}

private let simpleTypes = CELType.simpleTypes.keys.sorted().joined(separator: "|")

/// What other languages call the types.
private let foreignTypes = [
    "boolean": "bool", "integer": "int", "number": "double", "float": "double", "text": "string",
    "str": "string", "date": "timestamp", "datetime": "timestamp", "time": "timestamp",
    "array": "list<any>", "list": "list<any>", "map": "map<string,any>",
    "object": "map<string,any>",
    "dict": "map<string,any>", "dyn": "any",
]

private let mapHelp =
    "a map is written `map<string, int>`; its keys are `string`, `int`, `uint`, `bool` or `any`"

extension CELType {
    /// What a value of the type looks like in YAML.
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
        case .list(let element): .list(element.schema)
        case .map(_, let value): .map(value.schema)
        default: .any
        }
    }
}

extension Diagnostic {
    fileprivate static func unknownType(
        _ text: String, _ subject: String, at range: SourceRange
    ) -> Self {
        let names = CELType.simpleTypes.keys.sorted()
        let meant =
            foreignTypes[text.lowercased()]
            ?? similarNames(to: text, among: names, limit: 1).first
        let isMap = text.hasPrefix("map<")
        return Diagnostic(
            .schemaEnum, "there is no type `\(text.shortened)`", at: range,
            label: meant.map { "the type for this is `\($0)`" } ?? "not a type",
            help: meant != nil
                ? []
                : isMap
                    ? [mapHelp]
                    : [
                        "the types are \(enumeration(names)), and those made of them, such as"
                            + " `list<string>` and `map<string, int>`"
                    ], fixes: meant.map { [.rename(range, to: $0)] } ?? [])
    }
}
