internal import PopSource

/// What the keys of a mapping come to.
private struct MappingKeys {
    var keys = KeySet()
    /// Keys that stood there already, each with the first.
    var repeated: [(key: UInt32, earlier: UInt32)] = []
    /// The values of merge keys.
    var merges: [UInt32] = []
    /// Where both of them stand among the pending nodes.
    var leftOut: [Int] = []
}

extension TreeBuilder {
    /// Gives a mapping its entries: each key once, then what its merge keys bring in.
    ///
    /// Linear in the entries, its own and the merged ones.
    mutating func closeMapping(_ frame: Frame) {
        let node = Int(frame.node)
        records[node].first = UInt32(children.count)
        var found = MappingKeys()
        // The list moves there and back: nothing is copied, and its memory is allocated once.
        swap(&found.keys, &keys)
        collect(&found, from: frame.firstChild)
        var start = frame.firstChild
        for position in found.leftOut {
            children += pending[start..<position]
            start = position + 2
        }
        children += pending[start...]
        for (key, earlier) in found.repeated { reportDuplicate(key, earlier) }
        if !found.merges.isEmpty { hasMerges = true }
        for value in found.merges { merge(value, into: &found.keys) }
        swap(&found.keys, &keys)
        records[node].count = UInt32(children.count) - records[node].first
    }

    /// Goes through the pending keys of a mapping.
    private func collect(_ found: inout MappingKeys, from first: Int) {
        found.keys.removeAll()
        for position in stride(from: first, to: pending.count, by: 2) {
            let key = pending[position]
            let earlier = found.keys.insert(key, in: self)
            if let earlier { found.repeated.append((key, earlier)) }
            let isMerge = isMergeKey(key)
            if isMerge { found.merges.append(pending[position + 1]) }
            if isMerge || earlier != nil { found.leftOut.append(position) }
        }
    }

    /// The record of a value, behind an alias if there is one.
    func resolved(_ node: UInt32) -> UInt32 {
        let record = records[Int(node)]
        return record.kind == .alias ? record.first : node
    }

    private func isMergeKey(_ key: UInt32) -> Bool {
        let record = records[Int(key)]
        return record.kind == .scalar && record.count == 2 && record.style == .plain
            && record.tag == .none && !record.flags.contains(.isDecoded)
            && bytes[Int(record.first)] == UInt8(ascii: "<")
            && bytes[Int(record.first) + 1] == UInt8(ascii: "<")
    }

    /// Appends the entries of a mapping, or of each mapping in a sequence, whose keys are not there yet.
    private mutating func merge(_ value: UInt32, into keys: inout KeySet) {
        let record = records[Int(resolved(value))]
        if record.flags.contains(.isBroken) { return }
        guard record.kind == .sequence else { return mergeMapping(value, into: &keys) }
        for index in Int(record.first)..<Int(record.first + record.count) {
            mergeMapping(children[index], into: &keys)
        }
    }

    private mutating func mergeMapping(_ value: UInt32, into keys: inout KeySet) {
        let record = records[Int(resolved(value))]
        if record.flags.contains(.isBroken) { return }
        guard record.kind == .mapping else {
            let place = records[Int(value)]
            report(.mergeOfNoMap(at: range(Int(place.start)..<Int(place.end))))
            return
        }
        for index in stride(from: Int(record.first), to: Int(record.first + record.count), by: 2)
        where keys.insert(children[index], in: self) == nil {
            children.append(children[index])
            children.append(children[index + 1])
        }
    }

    private mutating func reportDuplicate(_ key: UInt32, _ earlier: UInt32) {
        let second = records[Int(key)]
        let first = records[Int(earlier)]
        if !hasRoom || second.flags.contains(.isBroken) || first.flags.contains(.isBroken) {
            return
        }
        report(
            .duplicateKey(
                shownText(bytes, Int(second.start)..<Int(second.end)),
                at: range(Int(second.start)..<Int(second.end)),
                first: range(Int(first.start)..<Int(first.end)), isMerge: isMergeKey(key)))
    }
}

extension Diagnostic {
    fileprivate static func duplicateKey(
        _ key: String, at range: SourceRange, first: SourceRange, isMerge: Bool
    ) -> Self {
        Diagnostic(
            .yamlDuplicateKey, "the key `\(key)` stands twice in the same map", at: range,
            label: "stands here again", secondary: [Label("first stands here", at: first)],
            help: [
                isMerge
                    ? "several maps are merged with a list: `<<: [*a, *b]`"
                    : "remove one of the two, or give it another name"
            ])
    }

    fileprivate static func mergeOfNoMap(at range: SourceRange) -> Self {
        Diagnostic(
            .yamlMergeKey, "`<<` takes the entries of a map, but this is not a map", at: range,
            label: "not a map",
            help: ["write an alias of a map, such as `<<: *defaults`, or a list of such aliases"])
    }
}
