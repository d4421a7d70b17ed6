internal import PopCEL

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
