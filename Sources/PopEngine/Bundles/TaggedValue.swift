internal import PopCEL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A value as bundles write it: JSON's own where JSON can tell it apart, and otherwise an object
/// with one key that begins with `$` and names the type, such as `{"$double": "1.5"}`.
struct TaggedValue {
    var value: Value

    init(_ value: Value) { self.value = value }
}

extension TaggedValue: Encodable {
    func encode(to encoder: any Encoder) throws {
        switch value {
        case .null, .type, .optional: try encode("$null", true, to: encoder)
        case .bool(let value): try encode(value, to: encoder)
        case .int(let value): try encode(value, to: encoder)
        case .string(let value): try encode(value, to: encoder)
        case .uint(let value): try encode("$uint", value, to: encoder)
        case .double(let value): try encode("$double", "\(value)", to: encoder)
        case .bytes(let value):
            try encode("$bytes", Data(value).base64EncodedString(), to: encoder)
        case .timestamp(let value): try encode("$timestamp", value.description, to: encoder)
        case .duration(let value): try encode("$duration", DurationText.format(value), to: encoder)
        case .list(let values): try encode(values.map { TaggedValue($0) }, to: encoder)
        case .map(let map): try encode(map, to: encoder)
        }
    }

    private func encode(_ value: some Encodable, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    private func encode(_ tag: String, _ value: some Encodable, to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Tag.self)
        try container.encode(value, forKey: Tag(stringValue: tag))
    }

    /// A list of keys and values in turn, so that any value may be a key and the order is kept.
    private func encode(_ map: ValueMap, to encoder: any Encoder) throws {
        try encode(
            "$map", map.flatMap { [TaggedValue($0.key), TaggedValue($0.value)] }, to: encoder)
    }

    private struct Tag: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension TaggedValue: Decodable {
    init(from decoder: any Decoder) throws {
        guard let raw = (decoder as? ValueDecoder)?.value, let value = Self.untag(raw) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a value"))
        }
        self.value = value
    }

    private static func untag(_ raw: Value) -> Value? {
        switch raw {
        case .bool, .int, .string: raw
        case .list(let items): untag(items).map(Value.list)
        case .map(let map) where map.count == 1:
            if case .string(let tag) = map[0].key { untag(tag, map[0].value) } else { nil }
        default: nil
        }
    }

    private static func untag(_ items: [Value]) -> [Value]? {
        let values = items.compactMap(untag)
        return values.count == items.count ? values : nil
    }

    private static func untag(_ tag: String, _ raw: Value) -> Value? {
        switch (tag, raw) {
        case ("$null", _): .null
        case ("$uint", .int(let number)): UInt64(exactly: number).map(Value.uint)
        case ("$uint", .uint(let number)): .uint(number)
        case ("$double", .string(let text)): Double(text).map(Value.double)
        case ("$bytes", .string(let text)): Data(base64Encoded: text).map { .bytes(Array($0)) }
        case ("$timestamp", .string(let text)): Timestamp(parsing: text).map(Value.timestamp)
        case ("$duration", .string(let text)): DurationText.parse(text).map(Value.duration)
        case ("$map", .list(let items)): untagMap(items)
        default: nil
        }
    }

    private static func untagMap(_ items: [Value]) -> Value? {
        guard let values = untag(items), values.count.isMultiple(of: 2) else { return nil }
        var map = ValueMap()
        for place in stride(from: 0, to: values.count, by: 2) {
            map[values[place]] = values[place + 1]
        }
        return .map(map)
    }
}
