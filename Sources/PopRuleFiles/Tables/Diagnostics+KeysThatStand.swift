package import PopSource
internal import PopYAML

extension Diagnostics {
    /// Without the fixes that write a key which its map has already: the place of that key is shown
    /// instead.
    package func withoutFixesOfKeysThatStand(
        in files: (FileID) -> SourceFile, limits: RuleFileLimits = .standard
    ) -> Diagnostics {
        var offsets: [FileID: Set<Int>] = [:]
        for edit in list.flatMap(\.fixes).flatMap(\.edits)
        where edit.keyWritten(in: files(edit.range.file)) != nil {
            offsets[edit.range.file, default: []].insert(edit.range.lower)
        }
        if offsets.isEmpty { return self }
        let siblings = Dictionary(
            uniqueKeysWithValues: offsets.map { file, offsets in
                (file, KeySiblings(in: files(file), of: offsets, limits: limits))
            })
        return Diagnostics(
            list.map { finding in
                var finding = finding
                finding.fixes.removeAll { fix in
                    let places = fix.edits.compactMap { edit in
                        edit.keyWritten(in: files(edit.range.file)).flatMap { name in
                            siblings[edit.range.file]?.place(of: name, besides: edit.range.lower)
                                .map { Diagnostic.Label("`\(name)` is already here", at: $0) }
                        }
                    }
                    if finding.secondary != places { finding.secondary += places }
                    return !places.isEmpty
                }
                return finding
            })
    }
}

extension Diagnostic.Edit {
    /// The key that it writes in place of another; nil if it writes no key.
    fileprivate func keyWritten(in source: SourceFile) -> String? {
        let colon = UInt8(ascii: ":")
        if let end = replacement.firstRange(of: ": ") {
            let name = replacement[..<end.lowerBound]
            return name.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
                ? String(name) : nil
        }
        let rest = source.bytes[range.upper...].drop { $0 == UInt8(ascii: " ") }
        return !range.isEmpty && rest.first == colon ? replacement : nil
    }
}

/// The keys of maps, by the keys next to them.
private struct KeySiblings {
    /// The keys of each map that has one of the wanted keys.
    private var maps: [[String: SourceRange]] = []
    private var mapByOffset: [Int: Int] = [:]

    /// Linear in the file.
    init(in source: SourceFile, of offsets: Set<Int>, limits: RuleFileLimits) {
        guard let root = YAMLDocument.parse(source, limits: limits.yaml).value?.root else { return }
        add(root, offsets)
    }

    private mutating func add(_ node: YAMLNode, _ offsets: Set<Int>) {
        if node.isAlias { return }
        for item in node.items { add(item, offsets) }
        let own = node.entries.filter { node.range.bytes.contains($0.key.range.lower) }
        for entry in own { add(entry.value, offsets) }
        let asked = own.map(\.key.range.lower).filter { offsets.contains($0) }
        if asked.isEmpty { return }
        for offset in asked { mapByOffset[offset] = maps.count }
        let keys = own.compactMap { entry in entry.key.scalar.map { ($0.text, entry.key.range) } }
        maps.append(Dictionary(keys) { first, _ in first })
    }

    /// The place of a key of this name in the map of another key.
    func place(of name: String, besides offset: Int) -> SourceRange? {
        guard let map = mapByOffset[offset], let place = maps[map][name] else { return nil }
        return place.lower == offset ? nil : place
    }
}
