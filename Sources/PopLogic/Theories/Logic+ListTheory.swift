internal import PopCEL

/// A question for an element of a given kind in a list.
struct ElementQuestion: Hashable, Sendable {
    let list: VariableIndex
    let kind: Diagram
}

// Lists: the kinds of elements that they have, and the number of elements.
extension Logic {
    /// The literals about one list.
    private struct ListDemand {
        let variable: VariableIndex
        var size: Literal
        var some: [Literal] = []
    }

    /// Finds elements for the lists that literals are about.
    mutating func lists(_ literals: [VariableIndex: Literal]) -> TheoryVerdict {
        var demands: [ListDemand] = []
        var places: [VariableIndex: Int] = [:]
        for literal in literals.values.sorted(by: { $0.variable < $1.variable }) {
            guard case .some(let list, _, _) = variables[literal.variable].kind,
                !isAbsent(list, literals)
            else { continue }
            let place = places[list] ?? demands.count
            if place == demands.count {
                let size =
                    literals[list] ?? Literal(variable: list, ranks: variables[list].domain.values)
                demands.append(ListDemand(variable: list, size: size))
                places[list] = place
            }
            demands[place].some.append(literal)
        }
        var model = Model()
        for demand in demands {
            let all = demand.some + [demand.size]
            switch elements(all, of: demand.variable) {
            case .found(let elements):
                if let place = variables[demand.variable].place {
                    model.values[place] = .list(elements)
                }
            case .notKnown: return .notKnown
            case .none:
                return .clash(
                    smallestClash(all) { logic, fewer in
                        if case .none = logic.elements(fewer, of: demand.variable) {
                            true
                        } else {
                            false
                        }
                    })
            }
        }
        return .possible(model)
    }

    private enum Elements {
        case found([Value])
        case none
        case notKnown
    }

    private mutating func elements(_ literals: [Literal], of list: VariableIndex) -> Elements {
        var sizes = variables[list].domain.values
        var wanted: [Diagram] = []
        var excluded: [Diagram] = []
        for literal in literals {
            guard case .some(_, let body, let outcome) = variables[literal.variable].kind else {
                sizes = literal.ranks
                continue
            }
            let meaning = meaning(of: body)
            let kind: Diagram
            switch outcome {
            case .yes: kind = meaning.yes
            case .no: kind = meaning.no
            case .failure:
                let decided = arena.or(meaning.yes, meaning.no)
                kind = arena.not(decided)
            }
            if literal.ranks.lowerBound > .zero {
                wanted.append(kind)
            } else {
                excluded.append(kind)
            }
        }
        let forbidden = arena.disjunction(of: excluded)
        return elements(wanted, allowed: arena.not(forbidden), sizes: sizes, of: list)
    }

    private mutating func elements(
        _ wanted: [Diagram], allowed: Diagram, sizes: ClosedRange<Rank>, of list: VariableIndex
    ) -> Elements {
        let least = sizes.lowerBound.int.map { Int($0) } ?? .max
        let most = sizes.upperBound.int.map { Int($0) } ?? .max
        guard least <= limits.size else { return .notKnown }
        var kinds: [Diagram] = []
        for kind in wanted { kinds.append(arena.and(kind, allowed)) }
        var found: [Value] = []
        for kind in kinds {
            switch element(in: kind, of: list) {
            case .possible(let value): found.append(value)
            case .none: return .none
            case .notKnown: return .notKnown
            }
        }
        if found.count > most {
            switch packed(kinds, into: most, of: list) {
            case .found(let fewer): found = fewer
            case let other: return other
            }
        }
        while found.count < least {
            if let first = found.first {
                found.append(first)
                continue
            }
            switch element(in: allowed, of: list) {
            case .possible(let value): found.append(value)
            case .none: return .none
            case .notKnown: return .notKnown
            }
        }
        return .found(found)
    }

    private enum Element {
        case possible(Value)
        case none
        case notKnown
    }

    /// Returns an element of a kind.
    private mutating func element(in kind: Diagram, of list: VariableIndex) -> Element {
        guard takeTheorySteps(StepCost.literal) else { return .notKnown }
        let question = ElementQuestion(list: list, kind: kind)
        if let known = elements[question] { return known.map { .possible($0) } ?? .none }
        let element = newElement(in: kind, of: list)
        switch element {
        case .possible(let value): elements[question] = .some(value)
        case .none: elements[question] = .some(nil)
        case .notKnown: break
        }
        return element
    }

    private mutating func newElement(in kind: Diagram, of list: VariableIndex) -> Element {
        guard let place = variables[list].place, case .list(let type) = variables[list].type else {
            return .notKnown
        }
        let element = place.appending(.element)
        switch anyModel(in: kind) {
        case .possible(let model):
            return .possible(value(at: element, in: model) ?? Self.anyValue(type))
        case .clash: return .none
        case .notKnown: return .notKnown
        }
    }

    /// Returns fewer elements, each of several kinds together; kinds are tried one after the other.
    private mutating func packed(
        _ kinds: [Diagram], into count: Int, of list: VariableIndex
    ) -> Elements {
        var pending: [(next: Int, groups: [Diagram])] = [(0, [])]
        var isKnown = true
        while let (next, groups) = pending.popLast() {
            guard takeTheorySteps(50) else { return .notKnown }
            guard next < kinds.count else {
                var values: [Value] = []
                for group in groups {
                    guard case .possible(let value) = element(in: group, of: list) else {
                        return .notKnown
                    }
                    values.append(value)
                }
                return .found(values)
            }
            if groups.count < count { pending.append((next + 1, groups + [kinds[next]])) }
            for position in groups.indices {
                let joined = arena.and(groups[position], kinds[next])
                switch element(in: joined, of: list) {
                case .none: continue
                case .notKnown: isKnown = false
                case .possible:
                    var groups = groups
                    groups[position] = joined
                    pending.append((next + 1, groups))
                }
            }
        }
        return isKnown ? .none : .notKnown
    }
}
