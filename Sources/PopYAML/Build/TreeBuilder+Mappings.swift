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
        for (key, earlier) in repeated { reportDuplicate(key, earlier: earlier) }
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

    private mutating func reportDuplicate(_ key: UInt32, earlier: UInt32) {
        let second = records[Int(key)]
        let first = records[Int(earlier)]
        if !hasRoom || second.flags.contains(.isBroken) || first.flags.contains(.isBroken) {
            return
        }
        report(
            .duplicateKey(
                shownText(bytes, at: Int(second.start)..<Int(second.end)),
                at: range(Int(second.start)..<Int(second.end)),
                first: range(Int(first.start)..<Int(first.end)),
                isMerge: second.isMergeKey(in: bytes)))
    }
}

extension NodeRecord {
    fileprivate func isMergeKey(in bytes: [UInt8]) -> Bool {
        kind == .scalar && count == 2 && style == .plain && tag == .none
            && !flags.contains(.isDecoded) && bytes[Int(first)] == UInt8(ascii: "<")
            && bytes[Int(first) + 1] == UInt8(ascii: "<")
    }
}

/// Keys whose values are conditions; authors tend to write several of them.
let conditionKeys: Set<String> = ["when", "where", "dismiss_when"]

extension Diagnostic {
    fileprivate static func duplicateKey(
        _ key: String, at range: SourceRange, first: SourceRange, isMerge: Bool
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
                            + " otherwise remove one of the keys"
                        : conditionKeys.contains(key)
                            ? "join two conditions that must both be true with `&&`, or list them"
                                + " under `all`"
                            : "remove or rename one of the two keys"
            ])
    }

    fileprivate static func mergeOfNoMap(at range: SourceRange) -> Self {
        Diagnostic(
            .yamlMergeKey, message: "`<<` merges maps, but this value is not a map",
            at: range,
            label: "not a map",
            help: ["write an alias of a map, such as `<<: *defaults`, or a list of such aliases"])
    }
}
