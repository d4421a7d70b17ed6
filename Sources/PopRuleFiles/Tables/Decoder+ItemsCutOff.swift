internal import PopSource
internal import PopYAML

// Items of a list without brackets in a map with braces, where the comma that should part them
// ends the value: `{ days: mon, tue }`.
extension YAMLNode {
    /// The first item and the items after it that have become keys of the surrounding map; nil
    /// without such items.
    func itemsCutOff(in source: SourceFile) -> SourceRange? {
        // A value in parentheses has been reported.
        guard !isBroken, kind == .scalar ? !isNull : kind == .mapping && isFlow else { return nil }
        var rest = CutItems(source.bytes[range.upper...])
        return rest.end().map { SourceRange(file: range.file, range.lower..<$0) }
    }
}

extension Decoder {
    /// The entries of a map, those apart that a list without brackets has lost to it, which is
    /// reported.
    mutating func entries(
        of node: YAMLNode, withListsAt takesList: (YAMLNode) -> Bool
    ) -> [YAMLEntry] {
        guard node.isFlow else { return Array(node.entries) }
        var cutOff = 0..<0
        return node.entries.filter { entry in
            if cutOff.contains(entry.key.range.lower) { return false }
            guard takesList(entry.key), let items = entry.value.itemsCutOff(in: source) else {
                return true
            }
            inside(key: entry.key) { $0.report(.listWithoutBrackets(items, with: $0)) }
            cutOff = items.bytes
            return false
        }
    }
}

extension Diagnostic {
    static func listWithoutBrackets(_ items: SourceRange, with decoder: Decoder) -> Self {
        let list = "[\(decoder.source.text(in: items))]"
        // The rest may as well have been meant as keys next to it.
        let isSafe = decoder.subjectOfValue != "`none`"
        return Diagnostic(
            .schemaType,
            message: "\(decoder.subjectOfValue) must be a list, which needs brackets here",
            at: items, label: "in braces, a `,` ends the value", help: ["write `\(list)`"],
            fixes: [
                Fix("write `\(list)`", edits: [.init(items, replacement: list)], isSafe: isSafe)
            ])
    }
}

/// The rest of a line after a value.
private struct CutItems {
    private var rest: ArraySlice<UInt8>

    init(_ rest: ArraySlice<UInt8>) { self.rest = rest }

    /// The end of the last item without a colon after it; nil if there is no such item, or the
    /// value isn't in a map.
    mutating func end() -> Int? {
        var end: Int?
        while take(UInt8(ascii: ",")) {
            skipBlanks()
            guard let item = item() else { return nil }
            skipBlanks()
            switch rest.first {
            case UInt8(ascii: ","): end = item
            case UInt8(ascii: "}"): return item
            case UInt8(ascii: ":"): return end
            default: return nil
            }
        }
        return nil
    }

    /// Takes a word or a string in quotes and returns its end.
    private mutating func item() -> Int? {
        guard let first = rest.first else { return nil }
        if first == UInt8(ascii: "{") { return map() }
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            guard let last = rest.dropFirst().firstIndex(of: first),
                !rest[..<last].contains(UInt8(ascii: "\n"))
            else { return nil }
            rest = rest[(last + 1)...]
            return rest.startIndex
        }
        var end: Int?
        while let byte = rest.first, !Array(",[]{}#\n\r".utf8).contains(byte) {
            if byte == UInt8(ascii: ":"), isEndOfKey(rest.dropFirst().first) { break }
            rest.removeFirst()
            if byte != UInt8(ascii: " ") { end = rest.startIndex }
        }
        return end
    }

    /// Where a map on this line ends, which is taken; nil when it may end elsewhere.
    private mutating func map() -> Int? {
        guard let last = rest.firstIndex(of: UInt8(ascii: "}")),
            !rest[..<last].dropFirst().contains(where: { Array("{\n\"'#".utf8).contains($0) })
        else { return nil }
        rest = rest[(last + 1)...]
        return rest.startIndex
    }

    private func isEndOfKey(_ next: UInt8?) -> Bool {
        next.map { Array(" ,[]{}\t\n\r".utf8).contains($0) } ?? true
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipBlanks() { rest = rest.drop { $0 == UInt8(ascii: " ") } }
}
