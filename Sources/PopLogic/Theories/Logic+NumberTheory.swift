internal import PopCEL

// Integers, points in time, and durations that are bounded by differences. The shortest paths
// between them (as in the Bellman-Ford algorithm) are their bounds. A negative cycle means that no
// values fit.
extension Logic {
    /// Upper bounds of differences: row minus column.
    private struct Bounds {
        private var distances: [Rank?]
        private let count: Int

        init(count: Int) {
            self.count = count
            distances = Array(repeating: nil, count: count * count)
            for number in 0..<count { distances[number * count + number] = .zero }
        }

        subscript(row: Int, column: Int) -> Rank? { distances[row * count + column] }

        /// Adds that `row` exceeds `column` by at most the bound. Returns false if no values fit.
        mutating func add(_ row: Int, _ column: Int, atMost bound: Rank) -> Bool {
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
        for (shorter, longer) in facts.windows
        where literals[shorter] != nil || literals[longer] != nil {
            for variable in [shorter, longer] where !used.contains(variable) {
                used.append(variable)
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
        // Only the first pair of windows for each count changes distances; it implies the others.
        return distances * (2 * literals.count + 3 * used.count) + facts.windows.count
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
        for (shorter, longer) in facts.windows
        where used.contains(shorter) && used.contains(longer) {
            guard bounds.add(place(shorter), place(longer), atMost: .zero) else { return nil }
        }
        return bounds
    }

    /// Returns the ranks of a literal; those of the usual value if the literal requires that the
    /// value is missing.
    private func numericRanks(_ literal: Literal) -> ClosedRange<Rank> {
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
