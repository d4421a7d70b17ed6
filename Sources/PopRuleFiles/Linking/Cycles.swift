/// One cycle for each set of nodes that all lead to each other, as its nodes in order; the first is
/// the least.
///
/// Linear in nodes and edges.
func cycles(among count: Int, edges: (Int) -> [Int]) -> [[Int]] {
    components(among: count, edges: edges)
        .compactMap { shortestCycle(from: $0.min() ?? 0, within: Set($0), edges) }
        .sorted { $0[0] < $1[0] }
}

/// The sets of nodes that all lead to each other, and the nodes that lead to themselves.
///
/// Linear in nodes and edges (Tarjan's algorithm, with a stack of its own).
func components(among count: Int, edges: (Int) -> [Int]) -> [[Int]] {
    var search = ComponentSearch(count)
    // A node without edges is in no cycle: most nodes.
    for node in 0..<count where !edges(node).isEmpty { search.visit(from: node, edges) }
    return search.components.filter { $0.count > 1 || edges($0[0]).contains($0[0]) }
}

/// Finds the strongly connected components of a graph.
private struct ComponentSearch {
    private struct Visit {
        let node: Int
        let targets: [Int]
        var next = 0
    }

    private(set) var components: [[Int]] = []
    private var order: [Int?]
    private var low: [Int]
    private var isOpen: [Bool]
    private var open: [Int] = []
    private var counter = 0

    init(_ count: Int) {
        order = Array(repeating: nil, count: count)
        low = Array(repeating: 0, count: count)
        isOpen = Array(repeating: false, count: count)
    }

    mutating func visit(from root: Int, _ edges: (Int) -> [Int]) {
        guard order[root] == nil else { return }
        var path = [enter(root, edges: edges)]
        while let visit = path.last {
            if visit.next < visit.targets.count {
                path[path.count - 1].next += 1
                let target = visit.targets[visit.next]
                if let seen = order[target] {
                    if isOpen[target] { low[visit.node] = min(low[visit.node], seen) }
                } else {
                    path.append(enter(target, edges: edges))
                }
                continue
            }
            path.removeLast()
            if let parent = path.last {
                low[parent.node] = min(low[parent.node], low[visit.node])
            }
            if low[visit.node] == order[visit.node] { close(visit.node) }
        }
    }

    private mutating func enter(_ node: Int, edges: (Int) -> [Int]) -> Visit {
        order[node] = counter
        low[node] = counter
        counter += 1
        open.append(node)
        isOpen[node] = true
        return Visit(node: node, targets: edges(node))
    }

    private mutating func close(_ root: Int) {
        var component: [Int] = []
        while let node = open.popLast() {
            isOpen[node] = false
            component.append(node)
            if node == root { break }
        }
        components.append(component)
    }
}

/// The shortest way from a node back to itself; nil if there is no way.
private func shortestCycle(
    from start: Int, within nodes: Set<Int>, _ edges: (Int) -> [Int]
) -> [Int]? {
    var cameFrom: [Int: Int] = [:]
    var queue = [start]
    var position = 0
    while position < queue.count {
        let node = queue[position]
        position += 1
        for target in edges(node) where nodes.contains(target) {
            if target == start {
                var path = [node]
                while let last = path.last, last != start, let previous = cameFrom[last] {
                    path.append(previous)
                }
                return path.reversed()
            }
            if cameFrom[target] == nil {
                cameFrom[target] = node
                queue.append(target)
            }
        }
    }
    return nil
}
