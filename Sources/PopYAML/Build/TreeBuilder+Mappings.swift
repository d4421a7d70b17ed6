internal import PopSource

extension TreeBuilder {
    /// Adds the entries of a mapping at its end: each key once, then the entries from its merge
    /// keys.
    ///
    /// Linear in the entries, its own and the merged ones.
    mutating func addEntries(_ frame: Frame) {
        keys.removeAll()
        // Repeated keys, each with the first key, and the values of merge keys.
        var repeated: [(key: UInt32, earlier: UInt32)] = []
        var merges: [UInt32] = []
        var start = frame.firstChild
        for position in stride(from: start, to: pending.count, by: 2) {
            let key = pending[position]
            let earlier = keys.insert(key, records: records, in: bytes, decoded: decoded)
            let isMerge = records[Int(key)].isMergeKey(in: bytes)
            if earlier == nil, !isMerge { continue }
            if let earlier { repeated.append((key, earlier)) }
            if isMerge { merges.append(pending[position + 1]) }
            children += pending[start..<position]
            start = position + 2
        }
        children += pending[start...]
        for (key, earlier) in repeated {
            reportDuplicate(key, earlier: earlier, from: frame.firstChild)
        }
        for value in merges { merge(value) }
    }

    /// Appends the entries of a mapping, or of each mapping in a sequence, whose keys don't exist
    /// yet.
    private mutating func merge(_ value: UInt32) {
        let record = records.behindAlias(value)
        if record.flags.contains(.isBroken) { return }
        guard record.kind == .sequence else { return mergeMapping(value) }
        for index in Int(record.first)..<Int(record.first + record.count) {
            mergeMapping(children[index])
        }
    }

    private mutating func mergeMapping(_ value: UInt32) {
        let record = records.behindAlias(value)
        if record.flags.contains(.isBroken) { return }
        guard record.kind == .mapping else {
            let place = records[Int(value)]
            report(.mergeOfNoMap(at: range(Int(place.start)..<Int(place.end))))
            return
        }
        for index in stride(from: Int(record.first), to: Int(record.first + record.count), by: 2)
        where keys.insert(children[index], records: records, in: bytes, decoded: decoded) == nil {
            children.append(children[index])
            children.append(children[index + 1])
        }
    }

    /// `start` is the index of the first key of the mapping among the pending nodes.
    private mutating func reportDuplicate(_ key: UInt32, earlier: UInt32, from start: Int) {
        let second = records[Int(key)]
        let first = records[Int(earlier)]
        if !hasRoom || second.flags.contains(.isBroken) || first.flags.contains(.isBroken) {
            return
        }
        let name = shownText(bytes, at: Int(second.start)..<Int(second.end))
        report(
            .duplicateKey(
                name,
                at: range(Int(second.start)..<Int(second.end)),
                first: range(Int(first.start)..<Int(first.end)),
                isMerge: second.isMergeKey(in: bytes),
                joining: joining(
                    value(of: earlier, from: start), with: value(of: key, from: start), named: name)
            ))
    }

    /// Returns the value of a key of the mapping whose entries are pending.
    ///
    /// Returns nil for a mapping that is longer than any author writes by hand.
    private func value(of key: UInt32, from start: Int) -> NodeRecord? {
        guard pending.count - start <= 1 << 10 else { return nil }
        return stride(from: start, to: pending.count - 1, by: 2).first { pending[$0] == key }
            .map { records[Int(pending[$0 + 1])] }
    }

    /// Returns help on writing two maps without a common key as one; nil for other values.
    private func joining(
        _ first: NodeRecord?, with second: NodeRecord?, named name: String
    ) -> String? {
        guard let first, let second, let names = namesOfKeys(first),
            let others = namesOfKeys(second), names.isDisjoint(with: others)
        else { return nil }
        if first.flags.contains(.isFlow), second.flags.contains(.isFlow) {
            let inner = [first, second].map { map in
                shownText(bytes, at: Int(map.start) + 1..<Int(map.end) - 1)
                    .split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
            }
            let text = inner.joined(separator: ", ")
            if text.utf8.count <= 100, !text.contains("\n"), !text.contains("#"),
                !text.contains("\u{2026}"), !inner.contains(where: { $0.hasSuffix(",") })
            {
                return "if you need both, write one map: `\(name): { \(text) }`"
            }
        }
        return "if you need both, move the keys of the second `\(name)` into the first `\(name)`;"
            + " if you need only one, remove the other `\(name)`"
    }

    /// Returns the keys of a map, as they are written; nil for other values, for an empty map, and
    /// for keys that aren't names.
    private func namesOfKeys(_ map: NodeRecord) -> Set<String>? {
        guard map.kind == .mapping, map.count > 0, map.count <= 64 else { return nil }
        var names: Set<String> = []
        for index in stride(from: Int(map.first), to: Int(map.first + map.count), by: 2) {
            let key = records[Int(children[index])]
            guard key.kind == .scalar, key.style == .plain, !key.flags.contains(.isBroken) else {
                return nil
            }
            names.insert(String(decoding: bytes[Int(key.start)..<Int(key.end)], as: UTF8.self))
        }
        return names
    }
}

extension NodeRecord {
    fileprivate func isMergeKey(in bytes: [UInt8]) -> Bool {
        kind == .scalar && count == 2 && style == .plain && tag == .none
            && !flags.contains(.isDecoded) && bytes[Int(first)] == UInt8(ascii: "<")
            && bytes[Int(first) + 1] == UInt8(ascii: "<")
    }
}

/// Keys of a step of a test, which authors tend to write several times in one step.
private let stepKeys: Set<String> = ["after", "set", "send", "expect", "close", "act", "enqueue"]

/// Keys whose values are conditions; authors tend to write several of them.
let conditionKeys: Set<String> = ["when", "where", "dismiss_when"]

/// Keys that take a list of what they mostly take one of.
private let listedKeys: Set<String> = ["trigger"]

extension Diagnostic {
    fileprivate static func duplicateKey(
        _ key: String, at range: SourceRange, first: SourceRange, isMerge: Bool,
        joining: String?
    ) -> Self {
        Diagnostic(
            .yamlDuplicateKey, message: "the key `\(key)` appears twice in the same map", at: range,
            label: "the same key again",
            secondary: [Label("the key appears here first", at: first)],
            help: [
                isMerge
                    ? "merge several maps with a list: `<<: [*a, *b]`"
                    : key.contains(".")
                        ? "to check for several values, use `\(key): { in: [a, b] }`;"
                            + " if you need only one of the keys, remove the other key"
                        : conditionKeys.contains(key)
                            ? "if both conditions are required, join them with `&&`, or list them"
                                + " under `all`"
                            : listedKeys.contains(key)
                                ? "if you need both values, write one list, such as"
                                    + " `\(key): [session, { event: order.paid }]`"
                                : stepKeys.contains(key)
                                    ? "if the map is a step of a test, start a new step with the"
                                        + " second key, as in `- \(key): …`; if not, remove or"
                                        + " rename one of the two keys"
                                    : joining ?? "remove or rename one of the two keys"
            ])
    }

    fileprivate static func mergeOfNoMap(at range: SourceRange) -> Self {
        Diagnostic(
            .yamlMergeKey, message: "`<<` merges maps, but its value is not a map",
            at: range,
            label: "not a map",
            help: [
                "use `*` and the name of a map that is marked with `&`, such as `<<: *defaults`, or"
                    + " a list of such names"
            ])
    }
}

/// The keys of one mapping, compared by their values: `1`, `01` and `0x1` are the same key, `"1"`
/// is another.
///
/// A small number of keys is compared one by one; a larger number is hashed with a seed of this
/// process, so that no file can be built whose keys collide. Keys that are collections are never
/// equal. One set is reused for one mapping after the other, so that its memory is allocated once.
struct KeySet {
    private struct Key {
        var node: UInt32
        var shape: Shape
    }

    private static let hashedFrom = 24

    private var keys: [Key] = []
    /// Open addressing: one more than the index of a key, or 0.
    private var table: [UInt32] = []

    init() { keys.reserveCapacity(Self.hashedFrom + 1) }

    mutating func removeAll() {
        keys.removeAll(keepingCapacity: true)
        if !table.isEmpty { table = [] }
    }

    /// Adds a key, or returns the equal key that was added before.
    ///
    /// The lists belong to the builder, which isn't passed itself: it would be copied.
    mutating func insert(
        _ node: UInt32, records: [NodeRecord], in bytes: [UInt8], decoded: [UInt8]
    ) -> UInt32? {
        let record = records.behindAlias(node)
        guard record.kind == .scalar else { return nil }
        let key = Key(node: node, shape: record.shape(in: bytes, decoded))
        if !table.isEmpty {
            return insertHashed(key, of: record, records: records, in: bytes, decoded: decoded)
        }
        for other in keys where other.shape == key.shape {
            if record.hasSameValue(as: records.behindAlias(other.node), in: bytes, decoded) {
                return other.node
            }
        }
        keys.append(key)
        if keys.count > Self.hashedFrom { grow(records, in: bytes, decoded: decoded) }
        return nil
    }

    private mutating func insertHashed(
        _ key: Key, of record: NodeRecord, records: [NodeRecord], in bytes: [UInt8],
        decoded: [UInt8]
    ) -> UInt32? {
        let hash = record.hash(in: bytes, decoded)
        let mask = table.count - 1
        var slot = hash & mask
        while table[slot] != 0 {
            let other = keys[Int(table[slot]) - 1]
            if other.shape == key.shape,
                record.hasSameValue(as: records.behindAlias(other.node), in: bytes, decoded)
            {
                return other.node
            }
            slot = (slot + 1) & mask
        }
        keys.append(key)
        if keys.count * 2 > table.count {
            grow(records, in: bytes, decoded: decoded)
        } else {
            place(keys.count - 1, hash: hash)
        }
        return nil
    }

    private mutating func grow(_ records: [NodeRecord], in bytes: [UInt8], decoded: [UInt8]) {
        var size = 64
        while size < keys.count * 4 { size *= 2 }
        table = [UInt32](repeating: 0, count: size)
        for index in keys.indices {
            let record = records.behindAlias(keys[index].node)
            place(index, hash: record.hash(in: bytes, decoded))
        }
    }

    private mutating func place(_ index: Int, hash: Int) {
        let mask = table.count - 1
        var slot = hash & mask
        while table[slot] != 0 { slot = (slot + 1) & mask }
        table[slot] = UInt32(index + 1)
    }
}

/// The properties of keys that are compared first, since most keys differ in them.
private struct Shape: Equatable {
    private let bits: UInt64

    /// The shape of all keys that aren't strings.
    static let typed = Shape(bits: 0)

    private init(bits: UInt64) { self.bits = bits }

    init(ofTextWith count: UInt32, from first: UInt8, to last: UInt8) {
        bits = 1 << 48 | UInt64(count) << 16 | UInt64(first) << 8 | UInt64(last)
    }
}

extension [NodeRecord] {
    /// Returns the record of a value, after following an alias if there is one.
    func behindAlias(_ node: UInt32) -> NodeRecord {
        let record = self[Int(node)]
        return record.kind == .alias ? self[Int(record.first)] : record
    }
}

extension NodeRecord {
    fileprivate func hasSameValue(
        as other: NodeRecord, in bytes: [UInt8], _ decoded: [UInt8]
    ) -> Bool {
        switch (value(in: bytes, decoded), other.value(in: bytes, decoded)) {
        case (.string, .string), (.hugeInteger, .hugeInteger):
            hasSameText(as: other, in: bytes, decoded)
        case (let value, let otherValue): value == otherValue
        }
    }

    private func value(in bytes: [UInt8], _ decoded: [UInt8]) -> CoreValue {
        mayBeTyped(in: bytes) ? coreValue(self, in: bytes, decoded: decoded) : .string
    }

    /// Returns true if a scalar may be anything but a string, based on its first byte.
    private func mayBeTyped(in bytes: [UInt8]) -> Bool {
        guard style == .plain || tag != .none else { return false }
        guard count > 0, !flags.contains(.isDecoded), tag == .none else { return true }
        switch bytes[Int(first)] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "~"):
            return true
        case UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "t"), UInt8(ascii: "T"),
            UInt8(ascii: "f"), UInt8(ascii: "F"):
            return count <= 5
        default: return false
        }
    }

    fileprivate func shape(in bytes: [UInt8], _ decoded: [UInt8]) -> Shape {
        guard case .string = value(in: bytes, decoded) else { return .typed }
        if count == 0 { return Shape(ofTextWith: 0, from: 0, to: 0) }
        let last = Int(first + count) - 1
        return flags.contains(.isDecoded)
            ? Shape(ofTextWith: count, from: decoded[Int(first)], to: decoded[last])
            : Shape(ofTextWith: count, from: bytes[Int(first)], to: bytes[last])
    }

    private func hasSameText(
        as other: NodeRecord, in bytes: [UInt8], _ decoded: [UInt8]
    ) -> Bool {
        guard count == other.count else { return false }
        let text = flags.contains(.isDecoded) ? decoded.span : bytes.span
        let otherText = other.flags.contains(.isDecoded) ? decoded.span : bytes.span
        for index in 0..<Int(count)
        where text[Int(first) + index] != otherText[Int(other.first) + index] {
            return false
        }
        return true
    }

    fileprivate func hash(in bytes: [UInt8], _ decoded: [UInt8]) -> Int {
        var hasher = Hasher()
        let value = value(in: bytes, decoded)
        guard value == .string || value == .hugeInteger else {
            hasher.combine(value)
            return hasher.finalize()
        }
        let text = flags.contains(.isDecoded) ? decoded.span : bytes.span
        var word: UInt64 = 0
        for index in Int(first)..<Int(first + count) {
            word = word << 8 | UInt64(text[index])
            if (index - Int(first)) & 7 == 7 { hasher.combine(word) }
        }
        hasher.combine(word)
        hasher.combine(count)
        return hasher.finalize()
    }
}
