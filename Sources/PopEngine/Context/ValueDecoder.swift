public import PopCEL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension Value {
    /// Returns the value as a type of the app.
    ///
    /// Maps become keyed types, lists unkeyed ones. `Date` is read from a timestamp or an RFC 3339
    /// string, `Duration` from a duration or a string such as `1m30s`, `URL` from a string, `Data`
    /// from bytes or base64. Throws a `DecodingError` whose path shows where the value doesn't fit.
    public func decode<Wrapped: Decodable>(as type: Wrapped.Type = Wrapped.self) throws -> Wrapped {
        try ValueDecoder(value: self, codingPath: []).decode(type)
    }
}

/// Gives the parts of a value to the initializers of `Decodable` types.
struct ValueDecoder: Decoder {
    /// The maximum nesting depth of the content: decoding is recursive, and a thread's stack is
    /// limited.
    private static let depthLimit = 64

    let value: Value
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .map(let map) = value else { throw mismatch([String: Value].self) }
        return KeyedDecodingContainer(KeyedValues(map: map, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .list(let values) = value else { throw mismatch([Value].self) }
        return UnkeyedValues(values: values, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// Returns the decoder of a value at a key inside a container with this path.
    static func nested(
        _ value: Value, at key: any CodingKey, in path: [any CodingKey]
    ) throws -> ValueDecoder {
        let nested = ValueDecoder(value: value, codingPath: path + [key])
        guard path.count < depthLimit else {
            throw nested.corrupted("nested deeper than \(depthLimit) levels")
        }
        return nested
    }

    fileprivate func mismatch(_ type: any Any.Type) -> DecodingError {
        let found = value == .null ? "null" : "a value of type \(value.type)"
        return .typeMismatch(
            type,
            .init(codingPath: codingPath, debugDescription: "expected \(type), found \(found)"))
    }

    fileprivate func corrupted(_ message: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: message))
    }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool { try convert(type) }
    func decode(_ type: String.Type) throws -> String { try convert(type) }
    func decode(_ type: Double.Type) throws -> Double { try convert(type) }
    func decode(_ type: Float.Type) throws -> Float { Float(try convert(Double.self)) }
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

    func decode<Wrapped: Decodable>(_ type: Wrapped.Type) throws -> Wrapped {
        if let whole = try decodeWhole(type) as? Wrapped { return whole }
        return try Wrapped(from: self)
    }

    private func convert<Wrapped: ValueConvertible>(_ type: Wrapped.Type) throws -> Wrapped {
        guard let converted = Wrapped(value) else { throw mismatch(type) }
        return converted
    }

    private func integer<Wrapped: FixedWidthInteger>(_ type: Wrapped.Type) throws -> Wrapped {
        let converted: Wrapped?
        switch value {
        case .int(let number): converted = Wrapped(exactly: number)
        case .uint(let number): converted = Wrapped(exactly: number)
        case .double(let number): converted = Wrapped(exactly: number)
        case .null, .bool, .string, .bytes, .timestamp, .duration, .version, .list, .map, .type,
            .optional:
            throw mismatch(type)
        }
        guard let converted else { throw corrupted("the number does not fit into \(type)") }
        return converted
    }
}

// MARK: Types that are one value although their own `Decodable` takes them apart

extension ValueDecoder {
    fileprivate func decodeWhole(_ type: any Any.Type) throws -> Any? {
        switch type {
        case is Date.Type: Date(try timestamp())
        case is Duration.Type: try duration()
        case is Data.Type: try data()
        case is URL.Type: try url()
        default: nil
        }
    }

    private func timestamp() throws -> Timestamp {
        switch value {
        case .timestamp(let timestamp): return timestamp
        case .string(let text):
            if let timestamp = Timestamp(parsing: text) { return timestamp }
            throw corrupted("`\(text)` is not a date and time such as 2026-11-21T09:30:00Z")
        case .null, .bool, .int, .uint, .double, .bytes, .duration, .version, .list, .map, .type,
            .optional:
            throw mismatch(Date.self)
        }
    }

    private func duration() throws -> Duration {
        switch value {
        case .duration(let duration): return duration
        case .string(let text):
            if let duration = DurationText.parse(text) { return duration }
            throw corrupted("`\(text)` is not a duration such as 1m30s")
        case .null, .bool, .int, .uint, .double, .bytes, .timestamp, .version, .list, .map, .type,
            .optional:
            throw mismatch(Duration.self)
        }
    }

    private func data() throws -> Data {
        switch value {
        case .bytes(let bytes): return Data(bytes)
        case .string(let text):
            if let data = Data(base64Encoded: text) { return data }
            throw corrupted("`\(text)` is not base64")
        case .null, .bool, .int, .uint, .double, .timestamp, .duration, .version, .list, .map,
            .type, .optional:
            throw mismatch(Data.self)
        }
    }

    private func url() throws -> URL {
        guard case .string(let text) = value else { throw mismatch(URL.self) }
        guard let url = URL(string: text) else { throw corrupted("`\(text)` is not a URL") }
        return url
    }
}

/// The entries of a map, by key.
struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let map: ValueMap
    let codingPath: [any CodingKey]

    var allKeys: [Key] {
        map.keys.compactMap { key in
            switch key {
            case .string(let name): Key(stringValue: name)
            case .int(let number): Int(exactly: number).flatMap { Key(intValue: $0) }
            case .null, .bool, .uint, .double, .bytes, .timestamp, .duration, .version, .list, .map,
                .type, .optional:
                nil
            }
        }
    }

    func contains(_ key: Key) -> Bool { value(of: key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(at: key).decodeNil() }

    func decode<Wrapped: Decodable>(_ type: Wrapped.Type, forKey key: Key) throws -> Wrapped {
        try decoder(at: key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(at: key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(at: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try superDecoder(at: PathKey("super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(at: key) }

    private func superDecoder(at key: some CodingKey) throws -> any Decoder {
        try ValueDecoder.nested(value(of: key) ?? .null, at: key, in: codingPath)
    }

    private func value(of key: some CodingKey) -> Value? {
        map[.string(key.stringValue)] ?? key.intValue.flatMap { map[.int(Int64($0))] }
    }

    private func decoder(at key: Key) throws -> ValueDecoder {
        guard let value = value(of: key) else {
            throw DecodingError.keyNotFound(
                key,
                .init(
                    codingPath: codingPath, debugDescription: "there is no `\(key.stringValue)`"))
        }
        return try ValueDecoder.nested(value, at: key, in: codingPath)
    }
}

/// The elements of a list, one after the other.
struct UnkeyedValues: UnkeyedDecodingContainer {
    let values: [Value]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(values: [Value], codingPath: [any CodingKey]) {
        self.values = values
        self.codingPath = codingPath
    }

    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex == values.count }

    mutating func decodeNil() throws -> Bool {
        guard try decoder().decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Wrapped: Decodable>(_ type: Wrapped.Type) throws -> Wrapped {
        try next { try $0.decode(type) }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try next { try $0.container(keyedBy: type) } }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next { $0 } }

    /// An element that could not be read stays the current one.
    private mutating func next<Result>(_ read: (ValueDecoder) throws -> Result) throws -> Result {
        let result = try read(decoder())
        currentIndex += 1
        return result
    }

    private func decoder() throws -> ValueDecoder {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Value.self,
                .init(codingPath: codingPath, debugDescription: "the list has no more elements"))
        }
        return try ValueDecoder.nested(
            values[currentIndex], at: PathKey(index: currentIndex), in: codingPath)
    }
}

/// A step of a path that no type of the app names: a place in a list, or `super`.
private struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(index: Int) {
        stringValue = "\(index)"
        intValue = index
    }

    init(stringValue: String) { self.init(stringValue) }
    init(intValue: Int) { self.init(index: intValue) }
}
