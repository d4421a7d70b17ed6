internal import PopCEL

/// The type of a context key that accepts every value of that type: a byte in place of a
/// declaration of two cache lines.
enum UnboundType: UInt8, Sendable {
    case bool, int, double, string

    init?(_ key: ContextKey) {
        guard key.allowedValues == nil, key.minimum == nil, key.maximum == nil else { return nil }
        switch key.type {
        case .bool: self = .bool
        case .int: self = .int
        case .double: self = .double
        case .string: self = .string
        case .dyn, .null, .uint, .bytes, .timestamp, .duration, .version, .list, .map, .optional,
            .type, .wrapper, .opaque, .parameter:
            return nil
        }
    }

    func takes(_ value: Value) -> Bool {
        switch (self, value) {
        case (.bool, .bool), (.int, .int), (.double, .double), (.string, .string): true
        case (.bool, _), (.int, _), (.double, _), (.string, _): false
        }
    }
}
