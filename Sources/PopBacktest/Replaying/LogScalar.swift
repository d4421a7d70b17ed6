package import PopCEL
internal import PopScheduler
package import PopSource

/// A value of a log, with the type that the log itself gives it.
public enum LogScalar: Sendable, Hashable {
    /// The value is missing.
    case missing
    /// The value is null in JSON.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// An integer of 64 bits.
    case int(Int64)
    /// Any other number.
    case double(Double)
    /// A string, even if it reads as a number.
    case text(String)
    /// A list or a map, as JSON.
    case json(String)
}

extension LogScalar {
    /// Creates the value of a log for a JSON value.
    package init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .int(let number): self = .int(number)
        // No number of these is.
        case .uint(let number): self = .text("\(number)")
        case .double(let number): self = .double(number)
        case .string(let text): self = .text(text)
        case .array, .object: self = .json(json.compact)
        }
    }

    /// Indicates whether it is missing or null.
    package var isNothing: Bool { self == .missing || self == .null }

    /// As JSON has it, of which the same can be made again.
    package var json: JSON {
        switch self {
        case .missing, .null: .null
        case .bool(let flag): .bool(flag)
        case .int(let number): .int(number)
        case .double(let number): .double(number)
        case .text(let text): .string(text)
        case .json(let text): Self.parsed(text) ?? .string(text)
        }
    }

    /// The name in a column; nil if it has no value.
    package var plainText: String? {
        switch self {
        case .missing, .null: nil
        case .bool(let flag): "\(flag)"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .text(let text), .json(let text): text.isEmpty ? nil : text
        }
    }

    /// Returns the value as one of a type of the rules; nil if it isn't valid for the type. Times
    /// are read in the format of the rows, or as rules write them.
    package func value(as type: CELType, times: LogTime? = nil) -> Value? {
        if case .wrapper(let primitive) = type { return value(as: primitive, times: times) }
        switch self {
        case .missing, .null: return nil
        case .bool(let flag):
            return type == .string ? .string("\(flag)") : Value.bool(flag).fitting(type)
        case .int(let number):
            if type == .string { return .string("\(number)") }
            if type == .bool { return Self.bool("\(number)") }
            if type == .timestamp { return time(times) }
            return Value.int(number).fitting(type)
        case .double(let number):
            return type == .timestamp ? time(times) : Value.double(number).fitting(type)
        case .text(let text): return Self.value(of: text, as: type, times: times)
        case .json(let text):
            return Self.parsed(text).flatMap { Self.value(of: $0, as: type, times: times) }
        }
    }

    private func time(_ times: LogTime?) -> Value? {
        times?.read(self).map { .timestamp(Timestamp(nanoseconds: $0)) }
    }

    private static func value(of text: String, as type: CELType, times: LogTime?) -> Value? {
        switch type {
        case .bool: return bool(text)
        case .int, .uint: return whole(text)?.fitting(type)
        case .double: return Double(text).map(Value.double)
        case .timestamp:
            return Timestamp(parsing: text).map(Value.timestamp) ?? LogScalar.text(text).time(times)
        case .duration: return DurationText.parse(text, knowsDays: true).map(Value.duration)
        case .list, .map: return parsed(text).flatMap { value(of: $0, as: type, times: times) }
        case .wrapper(let primitive): return value(of: text, as: primitive, times: times)
        case .bytes: return .bytes(Array(text.utf8))
        case .dyn, .null, .string, .version, .optional, .type, .opaque, .parameter:
            return Value.string(text).fitting(type)
        }
    }

    /// As programs write it into columns.
    private static func bool(_ text: String) -> Value? {
        switch text {
        case "true", "True", "TRUE", "1": .bool(true)
        case "false", "False", "FALSE", "0": .bool(false)
        default: nil
        }
    }

    /// Reads an integer, even if a column of decimals has it as `3.0`.
    private static func whole(_ text: String) -> Value? {
        if let number = Int64(text) { return .int(number) }
        return UInt64(text).map(Value.uint) ?? Double(text).map(Value.double)
    }

    private static func value(of json: JSON, as type: CELType, times: LogTime?) -> Value? {
        switch (json, type) {
        case (.array, .dyn): value(of: json, as: .list(.dyn), times: times)
        case (.object, .dyn): value(of: json, as: .map(.string, .dyn), times: times)
        case (.array(let items), .list(let element)):
            all(items.map { item($0, as: element, times: times) }).map { .list($0) }
        case (.object(let members), .map(.string, let element)):
            all(members.map { item($0.value, as: element, times: times) }).map { values in
                .map(
                    ValueMap(
                        zip(members, values).map { (key: .string($0.key), value: $1) }))
            }
        default: nil
        }
    }

    /// Returns the value of an item in a list or a map, where null is a value.
    private static func item(_ json: JSON, as type: CELType, times: LogTime?) -> Value? {
        if case .null = json, type == .dyn { return .null }
        return LogScalar(json).value(as: type, times: times)
    }

    private static func all(_ values: [Value?]) -> [Value]? {
        let present = values.compactMap { $0 }
        return present.count == values.count ? present : nil
    }

    private static func parsed(_ text: String) -> JSON? { try? JSON.parse(Array(text.utf8)) }
}
