internal import PopCEL
internal import PopSource

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension JSON {
    /// As protobuf's JSON mapping writes values: times and durations as text, bytes in base64.
    init(_ value: Value) {
        switch value {
        case .null, .optional(nil): self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .uint(let value): self = .uint(value)
        case .double(let value): self = value.isFinite ? .double(value) : .string("\(value)")
        case .string(let value): self = .string(value)
        case .bytes(let value): self = .string(Data(value).base64EncodedString())
        case .timestamp(let value): self = .string(value.description)
        case .duration(let value): self = .string(DurationText.format(value))
        case .version(let value): self = .string(value.text)
        case .list(let values): self = .array(values.map { JSON($0) })
        case .map(let map):
            self = .object(map.map { JSON.Member(key: Self.key($0.key), value: JSON($0.value)) })
        case .type(let type): self = .string(type.runtimeName)
        case .optional(let value?): self = JSON(value)
        }
    }

    /// Keys of an object are strings; those of a map may also be numbers and bools.
    private static func key(_ value: Value) -> String {
        switch JSON(value) {
        case .string(let string): string
        case let json: json.compact
        }
    }
}

extension Value {
    /// Creates the value that a JSON value denotes, read as the given type: a string becomes a
    /// time, a duration or bytes if the type is such. If the JSON doesn't fit the type, the value
    /// keeps the kind of the JSON.
    init(_ json: JSON, as type: CELType = .dyn) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .uint(let value): self = .uint(value)
        case .double(let value): self = .double(value)
        case .string(let text): self = Self.read(text, as: type) ?? .string(text)
        case .array(let items):
            let element: CELType = if case .list(let element) = type { element } else { .dyn }
            self = .list(items.map { Value($0, as: element) })
        case .object(let members):
            var map = ValueMap()
            let (key, value): (CELType, CELType) =
                if case .map(let key, let value) = type { (key, value) } else { (.string, .dyn) }
            for member in members {
                map[Self.readKey(member.key, as: key) ?? .string(member.key)] =
                    Value(member.value, as: value)
            }
            self = .map(map)
        }
    }

    private static func read(_ text: String, as type: CELType) -> Value? {
        switch type {
        case .timestamp: Timestamp(parsing: text).map(Value.timestamp)
        case .duration: DurationText.parse(text).map(Value.duration)
        case .version: Version(text).map(Value.version)
        case .bytes: Data(base64Encoded: text).map { .bytes(Array($0)) }
        case .double: Double(text).flatMap { $0.isFinite ? nil : .double($0) }
        case .dyn, .null, .bool, .int, .uint, .string, .list, .map, .optional, .type, .wrapper,
            .opaque, .parameter:
            nil
        }
    }

    private static func readKey(_ text: String, as type: CELType) -> Value? {
        switch type {
        case .bool: Bool(text).map(Value.bool)
        case .int: Int64(text).map(Value.int)
        case .uint: UInt64(text).map(Value.uint)
        case .dyn, .null, .double, .string, .bytes, .timestamp, .duration, .version, .list, .map,
            .optional, .type, .wrapper, .opaque, .parameter:
            nil
        }
    }
}
