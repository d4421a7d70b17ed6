package import PopSource

/// Nodes in flat arrays, finished or not.
package protocol Syntax {
    var nodes: TypedArray<NodeID, SyntaxNode> { get }
    var children: [NodeID] { get }
    /// The literals, and as strings the names that aren't in a text: both in one list, because a
    /// list costs more than its contents.
    var values: [Value] { get }
    var origins: Origins { get }
}

/// The base of the offsets of nodes.
package enum Origin: Sendable {
    /// A parsed text.
    case text(TextMap, bytes: [UInt8])
    /// A file itself, for built nodes.
    case file(FileID)
}

/// The origins of a tree. The first is separate from the others, since most trees have only one and
/// then need no array.
package struct Origins: Sendable {
    let first: Origin
    private(set) var others: [Origin] = []

    init(_ first: Origin) { self.first = first }

    package subscript(index: UInt32) -> Origin { index == 0 ? first : others[Int(index) - 1] }

    package var count: Int { others.count + 1 }

    mutating func append(contentsOf other: Origins) {
        others.append(other.first)
        others += other.others
    }
}

/// A syntax tree while it is being built.
struct SyntaxParts: Syntax {
    var nodes: TypedArray<NodeID, SyntaxNode> = []
    var children: [NodeID] = []
    var values: [Value] = []
    var origins: Origins
    var root: NodeID = 0

    init(_ origin: Origin) { origins = Origins(origin) }
}

/// A syntax tree.
///
/// It is a class of constants: all results of compiling an expression keep its tree, and copy one
/// reference instead of five.
package final class SyntaxTree: Syntax, Sendable {
    private let parts: SyntaxParts

    package var nodes: TypedArray<NodeID, SyntaxNode> { parts.nodes }
    package var children: [NodeID] { parts.children }
    package var values: [Value] { parts.values }
    package var origins: Origins { parts.origins }
    package var root: NodeID { parts.root }

    init(_ parts: consuming SyntaxParts) { self.parts = parts }

    /// Creates the tree of the same text at another place; shares everything except the place.
    init(_ other: SyntaxTree, at origin: Origin) {
        var parts = other.parts
        parts.origins = Origins(origin)
        self.parts = parts
    }
}

extension Syntax {
    package func children(of node: NodeID) -> ChildList { ChildList(children, node: nodes[node]) }

    package func child(_ node: NodeID, at position: Int) -> NodeID {
        children[Int(nodes[node].firstChild) + position]
    }

    package func childCount(_ node: NodeID) -> Int { Int(nodes[node].childCount) }

    /// Returns the name of an identifier, a selected field or a called function.
    package func name(_ node: NodeID) -> String {
        guard let place = nodes[node].placeOfName else {
            guard case .string(let name) = values[Int(nodes[node].payload)] else { return "" }
            return name
        }
        guard case .text(_, let bytes) = origins[nodes[node].origin] else { return "" }
        return String(decoding: bytes[place], as: UTF8.self)
    }

    /// Returns true if a node with a name has that name. Most names in the text differ in their
    /// length, and no string is created for them.
    func hasName(_ node: NodeID, name: String) -> Bool {
        guard let place = nodes[node].placeOfName else { return self.name(node) == name }
        guard place.count == name.utf8.count,
            case .text(_, let bytes) = origins[nodes[node].origin]
        else { return false }
        return bytes[place].elementsEqual(name.utf8)
    }

    package func literal(_ node: NodeID) -> Value? {
        nodes[node].kind == .literal ? values[Int(nodes[node].payload)] : nil
    }

    /// Returns the operator of an operation.
    package func operation(_ node: NodeID) -> Operator? {
        nodes[node].kind == .operation ? nodes[node].operator : nil
    }

    /// Returns the macro of a macro node.
    func macro(_ node: NodeID) -> Macro? {
        nodes[node].kind == .macro ? nodes[node].macro : nil
    }

    /// Returns true if a node is the macro `filter`.
    package func isFilter(_ node: NodeID) -> Bool { macro(node) == .filter }

    /// Returns the identifier that a chain of plain selections starts from.
    func chainRoot(_ node: NodeID) -> NodeID? {
        var node = node
        while nodes[node].kind == .select, !nodes[node].flag { node = child(node, at: 0) }
        return nodes[node].kind == .identifier ? node : nil
    }

    /// Returns a name such as `a.b.c` if the node is an identifier or a chain of plain selections
    /// on one.
    package func dottedName(_ node: NodeID) -> String? {
        switch nodes[node].kind {
        case .identifier: return name(node)
        case .select where !nodes[node].flag:
            return dottedName(child(node, at: 0)).map { "\($0).\(name(node))" }
        case .literal, .select, .presence, .call, .memberCall, .operation, .list, .map, .message,
            .optionalEntry, .macro:
            return nil
        }
    }
}

extension SyntaxTree {
    package func range(_ node: NodeID) -> SourceRange {
        let node = nodes[node]
        return range(Int(node.start)..<Int(node.end), in: node.origin)
    }

    /// Returns the place of the operator, function name or field of a node.
    package func focus(_ node: NodeID) -> SourceRange {
        let node = nodes[node]
        guard node.focusEnd > node.focusStart else {
            return range(Int(node.start)..<Int(node.end), in: node.origin)
        }
        return range(Int(node.focusStart)..<Int(node.focusEnd), in: node.origin)
    }

    /// Returns the place of a node; for a string literal in straight quotes, the place between the
    /// quotes.
    func insideOfQuotes(_ node: NodeID) -> SourceRange {
        let part = nodes[node]
        guard case .string? = literal(node), case .text(let map, let bytes) = origins[part.origin],
            part.end - part.start >= 3, bytes[Int(part.start)] == bytes[Int(part.end) - 1]
        else { return range(node) }
        return map.range(Int(part.start) + 1..<Int(part.end) - 1)
    }

    /// The parts of the whole that are only joined by `&&`, in order; the whole itself if there are
    /// none.
    package var conjuncts: [NodeID] {
        var found: [NodeID] = []
        var pending = [root]
        while let node = pending.popLast() {
            if operation(node) == .and {
                pending += children(of: node).reversed()
            } else {
                found.append(node)
            }
        }
        return found
    }

    /// Returns the node that has another one as a child.
    package func parent(of node: NodeID) -> NodeID? {
        nodes.indices.first { children(of: $0).contains(node) }
    }

    private func range(_ offsets: Range<Int>, in origin: UInt32) -> SourceRange {
        switch origins[origin] {
        case .text(let map, _): map.range(offsets)
        case .file(let file): SourceRange(file: file, offsets)
        }
    }
}

// Accessors that advice calls for every node. Those of `Syntax` are called from other modules
// through the protocol, which retains each list that they read.
extension SyntaxTree {
    package func kind(of node: NodeID) -> SyntaxNode.Kind { parts.nodes[node].kind }

    package func `operator`(of node: NodeID) -> Operator { parts.nodes[node].operator }

    package func child(_ node: NodeID, at position: Int) -> NodeID {
        parts.children[Int(parts.nodes[node].firstChild) + position]
    }

    package func childCount(_ node: NodeID) -> Int { Int(parts.nodes[node].childCount) }

    package func literal(_ node: NodeID) -> Value? {
        guard case .literal = kind(of: node) else { return nil }
        return parts.values[Int(parts.nodes[node].payload)]
    }

    /// Returns the operator of an operation.
    package func operation(_ node: NodeID) -> Operator? {
        guard case .operation = kind(of: node) else { return nil }
        return parts.nodes[node].operator
    }
}

/// The children of a node, from left to right.
package struct ChildList: RandomAccessCollection {
    private let children: [NodeID]
    package let startIndex = 0
    package let endIndex: Int
    private let first: Int

    init(_ children: [NodeID], node: SyntaxNode) {
        self.init(children, from: Int(node.firstChild), count: Int(node.childCount))
    }

    private init(_ children: [NodeID], from first: Int, count: Int) {
        self.children = children
        self.first = first
        endIndex = count
    }

    /// Returns the children without the first few: a list and not a slice, whose type would have to
    /// be created when a program starts.
    func dropFirst(_ dropped: Int = 1) -> ChildList {
        let dropped = Swift.min(dropped, count)
        return ChildList(children, from: first + dropped, count: count - dropped)
    }

    package subscript(position: Int) -> NodeID { children[first + position] }
}

extension SyntaxTree {
    /// A macro with a condition on all elements.
    package enum Quantifier: Sendable {
        case all
        case exists
    }

    /// Returns the quantifier that a macro is; nil if it isn't one.
    package func quantifier(_ node: NodeID) -> Quantifier? {
        switch macro(node) {
        case .all?: .all
        case .exists?: .exists
        case nil, .existsOne, .map, .filter, .transformList, .transformMap, .transformMapEntry,
            .bind, .optMap, .optFlatMap:
            nil
        }
    }
}

extension SyntaxTree {
    /// Returns the value of a literal, or of `duration("…")` and `timestamp("…")` with a literal,
    /// and in rules of `version("…")`.
    package func constant(_ node: NodeID, knowsDays: Bool) -> Value? {
        if let value = literal(node) { return value }
        guard kind(of: node) == .call, childCount(node) == 1,
            case .string(let text)? = literal(child(node, at: 0))
        else { return nil }
        switch name(node) {
        case "duration": return DurationText.parse(text, knowsDays: knowsDays).map(Value.duration)
        case "version" where knowsDays: return Version(text).map(Value.version)
        case "timestamp": return Timestamp(parsing: text).map(Value.timestamp)
        default: return nil
        }
    }
}

// Usable from inline, so that code of other modules is specialized for it: otherwise every step
// from one node to the next would be a call through the protocol.
/// The index of a node in a syntax tree.
@usableFromInline
package struct NodeID: ListIndex {
    /// Half the size of an `Int`: trees contain many of them, and an error has no room for more.
    @usableFromInline let place: Int32

    @inlinable @inline(__always)
    package var number: Int { Int(place) }

    @inlinable @inline(__always)
    package init(_ number: Int) { place = Int32(number) }
}

/// One node of a syntax tree. Its children are side by side in the tree's list of children.
package struct SyntaxNode: Sendable {
    package enum Kind: UInt8, Sendable {
        /// `payload` is an index into the values.
        case literal
        /// Its name is in the text, or `payload` is its index; `flag` if it is written `.name`.
        case identifier
        /// `operand.name`, or with `flag` `operand.?name`.
        case select
        /// `has(child)`; the child is a select or an identifier.
        case presence
        /// `name(children)`; `flag` if it is written `.name()`.
        case call
        /// `children[0].name(children[1...])`.
        case memberCall
        /// `operator` is its operator. `&&` and `||` have two or more children.
        case operation
        case list
        /// Keys and values in turn.
        case map
        /// `Name{field: value}`: the children are the name, then fields (literals) and values in
        /// turn.
        case message
        /// `?child` in a list, or before the key in a map.
        case optionalEntry
        /// `macro` is the macro; the children are its range, `payload` variables (identifiers), the
        /// filter if `flag` is set, and the body.
        case macro

        /// True if the payload is a name.
        var hasName: Bool {
            switch self {
            case .identifier, .select, .call, .memberCall: true
            case .literal, .presence, .operation, .list, .map, .message, .optionalEntry, .macro:
                false
            }
        }
    }

    package var kind: Kind
    package var `operator` = Operator.and
    var macro = Macro.all
    package var flag = false
    /// Levels of nodes below and including this one.
    var height: UInt16 = 1
    /// Index into the tree's origins.
    package var origin: UInt32 = 0
    /// For a node with a name: the index of the name among the values, or less than 0 if the name
    /// is in the text.
    package var payload: Int32 = 0
    var firstChild: Int32 = 0
    var childCount: Int32 = 0
    /// The whole node, as offsets in its origin.
    package var start: UInt32 = 0
    package var end: UInt32 = 0
    /// The characteristic part of the node: an operator, a function's name, a field.
    var focusStart: UInt32 = 0
    var focusEnd: UInt32 = 0
}

extension SyntaxNode {
    /// The payload of a node whose name is the text of the focus: most names are looked up once,
    /// and no string is kept for them.
    static let plainName: Int32 = -1
    /// The same for a name between backticks.
    static let quotedName: Int32 = -2

    /// The place of its name in the text; nil if it isn't in the text.
    package var placeOfName: Range<Int>? {
        switch payload {
        case Self.plainName: Int(focusStart)..<Int(focusEnd)
        case Self.quotedName: Int(focusStart) + 1..<Int(focusEnd) - 1
        default: nil
        }
    }
}
