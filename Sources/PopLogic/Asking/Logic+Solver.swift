internal import PopCEL
internal import PopScheduler
internal import PopSource

extension Logic {
    /// The result of a search for a user.
    enum Search {
        case found(Witness)
        case none
        case notKnown
    }

    /// Searches a diagram for a user who is confirmed by the conditions, first among users with a
    /// usual history. With `isUsual`, only among those.
    mutating func search(
        _ diagram: DecisionDiagram, isUsual: Bool = false, accepts: (Witness) -> Bool
    ) -> Search {
        updateFacts()
        let all = withFacts(diagram)
        for lemmas in [facts.unusual + facts.rare, facts.unusual] where !lemmas.isEmpty {
            let usual = without(facts.lemmas + lemmas, all)
            if usual != all, case .found(let witness) = look(in: usual, accepts: accepts) {
                return .found(witness)
            }
        }
        if isUsual, without(facts.lemmas + facts.unusual, all) != all { return .notKnown }
        return look(in: all, accepts: accepts)
    }

    private mutating func look(in all: DecisionDiagram, accepts: (Witness) -> Bool) -> Search {
        theorySteps = limits.theorySteps
        var diagram = all
        var isCertain = true
        var blocked = 0
        var lemmaCount = 0
        while diagram != .never {
            if isExhausted { return .notKnown }
            let path = path(through: diagram)
            if let lemma = known(path) {
                diagram = without(lemma.literals, diagram)
                continue
            }
            switch model(of: path, attempt: 0) {
            case .clash(let literals):
                lemmaCount += 1
                guard lemmaCount <= limits.lemmas else {
                    cutShort()
                    return .notKnown
                }
                lemmas.append(Lemma(literals: literals))
                diagram = without(literals, diagram)
                continue
            case .possible(let model):
                if let witness = accepted(model, path, accepts) { return .found(witness) }
            case .notKnown: break
            }
            isCertain = false
            blocked += 1
            guard blocked <= limits.paths, theorySteps > 0 else { return .notKnown }
            diagram = without(path, diagram)
        }
        return isExhausted || !isCertain ? .notKnown : .none
    }

    private mutating func known(_ path: [Literal]) -> Lemma? {
        let (lemma, looked) = lemmas.first(excluding: path)
        meter.take(looked * StepCost.literal)
        return lemma
    }

    private mutating func without(_ literals: [Literal], _ diagram: DecisionDiagram)
        -> DecisionDiagram
    {
        let excluded = self.diagram(of: literals)
        return arena.subtracting(excluded, from: diagram)
    }

    /// Returns the witness that the values give. If the path has parts that nothing is known about,
    /// other values on it are tried too.
    private mutating func accepted(
        _ model: Model, _ path: [Literal], _ accepts: (Witness) -> Bool
    ) -> Witness? {
        let witness = witness(of: model)
        if accepts(witness) { return witness }
        let isFree = path.contains { literal in
            if case .free = variables[literal.variable].kind { true } else { false }
        }
        guard isFree else { return nil }
        for attempt in 1...Self.attempts {
            guard case .possible(let other) = self.model(of: path, attempt: attempt) else {
                return nil
            }
            let witness = self.witness(of: other)
            if accepts(witness) { return witness }
        }
        return nil
    }

    /// The number of attempts to find values for parts that nothing is known about.
    private static let attempts = 24

    /// Returns values for any user in a diagram, as far as theories determine them; a clash if the
    /// diagram is empty.
    mutating func anyModel(in diagram: DecisionDiagram) -> TheoryVerdict {
        var diagram = diagram
        var isCertain = true
        var rounds = 0
        while diagram != .never, !isExhausted {
            rounds += 1
            guard rounds <= limits.lemmas else {
                cutShort()
                return .notKnown
            }
            guard takeTheorySteps(10) else { return .notKnown }
            let path = path(through: diagram)
            if let lemma = known(path) {
                diagram = without(lemma.literals, diagram)
                continue
            }
            switch theories(on: path, attempt: 0) {
            case .possible(let model): return .possible(elementModel(model, path))
            case .clash(let literals):
                lemmas.append(Lemma(literals: literals))
                diagram = without(literals, diagram)
            case .notKnown:
                isCertain = false
                diagram = without(path, diagram)
            }
        }
        return isExhausted || !isCertain ? .notKnown : .clash([])
    }

    /// Returns the model, extended by values for list elements on the path.
    private func elementModel(_ model: Model, _ path: [Literal]) -> Model {
        var model = model
        for literal in path {
            guard let place = variables[literal.variable].place, place.path.contains(.element),
                model.values[place] == nil
            else { continue }
            model.values[place] = usualValue(
                of: literal.variable, in: literal.ranks, attempt: 0)
        }
        return model
    }
}

// The values of wholes.
extension Logic {
    /// Returns the value at a place, composed of its parts; nil if it is missing.
    func value(at place: Place, in model: Model) -> Value? {
        guard let known = model.values[place] else {
            return parts(of: place, in: model).map { .map($0) }
        }
        guard case .map? = known else { return known }
        return parts(of: place, in: model).map { .map($0) } ?? known
    }

    private func parts(of place: Place, in model: Model) -> ValueMap? {
        var map: ValueMap?
        for other in model.values.keys where other.path.count == place.path.count + 1 {
            guard other.isInside(place), case .field(let name)? = other.path.last else { continue }
            map = map ?? ValueMap()
            guard let value = value(at: other, in: model) else { continue }
            map?[.string(name.text)] = value
        }
        return map
    }

    mutating func witness(of model: Model) -> Witness {
        meter.take(variables.all.count * StepCost.variable)
        var witness = Witness(declarations: declarations, within: limits.budget)
        for variable in variables.all.indices {
            guard let place = variables[variable].place, place.path.isEmpty else { continue }
            let value = value(at: place, in: model)
            witness.add(
                place.entry, value: value,
                usual: value == nil ? variables[variable].domain.usual : nil)
        }
        return witness
    }
}

/// The statement that the value of a variable has a rank in a range.
struct Literal: Hashable, Sendable {
    let variable: VariableIndex
    var ranks: ClosedRange<Ordinal>
}

/// The statement that some literals can't hold together.
struct Lemma: Sendable {
    let literals: [Literal]

    /// Returns true if the lemma shows that no users are on a path.
    func excludes(_ path: [VariableIndex: ClosedRange<Ordinal>]) -> Bool {
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
        var ranks: [VariableIndex: ClosedRange<Ordinal>] = [:]
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
    mutating func diagram(of literals: [Literal]) -> DecisionDiagram {
        var diagram = DecisionDiagram.always
        let sorted = literals.map { (level(of: $0.variable), $0) }.sorted { $0.0 > $1.0 }
        for (_, literal) in sorted {
            if isExhausted { return .never }
            let test = test(literal.variable, is: IntervalSet([literal.ranks]))
            diagram = arena.and(test, diagram)
        }
        return diagram
    }

    /// Returns a path through a diagram to users in it: the ranks that each variable on it may
    /// have. Precondition: the diagram isn't empty.
    mutating func path(through diagram: DecisionDiagram) -> [Literal] {
        var literals: [Literal] = []
        var diagram = diagram
        while !diagram.isLeaf {
            meter.take(StepCost.literal + arena.edges(diagram).count)
            let variable = order[arena.level(diagram)]
            let domain = variables[variable].domain
            var start = domain.whole.lowerBound
            var chosen: (ranks: ClosedRange<Ordinal>, child: DecisionDiagram, cost: Int)?
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
    private func cost(of ranks: ClosedRange<Ordinal>, in domain: Domain) -> Int {
        if domain.hasAbsence, ranks.upperBound == domain.absence { return 2 }
        if domain.form == .outcome, ranks.lowerBound == domain.values.upperBound { return 2 }
        return domain.form == .truth && ranks.lowerBound > domain.values.lowerBound ? 1 : 0
    }
}

extension Logic {
    /// Returns a diagram without the users who contradict the facts about every history.
    mutating func withFacts(_ diagram: DecisionDiagram) -> DecisionDiagram {
        updateFacts()
        return without(facts.lemmas, diagram)
    }

    /// Returns a diagram without the users who satisfy all literals of a lemma. Lemmas are used if
    /// they are about the diagram's variables, or about variables of other lemmas that are used.
    mutating func without(_ lemmas: [Lemma], _ diagram: DecisionDiagram) -> DecisionDiagram {
        var diagram = diagram
        var variables = support(of: diagram)
        var isChanged = true
        var used: Set<Int> = []
        while isChanged, meter.take(lemmas.count * StepCost.lemma) {
            isChanged = false
            for (position, lemma) in lemmas.enumerated()
            where !used.contains(position)
                && lemma.literals.contains(where: { variables.contains($0.variable) })
            {
                used.insert(position)
                isChanged = true
                let excluded = self.diagram(of: lemma.literals)
                diagram = arena.subtracting(excluded, from: diagram)
                for literal in lemma.literals { variables.insert(literal.variable) }
            }
        }
        return diagram
    }

    /// Returns the variables that a diagram branches on.
    func support(of diagram: DecisionDiagram) -> Set<VariableIndex> {
        var found: Set<VariableIndex> = []
        var visited: Set<DecisionDiagram> = []
        var pending = [diagram]
        while let next = pending.popLast() {
            guard !next.isLeaf, visited.insert(next).inserted else { continue }
            found.insert(order[arena.level(next)])
            for edge in arena.edges(next) { pending.append(edge.child) }
        }
        return found
    }
}

// Integers, points in time, and durations that are bounded by differences. The shortest paths
// between them (as in the Bellman-Ford algorithm) are their bounds. A negative cycle means that no
// values fit.
extension Logic {
    /// Upper bounds of differences: row minus column.
    private struct Bounds {
        private var distances: [Ordinal?]
        private let count: Int

        init(count: Int) {
            self.count = count
            distances = Array(repeating: nil, count: count * count)
            for number in 0..<count { distances[number * count + number] = .zero }
        }

        subscript(row: Int, column: Int) -> Ordinal? { distances[row * count + column] }

        /// Adds that `row` exceeds `column` by at most the bound. Returns false if no values fit.
        mutating func add(_ row: Int, _ column: Int, atMost bound: Ordinal) -> Bool {
            if let back = self[column, row], back + bound < .zero { return false }
            if let known = self[row, column], known <= bound { return true }
            for from in 0..<count {
                guard let first = self[from, row] else { continue }
                for to in 0..<count {
                    guard let last = self[column, to] else { continue }
                    let sum = first + bound + last
                    if let known = self[from, to], known <= sum { continue }
                    distances[from * count + to] = sum
                }
            }
            return true
        }
    }

    /// Finds values for the variables whose differences are bounded.
    mutating func numbers(
        _ literals: [VariableIndex: Literal], attempt: Int
    ) -> TheoryVerdict {
        var used: [VariableIndex] = []
        var relevant: [Literal] = []
        for literal in literals.values.sorted(by: { $0.variable < $1.variable }) {
            guard case .difference(let plus, let minus) = variables[literal.variable].kind,
                isThere(plus, literals), isThere(minus, literals)
            else { continue }
            relevant.append(literal)
            for variable in [plus, minus] where !used.contains(variable) { used.append(variable) }
        }
        for counts in facts.windows where counts.contains(where: { literals[$0.variable] != nil }) {
            guard takeTheorySteps(counts.count * (used.count + counts.count)) else {
                return .notKnown
            }
            for count in counts where !used.contains(count.variable) {
                used.append(count.variable)
            }
        }
        if used.isEmpty { return .possible(Model()) }
        for variable in used { relevant.append(literal(of: variable, literals)) }
        guard takeTheorySteps(steps(bounding: used, by: relevant)) else { return .notKnown }
        guard var bounds = bounds(relevant, of: used) else {
            return .clash(
                smallestClash(relevant) { logic, fewer in
                    logic.takeTheorySteps(logic.steps(bounding: used, by: fewer))
                        && logic.bounds(fewer, of: used) == nil
                })
        }
        return solution(&bounds, of: used, attempt: attempt)
    }

    private func isThere(
        _ variable: VariableIndex, _ literals: [VariableIndex: Literal]
    ) -> Bool {
        variables[variable].domain.usual != nil || !isAbsent(variable, literals)
    }

    /// Returns the literal of a variable; if the variable has no literal, one that allows any
    /// value.
    private func literal(
        of variable: VariableIndex, _ literals: [VariableIndex: Literal]
    ) -> Literal {
        literals[variable]
            ?? Literal(variable: variable, ranks: variables[variable].domain.values)
    }

    /// Returns the number of distances that are compared to bound some variables and to choose
    /// values.
    private func steps(bounding used: [VariableIndex], by literals: [Literal]) -> Int {
        let distances = (used.count + 1) * (used.count + 1)
        return distances * (2 * literals.count + 3 * used.count)
    }

    private func bounds(_ literals: [Literal], of used: [VariableIndex]) -> Bounds? {
        var bounds = Bounds(count: used.count + 1)
        let zero = used.count
        func place(_ variable: VariableIndex) -> Int { used.firstIndex(of: variable) ?? zero }
        for literal in literals {
            let (row, column): (Int, Int)
            if case .difference(let plus, let minus) = variables[literal.variable].kind {
                (row, column) = (place(plus), place(minus))
            } else {
                (row, column) = (place(literal.variable), zero)
            }
            let ranks = numericRanks(literal)
            guard bounds.add(row, column, atMost: ranks.upperBound),
                bounds.add(column, row, atMost: -ranks.lowerBound)
            else { return nil }
        }
        for counts in facts.windows where counts.contains(where: { used.contains($0.variable) }) {
            for (shorter, longer) in zip(counts, counts.dropFirst()) {
                let (first, second) = (place(shorter.variable), place(longer.variable))
                guard bounds.add(first, second, atMost: .zero) else { return nil }
                // Two names of the same count.
                guard shorter.window == longer.window else { continue }
                guard bounds.add(second, first, atMost: .zero) else { return nil }
            }
        }
        return bounds
    }

    /// Returns the ranks of a literal; those of the usual value if the literal requires that the
    /// value is missing.
    private func numericRanks(_ literal: Literal) -> ClosedRange<Ordinal> {
        let domain = variables[literal.variable].domain
        guard domain.hasAbsence, literal.ranks.upperBound == domain.absence,
            let usual = domain.usual.flatMap({ domain.exactRank(of: $0) })
        else { return literal.ranks }
        return usual...usual
    }

    private func solution(
        _ bounds: inout Bounds, of used: [VariableIndex], attempt: Int
    ) -> TheoryVerdict {
        var model = Model()
        let zero = used.count
        for (number, variable) in used.enumerated() {
            let domain = variables[variable].domain
            guard let upper = bounds[number, zero], let lower = bounds[zero, number],
                -lower <= upper
            else { return .notKnown }
            var rank = domain.usualRank(in: -lower...upper)
            if attempt > 0, attempt % 2 == 0 { rank = -lower }
            if attempt > 0, attempt % 3 == 0 { rank = upper }
            guard bounds.add(number, zero, atMost: rank), bounds.add(zero, number, atMost: -rank)
            else { return .notKnown }
            if let place = variables[variable].place, let value = domain.value(at: rank) {
                model.values[place] = value
            }
        }
        return .possible(model)
    }
}
