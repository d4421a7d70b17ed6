/// The places that are looked for in a row, all in one pass.
///
/// Plain numbers in a few arrays, since every name of a row is looked up here.
struct PathTree: Sendable {
    struct Node: Sendable {
        /// The first of the members that are looked for below.
        var firstChild = 0
        var childCount = 0
        /// The number of the path that ends here.
        var path: Int?
        /// Indicates whether its members are in a list of keys with values.
        var isKeyed = false
    }

    private struct Child: Sendable {
        /// The start of its name among all names.
        var start: Int
        var count: Int
        var node: Int
    }

    private(set) var nodes: [Node] = []
    private var children: [Child] = []
    private var names: [UInt8] = []
    let count: Int

    init(_ paths: [LogPath]) {
        count = paths.count
        add(paths.enumerated().map { (number: $0, names: $1.names[...], keyed: $1.isKeyed[...]) })
    }

    private typealias Rest = (number: Int, names: ArraySlice<String>, keyed: ArraySlice<Bool>)

    /// Adds a node for the remaining names of some paths.
    @discardableResult
    private mutating func add(_ rests: [Rest], isKeyed: Bool = false) -> Int {
        let place = nodes.count
        nodes.append(Node(path: rests.first { $0.names.isEmpty }?.number, isKeyed: isKeyed))
        var below: [String: [Rest]] = [:]
        for rest in rests {
            if let name = rest.names.first { below[name, default: []].append(rest) }
            // A flattened log has the remaining names of a path as a single name.
            if rest.names.count > 1 {
                let name = rest.names.joined(separator: ".")
                below[name, default: []].append((rest.number, [], []))
            }
        }
        let found = below.sorted { $0.key < $1.key }
        let first = children.count
        (nodes[place].firstChild, nodes[place].childCount) = (first, found.count)
        for (name, _) in found {
            children.append(Child(start: names.count, count: name.utf8.count, node: 0))
            names += name.utf8
        }
        for (number, child) in found.enumerated() {
            let isKeyed = child.value.contains { $0.keyed.first == true }
            let rests = child.value.map { ($0.number, $0.names.dropFirst(), $0.keyed.dropFirst()) }
            children[first + number].node = add(rests, isKeyed: isKeyed)
        }
        return place
    }

    func isLeaf(_ node: Int) -> Bool { nodes[node].childCount == 0 }

    /// The node of a member that is looked for below another.
    func child(of node: Int, named name: Range<Int>, in block: [UInt8]) -> Int? {
        let first = nodes[node].firstChild
        for place in first..<first + nodes[node].childCount
        where children[place].count == name.count {
            if isName(children[place].start, name, in: block) { return children[place].node }
        }
        return nil
    }

    private func isName(_ start: Int, _ name: Range<Int>, in block: [UInt8]) -> Bool {
        var place = start
        for other in name {
            if block[other] != names[place] { return false }
            place += 1
        }
        return true
    }
}

/// The place of a value in a block of bytes.
struct FoundValue {
    var start = 0
    var end = 0
    /// Indicates whether it is a plain string, and not JSON.
    var isText = false

    static let nothing = FoundValue(start: 0, end: -1)
    /// A value that is null in JSON.
    static let null = FoundValue(start: 0, end: -2)
    var isNothing: Bool { end < start }
    var isNull: Bool { end == -2 }

    /// Returns true if it is a string or a number.
    func isName(in block: [UInt8]) -> Bool {
        isText || !Self.beginnings.contains(block[start])
    }

    private static let beginnings = Array("{[tf".utf8)
    /// Indicates whether the row has no value here, not even null.
    var isUnseen: Bool { end == -1 }
}
