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
