internal import PopSource

/// The data of one scalar, collection or alias: 24 bytes.
struct NodeRecord {
    enum Kind: UInt8 { case scalar, sequence, mapping, alias }

    /// The type that an explicit tag of the core schema gives a scalar.
    enum CoreTag: UInt8 { case none, string, int, float, bool, null }

    /// The place in the file, without anchor and tag.
    var start: UInt32
    var end: UInt32
    /// For a scalar, the start of its text; for a collection, the index of its first child; for an
    /// alias, the node that it refers to.
    var first: UInt32 = 0
    /// For a scalar, the number of bytes of its text; for a collection, the number of its children;
    /// a mapping has two for each entry.
    var count: UInt32 = 0
    /// For a block scalar, one more than the column of the enclosing collection, which indentation
    /// is measured from.
    var indent: UInt32 = 0
    var kind: Kind
    var style: YAMLScalar.Style = .plain
    var tag: CoreTag = .none
    var flags: Flags = []

    struct Flags: OptionSet {
        let rawValue: UInt8

        /// The text isn't in the file unchanged: it is in the side buffer.
        static let isDecoded = Flags(rawValue: 1)
        /// It replaces a value that was reported as invalid.
        static let isBroken = Flags(rawValue: 2)
        /// A collection is written with brackets.
        static let isFlow = Flags(rawValue: 4)
    }
}

/// A whole document in flat arrays, the nodes in the order of the file. Immutable once built.
final class YAMLTree: Sendable {
    let file: FileID
    /// The bytes of the file; values that were set aside are overwritten.
    let bytes: [UInt8]
    let records: [NodeRecord]
    /// The children of all collections, those of each collection in a row.
    let children: [UInt32]
    /// The texts of the scalars that had to be decoded.
    let decoded: [UInt8]
    /// The anchor and tag before a node, for the few that have one.
    let properties: [UInt32: NodeProperties]

    init(
        file: FileID, bytes: [UInt8], records: [NodeRecord], children: [UInt32], decoded: [UInt8],
        properties: [UInt32: NodeProperties]
    ) {
        self.file = file
        self.bytes = bytes
        self.records = records
        self.children = children
        self.decoded = decoded
        self.properties = properties
    }
}

extension NodeRecord: Sendable {}

/// The places of the anchor and the tag before a value.
struct NodeProperties: Sendable {
    var anchor: Range<Int>?
    var tag: Range<Int>?
}
