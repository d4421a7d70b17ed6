public import PopCEL
internal import PopScheduler

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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
