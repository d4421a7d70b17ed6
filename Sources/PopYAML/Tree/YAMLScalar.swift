public import PopSource

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

    /// The map from the decoded text back to the file. Linear in the text if it had to be decoded,
    /// constant otherwise.
    public var textMap: TextMap { tree.textMap(of: record) }

    /// Returns the text decoded from the file again, with its map.
    func decodedAgain() -> ScalarText {
        decodeScalar(record, in: tree.bytes, file: tree.file)
    }

    /// Returns a byte of the file as it was read.
    func sourceByte(_ offset: Int) -> UInt8 { tree.bytes[offset] }
}
