/// A type of the language, as declared for a variable and as deduced for an expression.
public indirect enum CELType: Sendable, Hashable {
    /// Any value: only checked when it is evaluated.
    case dyn
    /// The type of only `null`.
    case null
    /// `true` and `false`.
    case bool
    /// 64 bits, signed.
    case int
    /// 64 bits, unsigned.
    case uint
    /// 64 bits (IEEE 754), with NaN and infinities.
    case double
    /// A Unicode string; sizes and indexes count code points.
    case string
    /// Bytes, which need not be UTF-8.
    case bytes
    /// A point in time from the year 1 to the year 9999, to the nanosecond.
    case timestamp
    /// A span of time, to the nanosecond.
    case duration
    /// A version such as `1.12.0`, compared by its parts: of rules, not of the language.
    case version
    /// A list whose elements have one type.
    case list(CELType)
    /// A map: the type of its keys, then that of its values.
    case map(CELType, CELType)
    /// A value that may be absent.
    case optional(CELType)
    /// A type as a value, such as `int` in `type(x) == int`; nil for any type.
    case type(CELType?)
    /// A primitive that may also be null.
    case wrapper(CELType)
    /// A type that the host declares and the language knows nothing about.
    case opaque(String, [CELType])
    /// A type parameter in the declaration of a function.
    case parameter(String)
}

extension CELType: CustomStringConvertible {
    /// The type as it is written in declarations and diagnostics, such as `map<string, int>`.
    public var description: String {
        switch self {
        case .dyn: "any"
        case .null: "null"
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .timestamp: "timestamp"
        case .duration: "duration"
        case .version: "version"
        case .list(let element): "list<\(element)>"
        case .map(let key, let value): "map<\(key), \(value)>"
        case .optional(let wrapped): "optional<\(wrapped)>"
        case .type(let type?): "type<\(type)>"
        case .type(nil): "type"
        case .wrapper(let primitive): "\(primitive) or null"
        case .opaque(let name, let parameters):
            parameters.isEmpty
                ? name : "\(name)<\(parameters.map { $0.description }.joined(separator: ", "))>"
        case .parameter(let name): name
        }
    }
}

extension CELType {
    /// The type with its article, as it is written in sentences, such as `a list<int>`.
    package var phrase: String { Self.phrase(description) }

    /// Returns the reason why a value isn't of the type, such as `expected an int, found a string`.
    package func mismatch(_ value: Value) -> String {
        "expected \(phrase), found \(value.type.phrase)"
    }

    /// Returns the name of a type with its article, such as `an int`.
    static func phrase(_ name: String) -> String {
        switch name {
        case "any": "any value"
        case "bytes", "null": name
        default: (name.first.map { "aeio".contains($0) } ?? false ? "an " : "a ") + name
        }
    }

    /// Returns the names of types with their articles, such as `an int, a uint or a double`.
    static func phrase(_ names: [String], joinedBy word: String) -> String {
        let phrases = names.map { phrase($0) }
        guard let last = phrases.last, phrases.count > 1 else { return phrases.first ?? "" }
        return phrases.dropLast().joined(separator: ", ") + " \(word) " + last
    }
}

extension CELType {
    /// The name that the language itself uses, such as `google.protobuf.Timestamp`; it is the
    /// result of `string(type(x))`.
    ///
    /// Types as values are only compared by this name.
    public var runtimeName: String {
        switch self {
        case .dyn: "dyn"
        case .null: "null_type"
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .timestamp: "google.protobuf.Timestamp"
        case .duration: "google.protobuf.Duration"
        case .version: "version"
        case .list: "list"
        case .map: "map"
        case .optional: "optional_type"
        case .type: "type"
        case .wrapper(let primitive): primitive.runtimeName
        case .opaque(let name, _), .parameter(let name): name
        }
    }
}

extension CELType {
    /// The types that a declaration names by a single word.
    package static let simpleTypes: [String: CELType] = [
        "bool": .bool, "int": .int, "uint": .uint, "double": .double, "string": .string,
        "bytes": .bytes, "timestamp": .timestamp, "duration": .duration, "version": .version,
        "any": .dyn,
    ]

    /// Reads a type as declarations write it, such as `map<string, list<int>>`; nil for other
    /// strings and for a type that is nested deeper than the limit.
    package init?(parsing text: String, depth: Int) {
        if let type = Self.simpleTypes[text] {
            self = type
            return
        }
        var rest = Substring(text.filter { $0 != " " })
        guard let type = Self.parse(&rest, depth: depth), rest.isEmpty else { return nil }
        self = type
    }

    private static func parse(_ rest: inout Substring, depth: Int) -> CELType? {
        let name = rest.prefix { $0.isASCII && $0.isLetter }
        rest = rest.dropFirst(name.count)
        if let type = simpleTypes[String(name)] { return type }
        guard depth > 0, rest.first == "<" else { return nil }
        rest = rest.dropFirst()
        var parameters: [CELType] = []
        repeat {
            if !parameters.isEmpty { rest = rest.dropFirst() }
            guard let parameter = parse(&rest, depth: depth - 1) else { return nil }
            parameters.append(parameter)
        } while rest.first == "," && parameters.count < 2
        guard rest.first == ">" else { return nil }
        rest = rest.dropFirst()
        switch (name, parameters.count) {
        case ("list", 1): return .list(parameters[0])
        case ("map", 2):
            return parameters[0].isMapKey ? .map(parameters[0], parameters[1]) : nil
        default: return nil
        }
    }

    private var isMapKey: Bool {
        switch self {
        case .bool, .int, .uint, .string, .dyn: true
        case .null, .double, .bytes, .timestamp, .duration, .version, .list, .map, .optional, .type,
            .wrapper, .opaque, .parameter:
            false
        }
    }
}
