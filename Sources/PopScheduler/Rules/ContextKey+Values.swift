public import PopCEL

extension ContextKey {
    /// Returns a sentence for people about why a value isn't allowed for the key; nil if it is
    /// allowed.
    public func refusal(of value: Value) -> String? {
        if case .failure(let problem) = check(value) { problem.message } else { nil }
    }

    struct Problem: Error { var message: String }

    /// Returns the value as the key's type, or the problem with it.
    func check(_ value: Value) -> Result<Value, Problem> {
        guard let fitting = value.fitting(type) else {
            return .failure(Problem(message: type.refusal(of: value)))
        }
        if let allowedValues, !allowedValues.contains(fitting) {
            return .failure(Problem(message: "not one of the allowed values"))
        }
        if let minimum, fitting.isLess(than: minimum) {
            return .failure(Problem(message: "less than the minimum"))
        }
        if let maximum, maximum.isLess(than: fitting) {
            return .failure(Problem(message: "greater than the maximum"))
        }
        return .success(fitting)
    }
}

extension Value {
    /// Returns true if a value is less than another of the same type, as the bounds of a key and
    /// its values are. NaN is within no bounds.
    fileprivate func isLess(than other: Value) -> Bool {
        switch (self, other) {
        case (.int(let left), .int(let right)): left < right
        case (.uint(let left), .uint(let right)): left < right
        case (.double(let left), .double(let right)): !(left >= right)
        case (.duration(let left), .duration(let right)): left < right
        case (.timestamp(let left), .timestamp(let right)): left < right
        case (.version(let left), .version(let right)): left < right
        case (.null, _), (.bool, _), (.int, _), (.uint, _), (.double, _), (.string, _), (.bytes, _),
            (.timestamp, _), (.duration, _), (.version, _), (.list, _), (.map, _), (.type, _),
            (.optional, _):
            false
        }
    }
}

extension CELType {
    /// Returns the reason why a value isn't of the type.
    fileprivate func refusal(of value: Value) -> String {
        if self == .version, case .string(let text) = value {
            return "expected a version, such as 1.12.0, found `\(text.prefix(Version.mostBytes))`"
        }
        return mismatch(value)
    }
}

extension Value {
    /// Returns the value as a type: itself, the same number in that type, or the version that a
    /// string names; nil if it doesn't fit.
    package func fitting(_ type: CELType) -> Value? {
        switch (type, self) {
        case (.dyn, _), (.null, .null), (.bool, .bool), (.string, .string), (.bytes, .bytes),
            (.timestamp, .timestamp), (.duration, .duration), (.int, .int), (.uint, .uint),
            (.double, .double), (.version, .version), (.wrapper, .null):
            self
        case (.version, .string(let text)): Version(text).map { .version($0) }
        case (.wrapper(let primitive), _): fitting(primitive)
        case (.int, .uint(let number)): Int64(exactly: number).map { .int($0) }
        case (.int, .double(let number)): Int64(exactly: number).map { .int($0) }
        case (.uint, .int(let number)): UInt64(exactly: number).map { .uint($0) }
        case (.uint, .double(let number)): UInt64(exactly: number).map { .uint($0) }
        case (.double, .int(let number)): Double(exactly: number).map { .double($0) }
        case (.double, .uint(let number)): Double(exactly: number).map { .double($0) }
        case (.list(let element), .list(let values)):
            Self.all(values.map { $0.fitting(element) }).map { .list($0) }
        case (.map(let key, let value), .map(let entries)):
            Self.fitting(entries, key: key, value: value)
        default: nil
        }
    }

    private static func fitting(_ map: ValueMap, key: CELType, value: CELType) -> Value? {
        guard let keys = all(map.keys.map { $0.fitting(key) }),
            let values = all(map.values.map { $0.fitting(value) })
        else { return nil }
        return .map(ValueMap(zip(keys, values).map { (key: $0, value: $1) }))
    }

    private static func all(_ values: [Value?]) -> [Value]? {
        let present = values.compactMap { $0 }
        return present.count == values.count ? present : nil
    }
}

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
