internal import PopCEL
internal import PopScheduler

/// What holds of every history.
struct HistoryFacts: Sendable {
    /// Of two counts of one event, that in the shorter time is not greater.
    private(set) var windows: [(shorter: VariableIndex, longer: VariableIndex)] = []
    /// Literals that cannot hold at once.
    private(set) var lemmas: [Lemma] = []

    mutating func update(_ variables: VariableTable, _ declarations: Declarations) {
        windows = []
        lemmas = []
        var known: [(variable: VariableIndex, meaning: SlotMeaning)] = []
        for variable in variables.all.indices {
            guard let place = variables[variable].place, place.path.isEmpty,
                let meaning = declarations.meaning(place.entry)
            else { continue }
            known.append((variable, meaning))
        }
        for (one, first) in known {
            for (other, second) in known {
                relate(one, first, other, second, variables)
            }
        }
    }

    private mutating func relate(
        _ one: VariableIndex, _ first: SlotMeaning, _ other: VariableIndex,
        _ second: SlotMeaning, _ variables: VariableTable
    ) {
        switch (first, second) {
        case (.shownCount(let popup), .lastShown(let shown)) where popup == shown:
            noteTogether(count: one, last: other, variables)
        case (.acted(let popup, let action), .lastActed(let acted, let last))
        where popup == acted && action == last:
            noteTogether(count: one, last: other, variables)
        case (.eventCount(let event, within: nil), .lastEvent(let last)) where event == last:
            noteTogether(count: one, last: other, variables)
        case (.exposedCount(let popup), .converted(let converted)) where popup == converted:
            lemmas.append(
                Lemma(literals: [
                    Literal(variable: one, ranks: .zero ... .zero),
                    Literal(variable: other, ranks: Rank(1)...Rank(1)),
                ]))
        case (.eventCount(let event, let window?), .eventCount(let counted, let longer))
        where event == counted && one != other && longer.map({ window <= $0 }) ?? true:
            windows.append((one, other))
        default: break
        }
    }

    /// There is a last time exactly when the count is not 0.
    private mutating func noteTogether(
        count: VariableIndex, last: VariableIndex, _ variables: VariableTable
    ) {
        let (counts, times) = (variables[count].domain, variables[last].domain)
        guard times.hasAbsence, counts.values.lowerBound == .zero else { return }
        lemmas.append(
            Lemma(literals: [
                Literal(variable: count, ranks: .zero ... .zero),
                Literal(variable: last, ranks: times.values),
            ]))
        lemmas.append(
            Lemma(literals: [
                Literal(variable: count, ranks: Rank(1)...counts.values.upperBound),
                Literal(variable: last, ranks: times.absence...times.absence),
            ]))
    }
}

extension Logic {
    /// A diagram without those who contradict what holds of every history.
    mutating func withFacts(_ diagram: Diagram) -> Diagram {
        var diagram = diagram
        var variables = support(of: diagram)
        var isChanged = true
        var used: Set<Int> = []
        while isChanged {
            isChanged = false
            for (position, lemma) in facts.lemmas.enumerated()
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

    /// The variables that a diagram branches on.
    func support(of diagram: Diagram) -> Set<VariableIndex> {
        var found: Set<VariableIndex> = []
        var visited: Set<Diagram> = []
        var pending = [diagram]
        while let next = pending.popLast() {
            guard !next.isLeaf, visited.insert(next).inserted else { continue }
            found.insert(order[arena.level(next)])
            for edge in arena.edges(next) { pending.append(edge.child) }
        }
        return found
    }
}
