public import PopCEL

/// What would have to be otherwise for a condition to be true.
public struct Change: Sendable {
    /// What conditions read that has another value then, and that value; nil for none.
    public let changed: [Witness.Fact]
    /// How everything is then.
    public let after: Witness
    /// Whether fewer changes certainly do not make the condition true.
    public let isSmallest: Bool
}

extension Logic {
    /// The fewest changes that make a condition true for somebody, of what may change; nil when
    /// none was found.
    ///
    /// The rest stays as it is given: what is not given has no value.
    public mutating func change(
        of values: [SlotTable.Entry: Value], toMeet condition: Program,
        mayChange: (SlotTable.Entry) -> Bool
    ) -> Change? {
        var diagram = withFacts(meaning(of: condition).yes)
        theorySteps = limits.theorySteps
        var isSmallest = true
        var rounds = 0
        while rounds < limits.lemmas, !isExhausted, theorySteps > 0 {
            rounds += 1
            var costs: [Diagram: Step] = [:]
            guard cost(of: diagram, values, mayChange, &costs) != nil else { return nil }
            let path = path(through: diagram, costs)
            switch model(of: path, attempt: 0) {
            case .clash(let literals):
                lemmas.append(Lemma(literals: literals))
                let excluded = self.diagram(of: literals)
                diagram = arena.subtracting(excluded, from: diagram)
                continue
            case .possible(var model):
                keep(values, outside: path, in: &model)
                let after = witness(of: model)
                if after.truth(of: condition).isYes {
                    let changed = after.facts.filter { $0.value != values[$0.entry] }
                    guard changed.allSatisfy({ mayChange($0.entry) }) else { break }
                    return Change(changed: changed, after: after, isSmallest: isSmallest)
                }
            case .notKnown: break
            }
            isSmallest = false
            let excluded = self.diagram(of: path)
            diagram = arena.subtracting(excluded, from: diagram)
        }
        return nil
    }

    /// The best way on from a node: its changes, and the edge.
    private struct Step {
        let cost: Int
        let ranks: ClosedRange<Rank>
        let child: Diagram
    }

    /// The fewest changes on a way through a diagram; nil where there is none.
    private func cost(
        of diagram: Diagram, _ values: [SlotTable.Entry: Value],
        _ mayChange: (SlotTable.Entry) -> Bool, _ costs: inout [Diagram: Step]
    ) -> Int? {
        if diagram.isLeaf { return diagram == .always ? 0 : nil }
        if let known = costs[diagram] { return known.cost < .max ? known.cost : nil }
        let variable = order[arena.level(diagram)]
        let current = rank(of: variable, values)
        let isFixed = variables[variable].place.map { !mayChange($0.entry) } ?? false
        let domain = variables[variable].domain
        var start = domain.whole.lowerBound
        var best = Step(cost: .max, ranks: domain.whole, child: .never)
        for edge in arena.edges(diagram) {
            let ranks = start...edge.last
            start = edge.last.next
            let isCurrent = current.map { ranks.contains($0) } ?? true
            if isFixed, !isCurrent { continue }
            guard let rest = cost(of: edge.child, values, mayChange, &costs) else { continue }
            let here = rest + (isCurrent ? 0 : 1)
            guard here < best.cost else { continue }
            let kept = current.flatMap { ranks.contains($0) ? $0...$0 : nil }
            best = Step(cost: here, ranks: kept ?? ranks, child: edge.child)
        }
        costs[diagram] = best
        return best.cost < .max ? best.cost : nil
    }

    private func path(through diagram: Diagram, _ costs: [Diagram: Step]) -> [Literal] {
        var literals: [Literal] = []
        var diagram = diagram
        while let step = costs[diagram] {
            let variable = order[arena.level(diagram)]
            literals.append(Literal(variable: variable, ranks: step.ranks))
            diagram = step.child
        }
        return literals
    }

    /// The rank of what a variable is; nil where ranks do not tell.
    private func rank(
        of variable: VariableIndex, _ values: [SlotTable.Entry: Value]
    ) -> Rank? {
        let subject = variables[variable]
        guard let place = subject.place, place.path.isEmpty else { return nil }
        guard let value = values[place.entry] else { return subject.domain.absence }
        switch subject.domain.form {
        case .constants:
            return subject.constants.firstIndex(of: value).map { Rank($0) }
                ?? subject.domain.values.upperBound
        case .listed(let listed): return listed.firstIndex(of: value).map { Rank($0) }
        case .presence: return .zero
        case .number:
            if case .list(let elements) = value { return Rank(elements.count) }
            return nil
        case .truth, .int, .uint, .double, .timestamp, .duration:
            return subject.domain.exactRank(of: value)
        case .version, .outcome: return nil
        }
    }

    /// What the path says nothing of stays as it is.
    private func keep(
        _ values: [SlotTable.Entry: Value], outside path: [Literal], in model: inout Model
    ) {
        for variable in variables.all.indices {
            guard let place = variables[variable].place, place.path.isEmpty else { continue }
            let ranks = path.first { $0.variable == variable }?.ranks
            if let ranks, rank(of: variable, values).map({ !ranks.contains($0) }) ?? true {
                continue
            }
            let isAsked = path.contains { literal in
                switch variables[literal.variable].kind {
                case .text(let base, _, _), .size(let base), .some(let base, _, _):
                    base == variable
                case .difference(let plus, let minus): plus == variable || minus == variable
                case .value, .free: false
                }
            }
            if !isAsked { model.values[place] = .some(values[place.entry]) }
        }
    }
}
