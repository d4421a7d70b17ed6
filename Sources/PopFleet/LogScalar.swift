package import PopCEL
internal import PopScheduler
package import PopSource

/// A value of a log, as far as the log itself says what it is.
public enum LogScalar: Sendable, Hashable {
    /// There is none, or it is null.
    case missing
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number of 64 bits.
    case int(Int64)
    /// Any other number.
    case double(Double)
    /// A text, be it one that reads as a number.
    case text(String)
    /// A list or a map, as JSON.
    case json(String)
}

extension LogScalar {
    /// What a value of JSON is in a log.
    package init(_ json: JSON) {
        switch json {
        case .null: self = .missing
        case .bool(let flag): self = .bool(flag)
        case .int(let number): self = .int(number)
        case .uint(let number): self = .double(Double(number))
        case .double(let number): self = .double(number)
        case .string(let text): self = .text(text)
        case .array, .object: self = .json(json.compact)
        }
    }

    /// What a column says that holds a name; nil where it says nothing.
    package var plainText: String? {
        switch self {
        case .missing: nil
        case .bool(let flag): "\(flag)"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .text(let text), .json(let text): text.isEmpty ? nil : text
        }
    }

    /// The value as one of a type of the rules; nil for what is none.
    package func value(as type: CELType) -> Value? {
        switch self {
        case .missing: nil
        case .bool(let flag): type == .string ? .string("\(flag)") : Value.bool(flag).fitting(type)
        case .int(let number):
            type == .string ? .string("\(number)") : Value.int(number).fitting(type)
        case .double(let number): Value.double(number).fitting(type)
        case .text(let text): Self.value(of: text, as: type)
        case .json(let text): Self.parsed(text).flatMap { Self.value(of: $0, as: type) }
        }
    }

    private static func value(of text: String, as type: CELType) -> Value? {
        switch type {
        case .bool: return Bool(text).map(Value.bool)
        case .int: return Int64(text).map(Value.int)
        case .uint: return UInt64(text).map(Value.uint)
        case .double: return Double(text).map(Value.double)
        case .timestamp: return Timestamp(parsing: text).map(Value.timestamp)
        case .duration: return DurationText.parse(text, knowsDays: true).map(Value.duration)
        case .list, .map: return parsed(text).flatMap { value(of: $0, as: type) }
        case .wrapper(let primitive): return value(of: text, as: primitive)
        case .dyn, .null, .string, .bytes, .version, .optional, .type, .opaque, .parameter:
            return Value.string(text).fitting(type)
        }
    }

    private static func value(of json: JSON, as type: CELType) -> Value? {
        switch (json, type) {
        case (.array(let items), .list(let element)):
            all(items.map { LogScalar($0).value(as: element) }).map { .list($0) }
        case (.object(let members), .map(.string, let element)):
            all(members.map { LogScalar($0.value).value(as: element) }).map { values in
                .map(
                    ValueMap(
                        zip(members, values).map { (key: .string($0.key), value: $1) }))
            }
        default: nil
        }
    }

    private static func all(_ values: [Value?]) -> [Value]? {
        let present = values.compactMap { $0 }
        return present.count == values.count ? present : nil
    }

    private static func parsed(_ text: String) -> JSON? { try? JSON.parse(Array(text.utf8)) }
}
