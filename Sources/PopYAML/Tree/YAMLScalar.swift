public import PopSource

/// A text in a document and the way it is written: a view into the document, cheap to copy.
public struct YAMLScalar: Sendable {
    /// How a scalar is written (YAML 1.2, chapter 7 and section 8.1).
    public enum Style: UInt8, Sendable {
        /// Without quotes, in either quotes, or as a block behind `|` or `>`.
        case plain, singleQuoted, doubleQuoted, literal, folded

        // Inlined by hand: the builder asks four times for every scalar, 28 instructions in calls.

        /// Whether the text stands in quotes.
        @inline(__always)
        public var isQuoted: Bool { self == .singleQuoted || self == .doubleQuoted }
        /// Whether the text stands below a `|` or `>`.
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

    /// How it is written.
    public var style: Style { record.style }

    /// Whether the text stands in the file byte for byte, so that nothing had to be decoded.
    public var isVerbatim: Bool { !record.flags.contains(.isDecoded) }

    /// The decoded text in UTF-8, as a slice of a buffer of the document: nothing is copied.
    public var utf8: ArraySlice<UInt8> { tree.utf8(of: record) }

    /// The decoded text; a new string at every call.
    public var text: String { tree.text(of: record) }

    /// The length of the decoded text in UTF-8.
    public var utf8Count: Int { Int(record.count) }

    /// Reads the decoded text in UTF-8 without copying it.
    public func withUTF8<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        let range = Int(record.first)..<Int(record.first + record.count)
        let buffer = isVerbatim ? tree.bytes : tree.decoded
        return try body(buffer.span.extracting(range))
    }

    /// Whether the decoded text is that one, byte for byte; makes no string.
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

    /// What the scalar is in the core schema of YAML 1.2: quoted and block scalars are strings.
    public var value: CoreValue { tree.value(of: record) }

    /// From the decoded text back to the file. Linear in the text when it had to be decoded,
    /// constant otherwise.
    public var textMap: TextMap { tree.textMap(of: record) }

    /// The text worked out from the file once more, with its map.
    func decodedAgain() -> ScalarText {
        decodeScalar(record, in: tree.bytes, file: tree.file)
    }

    /// A byte of the file as it was read.
    func sourceByte(_ offset: Int) -> UInt8 { tree.bytes[offset] }
}
