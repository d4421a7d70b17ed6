internal import PopSource

/// What is kept of one scalar, collection or alias: 24 bytes.
struct NodeRecord {
    enum Kind: UInt8 { case scalar, sequence, mapping, alias }

    /// What an explicit tag of the core schema makes of a scalar.
    enum CoreTag: UInt8 { case none, string, int, float, bool, null }

    /// The place in the file, without anchor and tag.
    var start: UInt32
    var end: UInt32
    /// Of a scalar: where its text begins. Of a collection: where its children begin. Of an alias:
    /// the node it stands for.
    var first: UInt32 = 0
    /// Of a scalar: the bytes of its text. Of a collection: its children; a mapping has two for
    /// each entry.
    var count: UInt32 = 0
    /// Of a block scalar: one more than the column of the collection around it, which indentation
    /// is measured from.
    var indent: UInt32 = 0
    var kind: Kind
    var style: YAMLScalar.Style = .plain
    var tag: CoreTag = .none
    var flags: Flags = []

    struct Flags: OptionSet {
        let rawValue: UInt8

        /// The text is not found in the file as it is: it lies in the side buffer.
        static let isDecoded = Flags(rawValue: 1)
        /// Stands in for a value that was reported as wrong.
        static let isBroken = Flags(rawValue: 2)
        /// Of a collection: written with brackets.
        static let isFlow = Flags(rawValue: 4)
    }
}

/// A whole document in flat arrays, the nodes in the order of the file. Immutable once built.
final class YAMLTree: Sendable {
    let file: FileID
    /// The bytes of the file; values that were set aside are overwritten.
    let bytes: [UInt8]
    let records: [NodeRecord]
    /// The children of every collection, each collection's in a row.
    let children: [UInt32]
    /// The texts of the scalars that had to be decoded.
    let decoded: [UInt8]
    /// The anchor and tag in front of a node, for the few that have one.
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

/// The places of what stands in front of a value.
struct NodeProperties: Sendable {
    var anchor: Range<Int>?
    var tag: Range<Int>?
}
