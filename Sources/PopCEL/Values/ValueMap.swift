/// A map of the language: keys in the order of insertion, compared by the language's equality.
///
/// Lookup takes constant time; in maps of a few entries the keys are compared one by one instead.
public struct ValueMap: Sendable {
    private var entries: [Element] = []
    private var index: [Value: Int] = [:]

    /// Up to this many keys are compared one by one.
    private static let smallCount = 8

    /// A map without entries.
    public init() {}

    /// Creates a map; a repeated key keeps its first place and its last value.
    public init(_ entries: some Sequence<(key: Value, value: Value)>) {
        for (key, value) in entries { self[key] = value }
    }

    /// Creates a map in the order of the dictionary.
    public init(_ dictionary: [Value: Value]) {
        for (key, value) in dictionary { self[key] = value }
    }

    /// Reserves memory for the given number of entries.
    public mutating func reserveCapacity(_ count: Int) {
        entries.reserveCapacity(count)
    }

    public var count: Int { entries.count }
    public var isEmpty: Bool { entries.isEmpty }
    /// The keys in order, a new list on each access.
    public var keys: [Value] { entries.map { $0.key } }
    /// The values in the order of their keys, a new list on each access.
    public var values: [Value] { entries.map { $0.value } }

    /// Accesses the value of a key. Setting nil removes the entry, which is linear in the number of
    /// entries.
    public subscript(key: Value) -> Value? {
        get { position(of: key).map { entries[$0].value } }
        set {
            if let newValue {
                set(key, to: newValue)
            } else if let position = position(of: key) {
                remove(at: position)
            }
        }
    }

    /// Adds an entry, or replaces the value of an existing key.
    package mutating func set(_ key: consuming Value, to value: consuming Value) {
        if let position = position(of: key) {
            entries[position].value = value
        } else {
            append(key, value: value)
        }
    }

    func position(of key: Value) -> Int? {
        if entries.count > Self.smallCount { return index[key] }
        return entries.indices.first { entries[$0].key == key }
    }

    @inline(__always)
    private mutating func append(_ key: consuming Value, value: consuming Value) {
        entries.append((key, value))
        if entries.count == Self.smallCount + 1 {
            reindex()
        } else if entries.count > Self.smallCount {
            index[entries[entries.count - 1].key] = entries.count - 1
        }
    }

    private mutating func remove(at position: Int) {
        entries.remove(at: position)
        reindex()
    }

    private mutating func reindex() {
        index.removeAll(keepingCapacity: true)
        guard entries.count > Self.smallCount else { return }
        for (position, entry) in entries.enumerated() { index[entry.key] = position }
    }
}

extension ValueMap: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (Value, Value)...) {
        for (key, value) in elements { self[key] = value }
    }
}

extension ValueMap: RandomAccessCollection {
    public typealias Element = (key: Value, value: Value)

    public var startIndex: Int { 0 }
    public var endIndex: Int { entries.count }
    public subscript(position: Int) -> Element { entries[position] }
}

extension ValueMap: Hashable {
    public static func == (left: ValueMap, right: ValueMap) -> Bool {
        guard left.count == right.count else { return false }
        return left.allSatisfy { key, value in right[key] == value }
    }

    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for (key, value) in self {
            var entry = Hasher()
            entry.combine(key)
            entry.combine(value)
            sum &+= entry.finalize()
        }
        hasher.combine(sum)
    }
}
