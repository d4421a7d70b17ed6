internal import PopScheduler
internal import PopSource

extension Linker {
    /// Popups that wait for each other never show, and those that only each other trigger do not
    /// by themselves.
    mutating func checkOrder() {
        let needs = Needs(of: model.popups)
        if needs.areNone { return }
        let ordered = cycles(among: needs.after.count) { needs.after[$0].map(\.popup) }
        for circle in ordered { report(circle, by: needs.after) }
        // The popups of these circles are reported.
        let stuck = needs.stuck(besides: Set(ordered.joined()))
        if stuck.isEmpty { return }
        let links = needs.after.indices.map { popup in
            stuck.contains(popup)
                ? (needs.after[popup] + needs.triggers[popup]).filter { stuck.contains($0.popup) }
                : []
        }
        // A popup that triggers only itself gets advice, and does not concern the order.
        for circle in cycles(among: links.count, edges: { links[$0].map(\.popup) })
        where circle.count > 1 {
            report(circle, by: links)
        }
    }

    private mutating func report(_ circle: [Int], by links: [[Need]]) {
        let steps = circle.indices.map { position in
            let next = circle[(position + 1) % circle.count]
            let need = links[circle[position]].first { $0.popup == next }
            let name = model.popups.entries[circle[position]].name
            return CircleStep(
                name: name.value, place: need?.place ?? name.range,
                isTrigger: need?.isTrigger ?? false)
        }
        let isOwn = model.popups.entries[circle[0]].writes("after")
        diagnostics.report(
            steps.contains(where: \.isTrigger)
                ? .triggeredInCircle(steps) : .waitInCircle(steps, isOwn: isOwn))
    }
}

/// A popup without which another one does not show.
private struct Need {
    let popup: Int
    /// Where the other one names it.
    let place: SourceRange
    let isTrigger: Bool
}

/// The popups that each popup needs before it shows.
private struct Needs {
    /// All popups that it waits for.
    private(set) var after: [[Need]] = []
    /// The popups that trigger it, one of which is enough; empty if something else triggers it.
    private(set) var triggers: [[Need]] = []
    /// True if no popup needs another one.
    private(set) var areNone = true

    init(of popups: Section<PopupModel>) {
        // By index: going through the popups themselves copies each.
        let entries = popups.entries.indices
        areNone = !entries.contains {
            popups.entries[$0].placeIfAny?.after != nil
                || popups.entries[$0].trigger?.value.contains(where: \.value.isByPopup) == true
        }
        if areNone { return }
        after = entries.map { index in
            (popups.entries[index].placeIfAny?.after?.value ?? []).compactMap { named in
                popups.index(of: named.popup.value).map {
                    Need(popup: $0, place: named.popup.range, isTrigger: false)
                }
            }
        }
        triggers = entries.map { index in
            let all = popups.entries[index].trigger?.value ?? []
            let needs = all.compactMap { trigger -> Need? in
                guard case .acted(let named, _) = trigger.value else { return nil }
                return popups.index(of: named.value).map {
                    Need(popup: $0, place: named.range, isTrigger: true)
                }
            }
            return needs.count == all.count ? needs : []
        }
    }

    /// Returns the popups that cannot show before others of the same result have shown, apart from
    /// those in `told`. Linear in the needs of the popups.
    func stuck(besides told: Set<Int>) -> Set<Int> {
        var stuck = Set(after.indices).subtracting(told)
        var dependents: [[Int]] = Array(repeating: [], count: after.count)
        for popup in after.indices {
            for need in after[popup] + triggers[popup] { dependents[need.popup].append(popup) }
        }
        var pending = Array(after.indices)
        while let popup = pending.popLast() {
            let isFree =
                after[popup].allSatisfy { !stuck.contains($0.popup) }
                && (triggers[popup].isEmpty
                    || triggers[popup].contains { !stuck.contains($0.popup) })
            if !isFree || stuck.remove(popup) == nil { continue }
            pending += dependents[popup]
        }
        return stuck
    }
}

extension TriggerModel {
    fileprivate var isByPopup: Bool { if case .acted = self { true } else { false } }
}

/// A popup in a circle, and how it hangs on the next one.
private struct CircleStep {
    let name: String
    let place: SourceRange
    let isTrigger: Bool

    var label: String {
        isTrigger ? "this popup triggers `\(name)`" : "`\(name)` waits for this popup"
    }
}

extension Diagnostic {
    /// `isOwn` is true if the first popup has an `after` of its own, and does not take it from
    /// defaults.
    fileprivate static func waitInCircle(_ steps: [CircleStep], isOwn: Bool) -> Self {
        let first = steps[0]
        if steps.count == 1 {
            return Diagnostic(
                .refCycle, message: "popup `\(first.name)` waits for itself", at: first.place,
                label: "the popup never shows because of this", subject: "popup `\(first.name)`",
                help: [
                    isOwn
                        ? "remove `\(first.name)` from the `after` of `\(first.name)`"
                        : "add `after: null` to `\(first.name)`, so that the popup ignores"
                            + " the `after` of `defaults`"
                ])
        }
        var finding = circle(
            steps,
            message: "popups wait for each other in a cycle, so none of them ever shows"
        )
        let (later, earlier) = (steps[0].name, steps[1].name)
        finding.help = [
            "remove one of these popups from the `after` of another; for example, remove"
                + " `\(earlier)` from the `after` of `\(later)`, so that `\(later)` does not wait"
                + " for `\(earlier)`"
        ]
        return finding
    }

    /// An app may put any of them into the queue, so that this isn't an error.
    fileprivate static func triggeredInCircle(_ steps: [CircleStep]) -> Self {
        var finding = circle(
            steps,
            message: "popups depend on each other in a cycle, so none of them can show first")
        finding.level = .warning
        let name = steps.first(where: \.isTrigger)?.name ?? steps[0].name
        finding.help = [
            "add another trigger to `\(name)`, such as `manual` if the app puts the popup in the queue"
        ]
        return finding
    }

    private static func circle(_ steps: [CircleStep], message: String) -> Self {
        let names = steps.map { step in
            (name: step.name, word: step.isTrigger ? "is triggered by" : "waits for")
        }
        return Diagnostic(
            .refCycle, message: message, at: steps[0].place, label: steps[0].label,
            subject: "popup `\(steps[0].name)`",
            secondary: steps.dropFirst().prefix(circleLabels).map {
                Label($0.label, at: $0.place)
            }, notes: ["cycle: \(circleText(names))"])
    }
}

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

/// The number of members of a circle that are marked in addition to the first.
let circleLabels = 9

/// A cycle of names, closed by the first, such as "`a` uses `b`, which uses `a`"; of a long one its
/// beginning and its end.
func circleText(_ names: [String], joinedBy word: String) -> String {
    circleText(names.map { (name: $0, word: word) })
}

/// The same with a word of its own after each name.
func circleText(_ steps: [(name: String, word: String)]) -> String {
    let closed = steps + steps.prefix(1)
    let parts = closed.indices.map { index in
        let link = index < 2 ? " " : ", which "
        return (index == 0 ? "" : "\(link)\(closed[index - 1].word) ") + "`\(closed[index].name)`"
    }
    guard closed.count > circleLabels + 2 else { return parts.joined() }
    let left = closed.count - circleLabels
    let word = closed[circleLabels - 3].word
    return parts.prefix(circleLabels - 2).joined() + ", which \(word) … (\(left) more)"
        + parts.suffix(2).joined()
}
