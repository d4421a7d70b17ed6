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

/// One key of a mapping and its value.
public struct YAMLEntry: Sendable {
    /// The key: any node in YAML; rule files only accept scalars.
    public let key: YAMLNode
    /// The value of the key.
    public let value: YAMLNode
}

/// The values of a sequence, in the order of the file. Every access takes constant time.
public struct YAMLItems: RandomAccessCollection, Sendable {
    private let tree: YAMLTree
    private let first: Int
    public let endIndex: Int
    public var startIndex: Int { 0 }

    init(_ tree: YAMLTree) {
        self.tree = tree
        first = 0
        endIndex = 0
    }

    init(_ tree: YAMLTree, record: NodeRecord) {
        self.tree = tree
        first = Int(record.first)
        endIndex = Int(record.count)
    }

    public subscript(position: Int) -> YAMLNode {
        YAMLNode(tree, place: tree.children[first + position])
    }
}

/// The entries of a mapping: its own in the order of the file, then those from merge keys. Every
/// access takes constant time.
public struct YAMLEntries: RandomAccessCollection, Sendable {
    let tree: YAMLTree
    private let first: Int
    public let endIndex: Int
    public var startIndex: Int { 0 }

    init(_ tree: YAMLTree) {
        self.tree = tree
        first = 0
        endIndex = 0
    }

    init(_ tree: YAMLTree, record: NodeRecord) {
        self.tree = tree
        first = Int(record.first)
        endIndex = Int(record.count) / 2
    }

    public subscript(position: Int) -> YAMLEntry {
        YAMLEntry(key: key(at: position), value: value(at: position))
    }

    package func key(at position: Int) -> YAMLNode {
        YAMLNode(tree, place: placeOfKey(at: position))
    }

    package func value(at position: Int) -> YAMLNode {
        YAMLNode(tree, place: tree.children[first + 2 * position + 1])
    }

    /// Returns a key and its value if both are strings in the core schema.
    package func texts(at position: Int) -> (key: String, value: String)? {
        guard let key = tree.textByCoreSchema(at: placeOfKey(at: position)),
            let value = tree.textByCoreSchema(at: tree.children[first + 2 * position + 1])
        else { return nil }
        return (key, value)
    }

    func placeOfKey(at position: Int) -> UInt32 { tree.children[first + 2 * position] }

    func recordOfKey(at position: Int) -> NodeRecord {
        let record = tree.records[Int(placeOfKey(at: position))]
        return record.kind == .alias ? tree.records[Int(record.first)] : record
    }
}

/// A scalar in a document with its style: a view into the document, cheap to copy.
public struct YAMLScalar: Sendable {
    /// The style of a scalar (YAML 1.2, chapter 7 and section 8.1).
    public enum Style: UInt8, Sendable {
        /// Without quotes, in either kind of quotes, or as a block after `|` or `>`.
        case plain, singleQuoted, doubleQuoted, literal, folded

        // Inlined by hand: the builder checks four times for every scalar, which took 28
        // instructions in calls.

        /// True if the text is quoted.
        @inline(__always)
        public var isQuoted: Bool { self == .singleQuoted || self == .doubleQuoted }
        /// True if the text is a block below a `|` or `>`.
        @inline(__always)
        public var isBlock: Bool { self == .literal || self == .folded }
    }

    private let tree: YAMLTree
    private let index: UInt32
    private let record: NodeRecord

    init(_ tree: YAMLTree, index: UInt32, record: NodeRecord) {
        self.tree = tree
        self.index = index
        self.record = record
    }

    /// The style in which it is written.
    public var style: Style { record.style }

    /// True if the text is in the file byte for byte, so that nothing had to be decoded.
    public var isVerbatim: Bool { !record.flags.contains(.isDecoded) }

    /// The decoded text in UTF-8, as a slice of a buffer of the document: nothing is copied.
    public var utf8: ArraySlice<UInt8> { tree.utf8(of: record) }

    /// The decoded text; a new string on each access.
    public var text: String { tree.text(of: record) }

    /// The length of the decoded text in UTF-8.
    public var utf8Count: Int { Int(record.count) }

    /// Reads the decoded text in UTF-8 without copying it.
    public func withUTF8<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        let range = Int(record.first)..<Int(record.first + record.count)
        let buffer = isVerbatim ? tree.bytes : tree.decoded
        return try body(buffer.span.extracting(range))
    }

    /// Returns true if the decoded text equals a string, byte for byte; creates no string.
    public func hasText(_ text: String) -> Bool {
        let wanted = text.utf8
        guard wanted.count == utf8Count else { return false }
        return withUTF8 { bytes in
            var index = 0
            for byte in wanted {
                if bytes[index] != byte { return false }
                index += 1
            }
            return true
        }
    }

    /// The value of the scalar in the core schema of YAML 1.2: quoted and block scalars are
    /// strings.
    public var value: CoreValue { tree.value(of: record) }

    /// The map from the decoded text back to the file. Takes time linear in the length of the text
    /// if the text had to be decoded, and constant time otherwise.
    public var textMap: TextMap { tree.textMap(of: record) }

    /// Returns the text decoded from the file again, with its map.
    func decodedAgain() -> ScalarText {
        decodeScalar(record, in: tree.bytes, file: tree.file)
    }

    /// Returns a byte of the file as it was read.
    func sourceByte(_ offset: Int) -> UInt8 { tree.bytes[offset] }
}

extension YAMLNode {
    /// The value on one line in valid YAML: strings are only quoted if they were quoted or need
    /// quotes. Linear in the value, including aliases.
    package var line: String { line(isInside: false) }

    private func line(isInside: Bool) -> String {
        switch kind {
        case .scalar: return scalarLine(isInside: isInside)
        case .sequence: return "[\(items.map { $0.line(isInside: true) }.joined(separator: ", "))]"
        case .mapping:
            let entries = entries.map {
                "\($0.key.line(isInside: true)): \($0.value.line(isInside: true))"
            }
            return entries.isEmpty ? "{}" : "{ \(entries.joined(separator: ", ")) }"
        }
    }

    private func scalarLine(isInside: Bool) -> String {
        let text = text ?? ""
        guard case .string? = coreValue else { return text.isEmpty ? "null" : text }
        if text.unicodeScalars.contains(where: \.needsEscape) { return escaped(text) }
        return isPlain && isReadPlain(text, isInside: isInside) ? text : QuoteEdits.quoted(text)
    }

    /// The value in JSON; numbers that JSON doesn't have become strings.
    package var json: JSON {
        switch kind {
        case .scalar: scalarJSON
        case .sequence: .array(items.map(\.json))
        case .mapping:
            .object(
                entries.map { JSON.Member(key: $0.key.text ?? $0.key.line, value: $0.value.json) })
        }
    }

    private var scalarJSON: JSON {
        switch coreValue {
        case .null?, nil: .null
        case .bool(let value)?: .bool(value)
        case .int(let number)?: .int(number)
        case .unsigned(let number)?: .uint(number)
        case .float(let number)? where number.isFinite: .double(number)
        case .float?, .hugeInteger?, .string?: .string(text ?? "")
        }
    }
}

/// Returns true if a string needs no quotes. It may return false for some that don't need them.
private func isReadPlain(_ text: String, isInside: Bool) -> Bool {
    guard let first = text.first, !"-?:,[]{}#&*!|>'\"%@`. ".contains(first),
        !text.hasSuffix(" "), !text.hasSuffix(":"), !text.contains(": "), !text.contains(" #"),
        !isInside || !text.contains(where: { ",[]{}".contains($0) })
    else { return false }
    let bytes = Array(text.utf8)
    return coreValue(bytes.span) == .string
}

/// Returns a string in double quotes, with invisible characters and line breaks escaped.
private func escaped(_ text: String) -> String {
    let inside = text.unicodeScalars.map { scalar in
        switch scalar {
        case "\"", "\\": return "\\\(scalar)"
        case "\n": return "\\n"
        case "\t": return "\\t"
        case _ where scalar.needsEscape:
            let digits = String(scalar.value, radix: 16)
            return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        default: return String(scalar)
        }
    }
    return "\"\(inside.joined())\""
}

extension Unicode.Scalar {
    fileprivate var needsEscape: Bool { self == "\t" || mustBeEscaped }
}
