public import PopCEL

/// Conditions that are looked at together: some that have to be true, and some that must not be.
public struct Demand: Sendable {
    /// Those that have to be true.
    public var met: [Program]
    /// Those that must not be true; they may be false, or fail.
    public var unmet: [Program]

    /// Conditions that have to be true, and those that must not be.
    public init(_ met: [Program], unmet: [Program] = []) {
        self.met = met
        self.unmet = unmet
    }

    /// What two demand at once.
    public func joined(_ other: Demand) -> Demand {
        Demand(met + other.met, unmet: unmet + other.unmet)
    }

    func isMet(by witness: Witness) -> Bool {
        met.allSatisfy { witness.truth(of: $0).isYes }
            && !unmet.contains { witness.truth(of: $0).isYes }
    }
}

/// Those who meet a demand, as far as is known without a look at values. Two of one `Logic` are
/// equal only when the same people meet both.
public struct People: Sendable, Hashable {
    let diagram: Diagram
}

extension Logic {
    /// Whether nobody meets a demand.
    public mutating func isNever(_ demand: Demand) -> Answer {
        let diagram = people(meeting: demand).diagram
        return answer(search(diagram) { demand.isMet(by: $0) })
    }

    /// Whether everybody who meets one demand meets another one too.
    public mutating func implies(_ demand: Demand, _ other: Demand) -> Answer {
        let (one, second) = (people(meeting: demand), people(meeting: other))
        let search = search(arena.subtracting(second.diagram, from: one.diagram)) {
            demand.isMet(by: $0) && !other.isMet(by: $0)
        }
        // What may run out of steps is not certain to be met.
        guard other.met.allSatisfy({ $0.isBounded }) else {
            return answer(search).withoutYes
        }
        return answer(search)
    }

    /// Somebody who meets a demand; nil when none was found.
    public mutating func witness(meeting demand: Demand) -> Witness? {
        if case .no(let witness) = isNever(demand) { witness } else { nil }
    }

    /// Those who meet a demand.
    public mutating func people(meeting demand: Demand) -> People {
        var diagram = Diagram.always
        for condition in demand.met {
            let yes = meaning(of: condition).yes
            diagram = arena.and(diagram, yes)
        }
        for condition in demand.unmet {
            let yes = meaning(of: condition).yes
            diagram = arena.subtracting(yes, from: diagram)
        }
        return People(diagram: withFacts(diagram))
    }

    /// Those who belong to some people, whatever some of the things are that conditions read.
    ///
    /// Parts of conditions of which nothing is known are left open too.
    public mutating func people(
        _ people: People, whatever isOpen: (SlotTable.Entry) -> Bool
    ) -> People {
        var levels: Set<Int> = []
        for (level, variable) in order.enumerated() {
            guard let place = variables[base(of: variable)].place else {
                levels.insert(level)
                continue
            }
            if isOpen(place.entry) { levels.insert(level) }
        }
        var known: [Diagram: Diagram] = [:]
        return People(diagram: without(levels, people.diagram, &known))
    }

    private mutating func without(
        _ levels: Set<Int>, _ diagram: Diagram, _ known: inout [Diagram: Diagram]
    ) -> Diagram {
        if diagram.isLeaf { return diagram }
        if let result = known[diagram] { return result }
        let level = arena.level(diagram)
        var edges: [Edge] = []
        for edge in Array(arena.edges(diagram)) {
            edges.append(Edge(last: edge.last, child: without(levels, edge.child, &known)))
        }
        var result = Diagram.never
        if levels.contains(level) {
            for edge in edges { result = arena.or(result, edge.child) }
        } else {
            result = arena.node(level: level, edges: edges)
        }
        known[diagram] = result
        return result
    }

    /// Whether nobody belongs to both, for certain and without a look at values. Takes few steps:
    /// `isNever` finds more.
    public func areApart(_ one: People, _ other: People) -> Bool {
        if isExhausted { return false }
        var steps = limits.meetingSteps
        return !arena.meet(one.diagram, other.diagram, &steps)
    }
}

extension Arena {
    /// Whether two diagrams have a path in common; also when steps are used up.
    fileprivate func meet(_ left: Diagram, _ right: Diagram, _ steps: inout Int) -> Bool {
        if left == .never || right == .never { return false }
        if left == .always || right == .always || left == right { return true }
        steps -= 1
        if steps < 0 { return true }
        let (one, other) = (level(left), level(right))
        if one < other { return edges(left).contains { meet($0.child, right, &steps) } }
        if other < one { return edges(right).contains { meet(left, $0.child, &steps) } }
        let (lefts, rights) = (edges(left), edges(right))
        var (first, second) = (lefts.startIndex, rights.startIndex)
        while first < lefts.endIndex, second < rights.endIndex {
            if meet(lefts[first].child, rights[second].child, &steps) { return true }
            let (last, end) = (lefts[first].last, rights[second].last)
            if last <= end { first += 1 }
            if end <= last { second += 1 }
        }
        return false
    }
}
