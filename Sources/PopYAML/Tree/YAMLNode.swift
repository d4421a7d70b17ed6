public import PopSource

/// A value in a document: a scalar, a sequence or a mapping, with its place in the file.
///
/// It is a view of a few words into the document, which it keeps alive; cheap to copy. An alias
/// appears as the value that it names, with the place of the alias.
public struct YAMLNode: Sendable {
    /// The three kinds of nodes of YAML 1.2.
    public enum Kind: Sendable { case scalar, sequence, mapping }

    let tree: YAMLTree
    /// The record of the value itself.
    private(set) var index: UInt32
    /// The record of the place: the alias, or the value itself.
    private(set) var place: UInt32

    init(_ tree: YAMLTree, place: UInt32) {
        self.tree = tree
        self.place = place
        index = place
        move(to: place)
    }

    private mutating func move(to place: UInt32) {
        self.place = place
        let record = tree.records[Int(place)]
        index = record.kind == .alias ? record.first : place
    }

    /// Makes this another key of the map that it is a key of, without counting a reference to the
    /// document.
    package mutating func move(toKeyAt position: Int, in entries: YAMLEntries) {
        precondition(entries.tree === tree, "a key of another document")
        move(to: entries.placeOfKey(at: position))
    }

    var record: NodeRecord { tree.records[Int(index)] }

    /// The place of the value in the file, without anchor and tag; for an alias, the place of the
    /// alias.
    public var range: SourceRange { range(of: place) }

    /// The place of the value itself, even if it is reached through an alias.
    public var definitionRange: SourceRange { range(of: index) }

    /// True if the value is reached through an alias.
    public var isAlias: Bool { place != index }

    /// The kind of the node.
    public var kind: Kind {
        switch record.kind {
        case .sequence: .sequence
        case .mapping: .mapping
        case .scalar, .alias: .scalar
        }
    }

    /// True if this replaces a value that has already been reported as invalid: decoders skip it
    /// silently.
    public var isBroken: Bool { record.flags.contains(.isBroken) }

    /// True if a collection is written with brackets.
    public var isFlow: Bool { record.flags.contains(.isFlow) }

    /// The scalar, if the node is one; nil otherwise.
    public var scalar: YAMLScalar? {
        let record = record
        return record.kind == .scalar ? YAMLScalar(tree, index: index, record: record) : nil
    }

    /// The decoded text of a scalar, a new string on each access; nil for anything else.
    public var text: String? {
        let record = record
        return record.kind == .scalar ? tree.text(of: record) : nil
    }

    /// `YAMLScalar.utf8` and `YAMLScalar.textMap`, without a scalar that retains the
    /// document; nil for anything else.
    package var utf8: ArraySlice<UInt8>? {
        let record = record
        return record.kind == .scalar ? tree.utf8(of: record) : nil
    }

    package var textMap: TextMap? {
        let record = record
        return record.kind == .scalar ? tree.textMap(of: record) : nil
    }

    /// The value of a scalar in the core schema of YAML 1.2, `YAMLScalar.value`; nil for anything
    /// else.
    public var coreValue: CoreValue? {
        let record = record
        return record.kind == .scalar ? tree.value(of: record) : nil
    }

    /// True if this is a scalar that is null in the core schema.
    package var isNull: Bool {
        let record = record
        // All its notations have at most 4 bytes.
        guard record.kind == .scalar, record.count <= 4, case .null = tree.value(of: record) else {
            return false
        }
        return true
    }

    /// True if this is an unquoted scalar that isn't a block after `|` or `>`.
    package var isPlain: Bool {
        let record = record
        return record.kind == .scalar && record.style == .plain
    }

    /// The scalars in the value, except keys, whose texts contain a possible sign of a placeholder
    /// or a curly quote: a bracket, a backslash, a `%` or the first byte of a curly quote. In the
    /// order of the file, linear in the texts.
    package var textsWithSigns: [YAMLNode] {
        var found: [UInt32] = []
        tree.addTextsWithSigns(in: place, to: &found)
        return found.map { YAMLNode(tree, place: $0) }
    }

    /// The values of a sequence; empty for anything else.
    public var items: YAMLItems {
        let record = record
        return record.kind == .sequence ? YAMLItems(tree, record: record) : YAMLItems(tree)
    }

    /// The entries of a mapping, each key once, those of merge keys after its own; empty for
    /// anything else.
    public var entries: YAMLEntries {
        let record = record
        return record.kind == .mapping ? YAMLEntries(tree, record: record) : YAMLEntries(tree)
    }

    /// The value of a key of a mapping, by its text. Linear in the entries.
    public subscript(key: String) -> YAMLNode? {
        entries.first { $0.key.scalar?.hasText(key) == true }?.value
    }

    /// The place of the anchor of the value, including its `&`.
    public var anchorRange: SourceRange? {
        tree.properties[index]?.anchor.map { SourceRange(file: tree.file, $0) }
    }

    /// The comment after the value on its last line, from its `#` on.
    ///
    /// For a plain scalar this is the text that a ` #` may have cut off.
    public var trailingComment: SourceRange? {
        var offset = range.upper
        let start = offset
        while offset < tree.bytes.count, isBlank(tree.bytes[offset]) { offset += 1 }
        guard offset > start, offset < tree.bytes.count, tree.bytes[offset] == UInt8(ascii: "#")
        else { return nil }
        var end = offset
        while end < tree.bytes.count, lineBreakLength(tree.bytes, at: end) == 0 { end += 1 }
        return SourceRange(file: tree.file, offset..<end)
    }

    private func range(of index: UInt32) -> SourceRange {
        let record = tree.records[Int(index)]
        return SourceRange(file: tree.file, Int(record.start)..<Int(record.end))
    }
}
