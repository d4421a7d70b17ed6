public import PopCEL
internal import PopScheduler

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A Swift type whose values can be used in the context and in the payload of an event.
///
/// An enum with raw values only has to declare the conformance.
public protocol ValueConvertible: Sendable {
    /// The type that its values have in the rules; nil, the default, if they don't share a type. It
    /// allows the engine to compare a `TypedKey` with the declaration of its key.
    static var valueType: CELType? { get }
    /// The value that conditions read and content holds.
    var value: Value { get }
    /// Nil when the value is of another type or out of range.
    init?(_ value: Value)
}

extension ValueConvertible {
    public static var valueType: CELType? { nil }
}

extension ValueConvertible where Self: RawRepresentable, RawValue: ValueConvertible {
    public static var valueType: CELType? { RawValue.valueType }
    public var value: Value { rawValue.value }
    public init?(_ value: Value) {
        guard let raw = RawValue(value) else { return nil }
        self.init(rawValue: raw)
    }
}

extension Bool: ValueConvertible {
    public static var valueType: CELType? { .bool }
    public var value: Value { .bool(self) }
    public init?(_ value: Value) {
        guard case .bool(let bool) = value else { return nil }
        self = bool
    }
}

extension String: ValueConvertible {
    public static var valueType: CELType? { .string }
    public var value: Value { .string(self) }
    public init?(_ value: Value) {
        switch value {
        case .string(let string): self = string
        case .version(let version): self = version.text
        case .null, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, .list, .map, .type,
            .optional:
            return nil
        }
    }
}

extension Duration: ValueConvertible {
    public static var valueType: CELType? { .duration }
    public var value: Value { .duration(self) }
    public init?(_ value: Value) {
        guard case .duration(let duration) = value else { return nil }
        self = duration
    }
}

extension Timestamp: ValueConvertible {
    public static var valueType: CELType? { .timestamp }
    public var value: Value { .timestamp(self) }
    public init?(_ value: Value) {
        guard case .timestamp(let timestamp) = value else { return nil }
        self = timestamp
    }
}

extension Version: ValueConvertible {
    public static var valueType: CELType? { .version }
    public var value: Value { .version(self) }
    public init?(_ value: Value) {
        guard case .version(let version)? = value.fitting(.version) else { return nil }
        self = version
    }
}

extension Date: ValueConvertible {
    public static var valueType: CELType? { .timestamp }
    public var value: Value { .timestamp(Timestamp(self)) }
    public init?(_ value: Value) {
        guard case .timestamp(let timestamp) = value else { return nil }
        self.init(timestamp)
    }
}

extension Array: ValueConvertible where Element: ValueConvertible {
    public static var valueType: CELType? { .list(Element.valueType ?? .dyn) }
    public var value: Value { .list(map(\.value)) }
    public init?(_ value: Value) {
        guard case .list(let values) = value else { return nil }
        let elements = values.compactMap { Element($0) }
        guard elements.count == values.count else { return nil }
        self = elements
    }
}

extension Dictionary: ValueConvertible where Key: ValueConvertible, Value: ValueConvertible {
    public static var valueType: CELType? {
        .map(Key.valueType ?? .dyn, Value.valueType ?? .dyn)
    }

    public var value: PopCEL.Value {
        .map(ValueMap(lazy.map { (key: $0.key.value, value: $0.value.value) }))
    }

    public init?(_ value: PopCEL.Value) {
        guard case .map(let map) = value else { return nil }
        self.init(minimumCapacity: map.count)
        for (key, value) in map {
            guard let key = Key(key), let value = Value(value) else { return nil }
            self[key] = value
        }
    }
}

extension Timestamp {
    /// A date of Foundation, to the microsecond: its binary fraction holds no more today.
    public init(_ date: Date) {
        let interval = date.timeIntervalSince1970
        guard interval.isFinite else {
            self = interval < 0 ? .min : .max
            return
        }
        let whole = interval.rounded(.down)
        let microseconds = Int32((interval - whole) * 1_000_000)
        let seconds = Int64(exactly: whole) ?? (whole < 0 ? .min : .max)
        self.init(seconds: seconds, nanoseconds: Swift.min(microseconds, 999_999) * 1000)
    }
}

extension Date {
    /// The nearest date that Foundation can express.
    public init(_ timestamp: Timestamp) {
        self.init(
            timeIntervalSince1970: Double(timestamp.seconds) + Double(timestamp.nanoseconds) / 1e9)
    }
}

extension Value: ValueConvertible {
    public var value: Value { self }
    public init?(_ value: Value) { self = value }
}

// MARK: Numbers of every size

extension ValueConvertible where Self: FixedWidthInteger & SignedInteger {
    public static var valueType: CELType? { .int }
    public var value: Value { .int(Int64(self)) }
    public init?(_ value: Value) {
        guard case .int(let int)? = value.fitting(.int) else { return nil }
        self.init(exactly: int)
    }
}

extension ValueConvertible where Self: FixedWidthInteger & UnsignedInteger {
    public static var valueType: CELType? { .uint }
    public var value: Value { .uint(UInt64(self)) }
    public init?(_ value: Value) {
        guard case .uint(let uint)? = value.fitting(.uint) else { return nil }
        self.init(exactly: uint)
    }
}

extension Int: ValueConvertible {}
extension Int8: ValueConvertible {}
extension Int16: ValueConvertible {}
extension Int32: ValueConvertible {}
extension Int64: ValueConvertible {}
extension UInt: ValueConvertible {}
extension UInt8: ValueConvertible {}
extension UInt16: ValueConvertible {}
extension UInt32: ValueConvertible {}
extension UInt64: ValueConvertible {}

extension Double: ValueConvertible {
    public static var valueType: CELType? { .double }
    public var value: Value { .double(self) }
    public init?(_ value: Value) {
        guard case .double(let double)? = value.fitting(.double) else { return nil }
        self = double
    }
}

/// Read from a double it is the nearest number that it can be.
extension Float: ValueConvertible {
    public static var valueType: CELType? { .double }
    public var value: Value { .double(Double(self)) }
    public init?(_ value: Value) {
        guard let double = Double(value) else { return nil }
        self.init(double)
    }
}

// MARK: Strings and bytes

extension Substring: ValueConvertible {
    public static var valueType: CELType? { .string }
    public var value: Value { .string(String(self)) }
    public init?(_ value: Value) {
        guard let text = String(value) else { return nil }
        self.init(text)
    }
}

/// A string such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
extension UUID: ValueConvertible {
    public static var valueType: CELType? { .string }
    public var value: Value { .string(uuidString) }
    public init?(_ value: Value) {
        guard let text = String(value) else { return nil }
        self.init(uuidString: text)
    }
}

/// Its text, with its base.
extension URL: ValueConvertible {
    public static var valueType: CELType? { .string }
    public var value: Value { .string(absoluteString) }
    public init?(_ value: Value) {
        guard let text = String(value) else { return nil }
        self.init(string: text)
    }
}

extension Data: ValueConvertible {
    public static var valueType: CELType? { .bytes }
    public var value: Value { .bytes(Array(self)) }
    public init?(_ value: Value) {
        guard case .bytes(let bytes) = value else { return nil }
        self.init(bytes)
    }
}
