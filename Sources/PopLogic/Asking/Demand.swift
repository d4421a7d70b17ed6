public import PopCEL

/// Conditions that are looked at together: some that have to be true, some of which one has to be,
/// and some that must not be; of the rules, or of the later of two.
public struct Demand: Sendable {
    /// Those that have to be true.
    public var met: [Program]
    /// Those that must not be true; they may be false, or fail.
    public var unmet: [Program]
    /// Those of which one has to be true; nothing is demanded where there are none.
    public var either: [Program] = []
    /// Those among whom they have to be that meet it, as far as is known of another demand.
    package var among: People?
    /// Whether the conditions are of the later of two rule sets.
    public var isLater: Bool

    /// Conditions that have to be true, and those that must not be.
    public init(_ met: [Program], unmet: [Program] = [], isLater: Bool = false) {
        self.met = met
        self.unmet = unmet
        self.isLater = isLater
    }

    /// What two demand at once. Precondition: both are of the same rules, and one at most demands
    /// that one of several is true.
    public func joined(_ other: Demand) -> Demand {
        var joined = Demand(met + other.met, unmet: unmet + other.unmet, isLater: isLater)
        joined.either = either.isEmpty ? other.either : either
        return joined
    }

    /// All of its conditions.
    public var conditions: [Program] { met + unmet + either }
    /// Whether it demands nothing: everybody meets it.
    public var isEmpty: Bool { conditions.isEmpty && among == nil }
    /// Whether evaluating what has to be true never takes too many steps.
    var isBounded: Bool { (met + either).allSatisfy { $0.isBounded } }

    /// Whether a witness meets it, by the conditions themselves.
    public func isMet(by witness: Witness) -> Bool {
        met.allSatisfy { witness.truth(of: $0, isLater: isLater).isYes }
            && !unmet.contains { witness.truth(of: $0, isLater: isLater).isYes }
            && (either.isEmpty
                || either.contains { witness.truth(of: $0, isLater: isLater).isYes })
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
        let diagram = diagram(of: demand)
        return answer(search(diagram) { demand.isMet(by: $0) })
    }

    /// Whether everybody who meets one demand meets another one too.
    public mutating func implies(_ demand: Demand, _ other: Demand) -> Answer {
        let (one, second) = (diagram(of: demand), diagram(of: other))
        let search = search(arena.subtracting(second, from: one)) {
            demand.isMet(by: $0) && !other.isMet(by: $0)
        }
        // What may run out of steps is not certain to be met.
        return other.isBounded ? answer(search) : answer(search).withoutYes
    }

    /// Somebody who meets a demand; nil when none was found.
    public mutating func witness(meeting demand: Demand) -> Witness? {
        if case .no(let witness) = isNever(demand) { witness } else { nil }
    }

    /// Those who meet a demand.
    public mutating func people(meeting demand: Demand) -> People {
        let diagram = diagram(of: demand)
        return People(diagram: withFacts(diagram))
    }

    /// Those for whom conditions are all true; nil where it is not known, or where that is nobody
    /// or everybody.
    public mutating func audience(of conditions: [Program]) -> People? {
        let demand = Demand(conditions)
        guard demand.isBounded else { return nil }
        let people = people(meeting: demand)
        return isExhausted || people.diagram.isLeaf ? nil : people
    }

    mutating func diagram(of demand: Demand) -> Diagram {
        var diagram = Diagram.always
        for condition in demand.met {
            let yes = meaning(of: condition, isLater: demand.isLater).yes
            diagram = arena.and(diagram, yes)
        }
        for condition in demand.unmet {
            let yes = meaning(of: condition, isLater: demand.isLater).yes
            diagram = arena.subtracting(yes, from: diagram)
        }
        if !demand.either.isEmpty {
            var one = Diagram.never
            for condition in demand.either {
                let yes = meaning(of: condition, isLater: demand.isLater).yes
                one = arena.or(one, yes)
            }
            diagram = arena.and(diagram, one)
        }
        if let people = demand.among { diagram = arena.and(diagram, people.diagram) }
        return diagram
    }

    private mutating func meaning(of condition: Program, isLater: Bool) -> Meaning {
        translator.isLater = isLater
        defer { translator.isLater = false }
        return meaning(of: condition)
    }

    /// For whom each part of a demand is true that is joined with the others by `&&`, and whether
    /// it has to be.
    mutating func meanings(ofPartsOf demand: Demand) -> [(yes: Diagram, isMet: Bool)] {
        translator.isLater = demand.isLater
        defer { translator.isLater = false }
        var parts: [(yes: Diagram, isMet: Bool)] = []
        for condition in demand.met {
            for part in translator.conjuncts(of: translator.term(of: condition)) {
                parts.append((meaning(of: part).yes, true))
            }
        }
        for condition in demand.unmet {
            parts.append((meaning(of: translator.term(of: condition)).yes, false))
        }
        return parts
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

    /// The same for levels of a diagram.
    mutating func withoutLevels(_ levels: Set<Int>, _ diagram: Diagram) -> Diagram {
        var known: [Diagram: Diagram] = [:]
        return without(levels, diagram, &known)
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
    ///
    /// Mutating for its arguments alone: they may make diagrams, which a copy of the arena from
    /// before them would not hold.
    public mutating func areApart(_ one: People, _ other: People) -> Bool {
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
