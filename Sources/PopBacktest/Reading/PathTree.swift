internal import PopFleet

/// The places that are looked for in a row, all at once.
struct PathTree: Sendable {
    struct Node: Sendable {
        var children: [(name: [UInt8], node: Int)] = []
        /// The number of the path that ends here.
        var path: Int?
        /// Whether its members stand in a list of keys with values.
        var isKeyed = false
    }

    private(set) var nodes = [Node()]
    let count: Int

    init(_ paths: [LogPath]) {
        count = paths.count
        for (number, path) in paths.enumerated() { add(path, number: number) }
    }

    private mutating func add(_ path: LogPath, number: Int) {
        var place = 0
        for (name, isKeyed) in zip(path.names, path.isKeyed) {
            let bytes = Array(name.utf8)
            if let child = nodes[place].children.first(where: { $0.name == bytes }) {
                place = child.node
            } else {
                nodes.append(Node())
                nodes[place].children.append((bytes, nodes.count - 1))
                place = nodes.count - 1
            }
            nodes[place].isKeyed = nodes[place].isKeyed || isKeyed
        }
        nodes[place].path = number
    }

    func isLeaf(_ node: Int) -> Bool { nodes[node].children.isEmpty }
}

/// Where a value stands in a block of bytes.
struct FoundValue {
    var start = 0
    var end = 0
    /// Whether it is a text as it stands, and not JSON.
    var isText = false

    static let nothing = FoundValue(start: 0, end: -1)
    var isNothing: Bool { end < start }
}
