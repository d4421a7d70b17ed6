/// The keys of one mapping, compared by what they mean: `1`, `01` and `0x1` are the same key, `"1"` is another.
///
/// Few keys are compared one by one; many are hashed with a seed of this process, so that no file can be built whose
/// keys collide. Keys that are collections are never equal. One set serves one mapping after the other, so that its
/// memory is allocated once.
struct KeySet {
    private struct Key {
        var node: UInt32
        var shape: Shape
    }

    private static let hashedFrom = 24

    private var keys: [Key] = []
    /// Open addressing: one more than the index of a key, or 0.
    private var table: [UInt32] = []

    mutating func removeAll() {
        keys.removeAll(keepingCapacity: true)
        if !table.isEmpty { table = [] }
    }

    /// Adds a key, or returns the one that was there.
    mutating func insert(_ node: UInt32, in builder: borrowing TreeBuilder) -> UInt32? {
        let record = builder.records[Int(builder.resolved(node))]
        guard record.kind == .scalar else { return nil }
        let key = Key(node: node, shape: builder.shape(of: record))
        if table.isEmpty {
            for other in keys
            where other.shape == key.shape && isSame(record, other, in: builder) {
                return other.node
            }
            keys.append(key)
            if keys.count > Self.hashedFrom { grow(in: builder) }
            return nil
        }
        if let other = find(key, record, in: builder) { return other }
        keys.append(key)
        if keys.count * 2 > table.count {
            grow(in: builder)
        } else {
            place(keys.count - 1, hash: builder.hash(record))
        }
        return nil
    }

    private func isSame(
        _ record: NodeRecord, _ other: Key, in builder: borrowing TreeBuilder
    ) -> Bool {
        builder.hasSameValue(record, builder.records[Int(builder.resolved(other.node))])
    }

    private func find(
        _ key: Key, _ record: NodeRecord, in builder: borrowing TreeBuilder
    ) -> UInt32? {
        let mask = table.count - 1
        var slot = builder.hash(record) & mask
        while table[slot] != 0 {
            let other = keys[Int(table[slot]) - 1]
            if other.shape == key.shape, isSame(record, other, in: builder) { return other.node }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private mutating func grow(in builder: borrowing TreeBuilder) {
        var size = 64
        while size < keys.count * 4 { size *= 2 }
        table = [UInt32](repeating: 0, count: size)
        for index in keys.indices {
            let record = builder.records[Int(builder.resolved(keys[index].node))]
            place(index, hash: builder.hash(record))
        }
    }

    private mutating func place(_ index: Int, hash: Int) {
        let mask = table.count - 1
        var slot = hash & mask
        while table[slot] != 0 { slot = (slot + 1) & mask }
        table[slot] = UInt32(index + 1)
    }
}

/// What is compared of two keys before all else, since most keys differ in it.
private struct Shape: Equatable {
    private let bits: UInt64

    /// Of all keys that are no texts.
    static let typed = Shape(bits: 0)

    private init(bits: UInt64) { self.bits = bits }

    init(ofTextWith count: UInt32, from first: UInt8, to last: UInt8) {
        bits = 1 << 48 | UInt64(count) << 16 | UInt64(first) << 8 | UInt64(last)
    }
}

extension TreeBuilder {
    fileprivate func hasSameValue(_ left: NodeRecord, _ right: NodeRecord) -> Bool {
        let leftValue = mayBeTyped(left) ? coreValue(left, in: bytes, decoded) : .string
        let rightValue = mayBeTyped(right) ? coreValue(right, in: bytes, decoded) : .string
        switch (leftValue, rightValue) {
        case (.string, .string), (.hugeInteger, .hugeInteger): return hasSameText(left, right)
        default: return leftValue == rightValue
        }
    }

    /// Whether a scalar can be anything but a string, told by its first byte.
    fileprivate func mayBeTyped(_ record: NodeRecord) -> Bool {
        guard record.style == .plain || record.tag != .none else { return false }
        guard record.count > 0, !record.flags.contains(.isDecoded), record.tag == .none else {
            return true
        }
        switch bytes[Int(record.first)] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "~"):
            return true
        case UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "t"), UInt8(ascii: "T"),
            UInt8(ascii: "f"), UInt8(ascii: "F"):
            return record.count <= 5
        default: return false
        }
    }

    fileprivate func shape(of record: NodeRecord) -> Shape {
        if mayBeTyped(record), coreValue(record, in: bytes, decoded) != .string { return .typed }
        if record.count == 0 { return Shape(ofTextWith: 0, from: 0, to: 0) }
        let first = Int(record.first)
        let last = first + Int(record.count) - 1
        return record.flags.contains(.isDecoded)
            ? Shape(ofTextWith: record.count, from: decoded[first], to: decoded[last])
            : Shape(ofTextWith: record.count, from: bytes[first], to: bytes[last])
    }

    fileprivate func hasSameText(_ left: NodeRecord, _ right: NodeRecord) -> Bool {
        guard left.count == right.count else { return false }
        let leftText = left.flags.contains(.isDecoded) ? decoded.span : bytes.span
        let rightText = right.flags.contains(.isDecoded) ? decoded.span : bytes.span
        for index in 0..<Int(left.count)
        where leftText[Int(left.first) + index] != rightText[Int(right.first) + index] {
            return false
        }
        return true
    }

    fileprivate func hash(_ record: NodeRecord) -> Int {
        var hasher = Hasher()
        let value = mayBeTyped(record) ? coreValue(record, in: bytes, decoded) : .string
        guard value == .string || value == .hugeInteger else {
            hasher.combine(value)
            return hasher.finalize()
        }
        let text = record.flags.contains(.isDecoded) ? decoded.span : bytes.span
        var word: UInt64 = 0
        for index in Int(record.first)..<Int(record.first + record.count) {
            word = word << 8 | UInt64(text[index])
            if (index - Int(record.first)) & 7 == 7 { hasher.combine(word) }
        }
        hasher.combine(word)
        hasher.combine(record.count)
        return hasher.finalize()
    }
}
