package import PopCEL

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
