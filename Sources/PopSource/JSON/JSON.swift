/// A JSON value, written and read with the keys of an object in their order.
public indirect enum JSON: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// An integer that fits into 64 bits with a sign.
    case int(Int64)
    /// A number that may be larger than any `int`.
    case uint(UInt64)
    /// A number that is finite; anything else is written as null.
    case double(Double)
    /// Text; whatever JSON requires to be escaped is escaped when it is written.
    case string(String)
    /// Values in order.
    case array([JSON])
    /// Keys with their values, in order; a key may occur twice.
    case object([Member])

    /// A key of an object and its value.
    public struct Member: Sendable, Hashable {
        /// Any string, after its escapes were decoded.
        public var key: String
        /// The value of the key.
        public var value: JSON

        /// A key with its value.
        public init(key: String, value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// Creates a number from an integer of the size of list counts.
    public static func int(_ value: Int) -> JSON { .int(Int64(value)) }

    /// An object without the members whose value is nil.
    public static func object(_ members: KeyValuePairs<String, JSON?>) -> JSON {
        .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
    }

    /// The JSON on one line, as JSON lines require.
    public var compact: String {
        var text = ""
        write(to: &text, indent: nil)
        return text
    }

    /// The JSON with an indentation of two spaces.
    public var pretty: String {
        var text = ""
        write(to: &text, indent: 0)
        return text
    }

    private func write(to text: inout String, indent: Int?) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .int(let value): text += String(value)
        case .uint(let value): text += String(value)
        case .double(let value): text += value.isFinite ? "\(value)" : "null"
        case .string(let value): Self.write(value, to: &text)
        case .array(let items):
            Self.write(items, between: ("[", "]"), to: &text, indent: indent) {
                item, text, indent in
                item.write(to: &text, indent: indent)
            }
        case .object(let members):
            Self.write(members, between: ("{", "}"), to: &text, indent: indent) {
                member, text, indent in
                Self.write(member.key, to: &text)
                text += indent == nil ? ":" : ": "
                member.value.write(to: &text, indent: indent)
            }
        }
    }

    private static func write<Item>(
        _ items: [Item], between brackets: (String, String), to text: inout String, indent: Int?,
        item write: (Item, inout String, Int?) -> Void
    ) {
        text += brackets.0
        let inner = indent.map { $0 + 1 }
        for (position, item) in items.enumerated() {
            if position > 0 { text += "," }
            if let inner { text += "\n" + String(repeating: "  ", count: inner) }
            write(item, &text, inner)
        }
        if let indent, !items.isEmpty { text += "\n" + String(repeating: "  ", count: indent) }
        text += brackets.1
    }

    /// RFC 8259, section 7; control and bidirectional characters are escaped too, for terminals.
    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case " "..."~": text.unicodeScalars.append(scalar)
            default:
                if scalar.mustBeEscaped {
                    for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                        let digits = String(unit, radix: 16)
                        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                    }
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        text += "\""
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral {
    public init(stringLiteral text: String) { self = .string(text) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral items: JSON...) { self = .array(items) }
}

extension JSON {
    /// A member of an object; nil for anything else.
    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == name }?.value
    }

    /// The string; nil for any other value.
    package var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The integer, if it fits in an `Int`; nil for any other value.
    package var index: Int? {
        guard case .int(let number) = self else { return nil }
        return Int(exactly: number)
    }

    /// The Boolean value; nil for any other value.
    package var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The values of a list; empty for anything else.
    package var items: [JSON] {
        guard case .array(let items) = self else { return [] }
        return items
    }
}
