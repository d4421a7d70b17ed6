/// A value of the language.
///
/// Two values are equal (`==`) by the rules of the language: numbers across their types (`1 == 1u`,
/// `1 == 1.0`), strings by Unicode scalars, maps in any order, types by name, and NaN isn't equal
/// to itself.
///
/// Lists, maps and optionals may be nested 64 deep (`ValueDepth`): stores, engines and files reject
/// deeper values. Code that nests a value thousands deep overflows the stack when the value is
/// released, as with any recursive Swift enumeration, before it can be rejected.
public enum Value: Sendable {
    /// `null`: a value, unlike an empty slot.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A signed integer; arithmetic that exceeds its 64 bits is an error.
    case int(Int64)
    /// An unsigned integer, written `1u`; arithmetic that exceeds its 64 bits is an error.
    case uint(UInt64)
    /// A floating-point number, including NaN and infinities.
    case double(Double)
    /// A string, compared by its Unicode scalars and not by its appearance.
    case string(String)
    /// Bytes, written `b"…"`.
    case bytes([UInt8])
    /// A point in time.
    case timestamp(Timestamp)
    /// A span of time, which may be negative.
    case duration(Duration)
    /// A version, compared by its parts; it exists in rules, not in the language itself.
    case version(Version)
    /// Values in order, which may be of different types if the type of the elements is `dyn`.
    case list([Value])
    /// Entries in the order in which they were added.
    indirect case map(ValueMap)
    /// A type as a value, the result of `type(x)`.
    case type(CELType)
    /// An optional value; `.optional(nil)` is `optional.none()`.
    indirect case optional(Value?)
}

extension Value {
    /// The type of the value as the evaluator knows it: elements of lists, maps and optionals are
    /// `dyn`.
    public var type: CELType {
        switch self {
        case .null: .null
        case .bool: .bool
        case .int: .int
        case .uint: .uint
        case .double: .double
        case .string: .string
        case .bytes: .bytes
        case .timestamp: .timestamp
        case .duration: .duration
        case .version: .version
        case .list: .list(.dyn)
        case .map: .map(.dyn, .dyn)
        case .type: .type(nil)
        case .optional: .optional(.dyn)
        }
    }
}

extension Value: Hashable {
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.string(let a), .string(let b)): equalScalars(a, b)
        case (.bytes(let a), .bytes(let b)): a == b
        case (.timestamp(let a), .timestamp(let b)): a == b
        case (.duration(let a), .duration(let b)): a == b
        case (.version(let a), .version(let b)): a == b
        case (.list(let a), .list(let b)): a == b
        case (.map(let a), .map(let b)): a == b
        case (.type(let a), .type(let b)): a.runtimeName == b.runtimeName
        case (.optional(let a), .optional(let b)): a == b
        case (.null, _), (.bool, _), (.int, _), (.uint, _), (.double, _), (.string, _), (.bytes, _),
            (.timestamp, _), (.duration, _), (.version, _), (.list, _), (.map, _), (.type, _),
            (.optional, _):
            left.numericOrder(right) == .equal
        }
    }

    /// Hashes the value; equal numbers of different types have equal hashes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(Double(value))
        case .uint(let value): hasher.combine(Double(value))
        case .double(let value): hasher.combine(value)
        case .string(let value): hashScalars(value, into: &hasher)
        case .bytes(let value): hasher.combine(value)
        case .timestamp(let value): hasher.combine(value)
        case .duration(let value): hasher.combine(value)
        case .version(let value): hasher.combine(value)
        case .list(let value): hasher.combine(value)
        case .map(let value): hasher.combine(value)
        case .type(let value): hasher.combine(value.runtimeName)
        case .optional(let value): hasher.combine(value)
        }
    }
}

/// Hashes the bytes, eight at a time.
private func hashScalars(_ text: String, into hasher: inout Hasher) {
    var word: UInt64 = 0
    var count = 0
    for byte in text.utf8 {
        word = word << 8 | UInt64(byte)
        count += 1
        if count.isMultiple(of: 8) { hasher.combine(word) }
    }
    hasher.combine(word)
    hasher.combine(count)
}

/// Returns true if two strings have the same Unicode scalars; Swift's own `==` also treats
/// canonical equivalents as equal.
func equalScalars(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
}

extension Value {
    /// Returns true if lists, maps and optional values are nested deeper than the limit. It
    /// examines one level after the other without recursion, so it can handle any depth.
    package func isDeeper(than limit: Int) -> Bool {
        guard isContainer else { return false }
        var level = [self]
        for _ in 0..<limit {
            level = level.flatMap { $0.parts }.filter { $0.isContainer }
            if level.isEmpty { return false }
        }
        return true
    }

    private var isContainer: Bool {
        switch self {
        case .list, .map, .optional: true
        case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .version,
            .type:
            false
        }
    }

    private var parts: [Value] {
        switch self {
        case .list(let values): values
        case .map(let map): map.keys + map.values
        case .optional(let value): value.map { [$0] } ?? []
        case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .version,
            .type:
            []
        }
    }
}

// Values are written in Swift code as literals: `"map"`, `3`, `80.0`, `true`, `["a", "b"]`,
// `["total": 80.0]`.

extension Value: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension Value: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int64) { self = .int(value) }
}

extension Value: ExpressibleByFloatLiteral {
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) { self = .string(value) }
}

extension Value: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Value...) { self = .list(elements) }
}

extension Value: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (Value, Value)...) {
        self = .map(ValueMap(elements.lazy.map { (key: $0.0, value: $0.1) }))
    }
}

/// The order of two numbers.
package enum NumericOrder: Sendable {
    case less
    case equal
    case greater
    /// One of them is NaN.
    case unordered
}

extension Value {
    /// Returns the order of two numbers of any types on the real line; nil if one isn't a number.
    package func numericOrder(_ other: Value) -> NumericOrder? {
        switch (self, other) {
        case (.int(let a), .int(let b)): orderOf(a, b)
        case (.uint(let a), .uint(let b)): orderOf(a, b)
        case (.double(let a), .double(let b)): orderOf(a, b)
        case (.int(let a), .uint(let b)): a < 0 ? .less : orderOf(UInt64(a), b)
        case (.uint(let a), .int(let b)): b < 0 ? .greater : orderOf(a, UInt64(b))
        case (.int(let a), .double(let b)): orderAsDoubles(a, right: b)
        case (.double(let a), .int(let b)): orderAsDoubles(b, right: a).reversed
        case (.uint(let a), .double(let b)): orderAsDoubles(a, right: b)
        case (.double(let a), .uint(let b)): orderAsDoubles(b, right: a).reversed
        case (.null, _), (.bool, _), (.int, _), (.uint, _), (.double, _), (.string, _), (.bytes, _),
            (.timestamp, _), (.duration, _), (.version, _), (.list, _), (.map, _), (.type, _),
            (.optional, _):
            nil
        }
    }
}

extension NumericOrder {
    var reversed: NumericOrder {
        switch self {
        case .less: .greater
        case .greater: .less
        case .equal: .equal
        case .unordered: .unordered
        }
    }
}

private func orderOf<Number: Comparable>(_ left: Number, _ right: Number) -> NumericOrder {
    if left < right { return .less }
    if left == right { return .equal }
    return left > right ? .greater : .unordered
}

private func orderAsDoubles<Integer: FixedWidthInteger>(
    _ left: Integer, right: Double
) -> NumericOrder {
    orderOf(Double(left), right)
}
