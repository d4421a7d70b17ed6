public import PopCEL

/// Conditions that are examined together: all of some must be true, one of some must be true, and
/// none of some may be true. They belong to the rules, or to the later of two rule sets.
public struct Demand: Sendable {
    /// The conditions that must be true.
    public var met: [Program]
    /// The conditions that must not be true; they may be false, or fail.
    public var unmet: [Program]
    /// The conditions of which one must be true; if the list is empty, nothing is required.
    public var either: [Program] = []
    /// The users to consider for the demand, from what is known of another demand.
    package var among: People?
    /// True if the conditions belong to the later of two rule sets.
    public var isLater: Bool

    /// Creates a demand from conditions that must be true, and conditions that must not be.
    public init(_ met: [Program], unmet: [Program] = [], isLater: Bool = false) {
        self.met = met
        self.unmet = unmet
        self.isLater = isLater
    }

    /// Returns the demand that combines two. Precondition: both belong to the same rules, and at
    /// most one of them requires that one of several conditions is true.
    public func joined(_ other: Demand) -> Demand {
        var joined = Demand(met + other.met, unmet: unmet + other.unmet, isLater: isLater)
        joined.either = either.isEmpty ? other.either : either
        return joined
    }

    /// All of its conditions.
    public var conditions: [Program] { met + unmet + either }
    /// True if the demand requires nothing, so that all users meet it.
    public var isEmpty: Bool { conditions.isEmpty && among == nil }
    /// True if evaluating the conditions that must be true never takes too many steps.
    var isBounded: Bool { (met + either).allSatisfy { $0.isBounded } }

    /// Returns true if a witness meets the demand, according to the conditions themselves.
    public func isMet(by witness: Witness) -> Bool {
        met.allSatisfy { witness.truth(of: $0, isLater: isLater).isYes }
            && !unmet.contains { witness.truth(of: $0, isLater: isLater).isYes }
            && (either.isEmpty
                || either.contains { witness.truth(of: $0, isLater: isLater).isYes })
    }
}

/// The users who meet a demand, as far as this is known without a look at values. Two values of one
/// `Logic` are equal only if the same users meet both demands.
public struct People: Sendable, Hashable {
    let diagram: Diagram
}

extension Logic {
    /// Returns yes if no user meets a demand.
    public mutating func isNever(_ demand: Demand) -> Answer {
        let diagram = diagram(of: demand)
        return answer(search(diagram) { demand.isMet(by: $0) })
    }

    /// Returns yes if every user who meets one demand also meets another one.
    public mutating func implies(_ demand: Demand, _ other: Demand) -> Answer {
        let (one, second) = (diagram(of: demand), diagram(of: other))
        let search = search(arena.subtracting(second, from: one)) {
            demand.isMet(by: $0) && !other.isMet(by: $0)
        }
        // A condition that may run out of steps isn't certain to be met.
        return other.isBounded ? answer(search) : answer(search).withoutYes
    }

    /// Returns a user who meets a demand; nil if none was found.
    public mutating func witness(meeting demand: Demand) -> Witness? {
        if case .no(let witness) = isNever(demand) { witness } else { nil }
    }

    /// Returns the users who meet a demand.
    public mutating func people(meeting demand: Demand) -> People {
        let diagram = diagram(of: demand)
        return People(diagram: withFacts(diagram))
    }

    /// Returns the users who meet all conditions; nil if this isn't known, or if no user or every
    /// user meets them.
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

    /// Returns, for each `&&` operand of a demand, the users who meet it and whether it must be
    /// true.
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

    /// Returns the users who belong to some users for any value of the open entries.
    ///
    /// Parts of conditions that nothing is known about are left open too.
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

    /// Returns a diagram without some levels: any value may be at these levels.
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

    /// Returns true if certainly no user belongs to both, without a look at values. Takes few
    /// steps; `isNever` finds more.
    ///
    /// Mutating only because of its arguments: evaluating them may create diagrams, which a copy of
    /// the arena from before wouldn't contain.
    public mutating func areApart(_ one: People, _ other: People) -> Bool {
        if isExhausted { return false }
        var steps = limits.meetingSteps
        return !arena.meet(one.diagram, other.diagram, &steps)
    }
}

extension Arena {
    /// Returns true if two diagrams have a path in common, and also if the steps are used up.
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
