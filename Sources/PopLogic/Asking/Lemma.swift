/// The statement that the value of a variable has a rank in a range.
struct Literal: Hashable, Sendable {
    let variable: VariableIndex
    var ranks: ClosedRange<Rank>
}

/// The statement that some literals can't hold together.
struct Lemma: Sendable {
    let literals: [Literal]

    /// Returns true if the lemma shows that no users are on a path.
    func excludes(_ path: [VariableIndex: ClosedRange<Rank>]) -> Bool {
        literals.allSatisfy { literal in
            guard let ranks = path[literal.variable] else { return false }
            return literal.ranks.lowerBound <= ranks.lowerBound
                && ranks.upperBound <= literal.ranks.upperBound
        }
    }
}

/// Lemmas, indexed by their first variable.
struct LemmaTable: Sendable {
    private var all: [Lemma] = []
    /// The positions of lemmas, by the variable of their first literal.
    private var places: [VariableIndex: [Int]] = [:]

    mutating func append(_ lemma: Lemma) {
        guard let first = lemma.literals.first else { return }
        places[first.variable, default: []].append(all.count)
        all.append(lemma)
    }

    /// Returns the oldest lemma that shows that no users are on a path, and the number of lemmas
    /// that were checked.
    func first(excluding path: [Literal]) -> (lemma: Lemma?, looked: Int) {
        if all.isEmpty { return (nil, 0) }
        var ranks: [VariableIndex: ClosedRange<Rank>] = [:]
        for literal in path { ranks[literal.variable] = literal.ranks }
        var (found, looked) = (Int.max, 0)
        for literal in path {
            for place in places[literal.variable] ?? [] where place < found {
                looked += 1
                if all[place].excludes(ranks) { found = place }
            }
        }
        return (found < .max ? all[found] : nil, looked)
    }
}

extension Logic {
    /// Returns the users who satisfy all literals.
    mutating func diagram(of literals: [Literal]) -> Diagram {
        var diagram = Diagram.always
        let sorted = literals.map { (level(of: $0.variable), $0) }.sorted { $0.0 > $1.0 }
        for (_, literal) in sorted {
            if isExhausted { return .never }
            let test = test(literal.variable, is: RankSet([literal.ranks]))
            diagram = arena.and(test, diagram)
        }
        return diagram
    }

    /// Returns a path through a diagram to users in it: the ranks that each variable on it may
    /// have. Precondition: the diagram isn't empty.
    mutating func path(through diagram: Diagram) -> [Literal] {
        var literals: [Literal] = []
        var diagram = diagram
        while !diagram.isLeaf {
            meter.take(StepCost.literal + arena.edges(diagram).count)
            let variable = order[arena.level(diagram)]
            let domain = variables[variable].domain
            var start = domain.whole.lowerBound
            var chosen: (ranks: ClosedRange<Rank>, child: Diagram, cost: Int)?
            for edge in arena.edges(diagram) {
                let ranks = start...edge.last
                start = edge.last.next
                if edge.child == .never { continue }
                let cost = cost(of: ranks, in: domain)
                if chosen.map({ cost < $0.cost }) ?? true { chosen = (ranks, edge.child, cost) }
            }
            guard let chosen else { return literals }
            literals.append(Literal(variable: variable, ranks: chosen.ranks))
            diagram = chosen.child
        }
        return literals
    }

    /// Returns a cost for unusual ranks: for a missing value, or for a part that fails.
    private func cost(of ranks: ClosedRange<Rank>, in domain: Domain) -> Int {
        if domain.hasAbsence, ranks.upperBound == domain.absence { return 2 }
        if domain.form == .outcome, ranks.lowerBound == domain.values.upperBound { return 2 }
        return domain.form == .truth && ranks.lowerBound > domain.values.lowerBound ? 1 : 0
    }
}
