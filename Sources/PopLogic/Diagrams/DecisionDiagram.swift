/// A set of users as a diagram: the number of its node in a `DecisionDiagramStore`. Two diagrams of
/// one store are equal exactly if they are the same set, as far as diagrams express it.
struct DecisionDiagram: Hashable, Sendable {
    let number: Int32

    /// No users.
    static let never = DecisionDiagram(number: 0)
    /// All users.
    static let always = DecisionDiagram(number: 1)

    var isLeaf: Bool { number < 2 }
}

/// An edge of a node. `last` is the last value that it covers; the first one follows the last value
/// of the previous edge.
struct Edge: Hashable, Sendable {
    let last: Ordinal
    let child: DecisionDiagram
}

/// The nodes of diagrams. Each node exists once. Edges cover the values of a variable in order,
/// neighbors with the same child are one edge, and a node whose edges all have the same child is
/// that child.
///
/// From top to bottom, variables come in the order of their levels. If the limit of nodes or steps
/// is reached, the arena is exhausted, and all further results are meaningless.
struct DecisionDiagramStore: Sendable {
    private struct Node: Sendable {
        let level: Int32
        let firstEdge: Int32
        let edgeCount: Int32
    }

    private struct Question: Hashable {
        let left: Int32
        let right: Int32
    }

    private var nodes: [Node]
    private var edges: [Edge] = []
    /// The number of a node, or -1, by hash: open addressing, at most half full.
    private var buckets: [Int32] = Array(repeating: -1, count: 256)
    private var conjunctions: [Question: DecisionDiagram] = [:]
    private var complements: [DecisionDiagram: DecisionDiagram] = [:]
    private let mostNodes: Int
    private let mostEdges: Int
    private var steps: Int
    private var meter: StepMeter
    private(set) var isExhausted = false

    init(_ limits: LogicLimits) {
        let leaf = Node(level: .max, firstEdge: 0, edgeCount: 0)
        nodes = [leaf, leaf]
        mostNodes = limits.nodes
        mostEdges = limits.edges
        steps = limits.steps
        meter = StepMeter(limits.budget)
    }

    /// Returns the level of the first variable; a leaf is below all levels.
    func level(_ diagram: DecisionDiagram) -> Int { Int(nodes[Int(diagram.number)].level) }

    func edges(_ diagram: DecisionDiagram) -> ArraySlice<Edge> {
        let node = nodes[Int(diagram.number)]
        return edges[Int(node.firstEdge)..<Int(node.firstEdge + node.edgeCount)]
    }

    /// Returns the diagram that remains if the first variable has a value.
    func child(_ diagram: DecisionDiagram, at rank: Ordinal) -> DecisionDiagram {
        for edge in edges(diagram) where rank <= edge.last { return edge.child }
        return .never
    }
}

// MARK: Making nodes

extension DecisionDiagramStore {
    /// Returns the node with these edges, which cover all values of the variable in order.
    mutating func node(level: Int, edges: [Edge]) -> DecisionDiagram {
        var merged: [Edge] = []
        for edge in edges {
            if merged.last?.child == edge.child { merged.removeLast() }
            merged.append(edge)
        }
        guard merged.count > 1 else { return merged.first?.child ?? .never }
        var bucket = Self.hash(level, merged) & (buckets.count - 1)
        while buckets[bucket] >= 0 {
            let candidate = DecisionDiagram(number: buckets[bucket])
            if self.level(candidate) == level, self.edges(candidate).elementsEqual(merged) {
                return candidate
            }
            takeEdges(1)
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        guard nodes.count < mostNodes, self.edges.count + merged.count <= mostEdges else {
            isExhausted = true
            return .never
        }
        let number = Int32(nodes.count)
        buckets[bucket] = number
        nodes.append(
            Node(
                level: Int32(level), firstEdge: Int32(self.edges.count),
                edgeCount: Int32(merged.count)))
        self.edges += merged
        if nodes.count * 2 > buckets.count { grow() }
        return DecisionDiagram(number: number)
    }

    private mutating func grow() {
        buckets = Array(repeating: -1, count: buckets.count * 2)
        for number in 2..<Int32(nodes.count) {
            let node = DecisionDiagram(number: number)
            var bucket = Self.hash(level(node), edges(node)) & (buckets.count - 1)
            while buckets[bucket] >= 0 { bucket = (bucket + 1) & (buckets.count - 1) }
            buckets[bucket] = number
        }
    }

    private static func hash(_ level: Int, _ edges: some Sequence<Edge>) -> Int {
        var hash = UInt64(truncatingIfNeeded: level)
        for edge in edges {
            // Versions differ only in the upper half.
            let last = edge.last.low ^ UInt64(bitPattern: edge.last.high).byteSwapped
            for word in [last, UInt64(bitPattern: Int64(edge.child.number))] {
                hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash >> 32
            }
        }
        return Int(truncatingIfNeeded: hash)
    }

    /// Returns a diagram that is true if a variable, whose possible ranks are given, has one of a
    /// set.
    mutating func test(level: Int, in whole: ClosedRange<Ordinal>, is set: IntervalSet)
        -> DecisionDiagram
    {
        var edges: [Edge] = []
        var start = whole.lowerBound
        for range in set.ranges where range.overlaps(whole) {
            let range = range.clamped(to: whole)
            if range.lowerBound > start {
                edges.append(Edge(last: range.lowerBound.previous, child: .never))
            }
            edges.append(Edge(last: range.upperBound, child: .always))
            start = range.upperBound.next
        }
        if start <= whole.upperBound { edges.append(Edge(last: whole.upperBound, child: .never)) }
        takeEdges(edges.count)
        return node(level: level, edges: edges)
    }
}

// MARK: Joining

extension DecisionDiagramStore {
    mutating func not(_ diagram: DecisionDiagram) -> DecisionDiagram {
        if diagram.isLeaf { return diagram == .never ? .always : .never }
        if let known = complements[diagram] { return known }
        let places = edges(diagram).indices
        guard takeStep(edges: places.count) else { return .never }
        var negated: [Edge] = []
        negated.reserveCapacity(places.count)
        for place in places {
            let edge = edges[place]
            negated.append(Edge(last: edge.last, child: not(edge.child)))
        }
        let result = node(level: level(diagram), edges: negated)
        complements[diagram] = result
        complements[result] = diagram
        return result
    }

    mutating func and(_ left: DecisionDiagram, _ right: DecisionDiagram) -> DecisionDiagram {
        if left == .never || right == .never { return .never }
        if left == .always || left == right { return right }
        if right == .always { return left }
        let question = Question(
            left: min(left.number, right.number), right: max(left.number, right.number))
        if let known = conjunctions[question] { return known }
        guard takeStep(edges: 0) else { return .never }
        let result = joined(left, right)
        conjunctions[question] = result
        return result
    }

    private mutating func joined(_ left: DecisionDiagram, _ right: DecisionDiagram)
        -> DecisionDiagram
    {
        let level = min(self.level(left), self.level(right))
        var (one, other) = (branches(left, at: level), branches(right, at: level))
        var joined: [Edge] = []
        while one.hasEdge, other.hasEdge {
            let (first, second) = (edge(one), edge(other))
            // Where one diagram is empty, the edges of the other one don't matter.
            if first.child == .never, second.last <= first.last {
                joined.append(first)
                skip(&other, to: first.last)
                one.place += 1
                continue
            }
            if second.child == .never, first.last <= second.last {
                joined.append(second)
                skip(&one, to: second.last)
                other.place += 1
                continue
            }
            let last = min(first.last, second.last)
            joined.append(Edge(last: last, child: and(first.child, second.child)))
            if first.last == last { one.place += 1 }
            if second.last == last { other.place += 1 }
        }
        takeEdges(joined.count)
        return node(level: level, edges: joined)
    }

    /// The edges of a diagram at a level, by their indexes. A diagram without a node at this level
    /// has a single edge for all values.
    private struct Branches {
        var place: Int
        let end: Int
        let whole: DecisionDiagram?

        var hasEdge: Bool { place < end }
    }

    private func branches(_ diagram: DecisionDiagram, at level: Int) -> Branches {
        guard self.level(diagram) == level else {
            return Branches(place: 0, end: 1, whole: diagram)
        }
        let places = edges(diagram).indices
        return Branches(place: places.lowerBound, end: places.upperBound, whole: nil)
    }

    private func edge(_ branches: Branches) -> Edge {
        branches.whole.map { Edge(last: Ordinal(high: .max, low: .max), child: $0) }
            ?? edges[branches.place]
    }

    /// Skips the edges that end at a rank or before it.
    private func skip(_ branches: inout Branches, to last: Ordinal) {
        if branches.whole != nil { return }
        var (lower, upper) = (branches.place, branches.end)
        while lower < upper {
            let middle = lower + (upper - lower) / 2
            if edges[middle].last <= last { lower = middle + 1 } else { upper = middle }
        }
        branches.place = lower
    }

    /// Returns the users who are in all diagrams. Joins neighbors, so that many small diagrams take
    /// few steps, and so does a second call with one of the diagrams replaced.
    mutating func conjunction(of diagrams: [DecisionDiagram]) -> DecisionDiagram {
        var left = diagrams
        while left.count > 1 {
            if left.contains(.never) { return .never }
            var joined: [DecisionDiagram] = []
            joined.reserveCapacity(left.count / 2 + 1)
            for place in stride(from: 0, to: left.count - 1, by: 2) {
                joined.append(and(left[place], left[place + 1]))
            }
            if left.count % 2 == 1 { joined.append(left[left.count - 1]) }
            left = joined
        }
        return left.first ?? .always
    }

    /// Returns the users who are in at least one diagram.
    mutating func disjunction(of diagrams: [DecisionDiagram]) -> DecisionDiagram {
        var others: [DecisionDiagram] = []
        others.reserveCapacity(diagrams.count)
        for diagram in diagrams { others.append(not(diagram)) }
        let nobody = conjunction(of: others)
        return not(nobody)
    }

    mutating func or(_ left: DecisionDiagram, _ right: DecisionDiagram) -> DecisionDiagram {
        let (left, right) = (not(left), not(right))
        return not(and(left, right))
    }

    mutating func subtracting(_ right: DecisionDiagram, from left: DecisionDiagram)
        -> DecisionDiagram
    {
        let right = not(right)
        return and(left, right)
    }

    /// Returns the users who are in exactly one of two diagrams.
    mutating func difference(_ left: DecisionDiagram, _ right: DecisionDiagram) -> DecisionDiagram {
        if left == right { return .never }
        let (one, other) = (subtracting(right, from: left), subtracting(left, from: right))
        return or(one, other)
    }

    mutating func choice(
        _ condition: DecisionDiagram, then: DecisionDiagram, otherwise: DecisionDiagram
    ) -> DecisionDiagram {
        let (one, other) = (and(condition, then), subtracting(condition, from: otherwise))
        return or(one, other)
    }

    private mutating func takeStep(edges: Int) -> Bool {
        steps -= 1
        if steps < 0 || !meter.take(StepCost.node) { isExhausted = true }
        takeEdges(edges)
        return !isExhausted
    }

    private mutating func takeEdges(_ count: Int) {
        if !meter.take(count * StepCost.edge) { isExhausted = true }
    }
}
