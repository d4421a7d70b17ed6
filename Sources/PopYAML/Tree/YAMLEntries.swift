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
