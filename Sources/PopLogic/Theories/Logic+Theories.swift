internal import PopCEL

/// A question for an element of a given kind in a list.
struct ElementQuestion: Hashable, Sendable {
    let list: VariableIndex
    let kind: DecisionDiagram
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
        var wanted: [DecisionDiagram] = []
        var excluded: [DecisionDiagram] = []
        for literal in literals {
            guard case .some(_, let body, let outcome) = variables[literal.variable].kind else {
                sizes = literal.ranks
                continue
            }
            let meaning = meaning(of: body)
            let kind: DecisionDiagram
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
        _ wanted: [DecisionDiagram], allowed: DecisionDiagram, sizes: ClosedRange<Ordinal>,
        of list: VariableIndex
    ) -> Elements {
        let least = sizes.lowerBound.int.map { Int($0) } ?? .max
        let most = sizes.upperBound.int.map { Int($0) } ?? .max
        guard least <= limits.size else { return .notKnown }
        var kinds: [DecisionDiagram] = []
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
    private mutating func element(in kind: DecisionDiagram, of list: VariableIndex) -> Element {
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

    private mutating func newElement(in kind: DecisionDiagram, of list: VariableIndex) -> Element {
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
        _ kinds: [DecisionDiagram], into count: Int, of list: VariableIndex
    ) -> Elements {
        var pending: [(next: Int, groups: [DecisionDiagram])] = [(0, [])]
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

/// The results about strings, kept for other questions.
struct TextMemory: Sendable {
    /// The automaton of each test, with the states that it has created.
    private var automata: [VariableIndex: TextAutomaton] = [:]
    /// The results of searches, by the literals about a string.
    var results: [[Literal]: TextSearch.Result] = [:]

    /// Removes and returns an automaton.
    mutating func takeAutomaton(of variable: VariableIndex) -> TextAutomaton? {
        automata.removeValue(forKey: variable)
    }

    /// Keeps an automaton, unless it has too many states.
    mutating func keep(_ automaton: TextAutomaton, of variable: VariableIndex) {
        if automaton.stateCount <= Self.mostStates { automata[variable] = automaton }
    }

    private static let mostStates = 2_000
}

// Strings: equality comparisons use ranks; tests and sizes use automata.
extension Logic {
    /// Finds strings for the keys that literals other than equality are about.
    mutating func texts(_ literals: [VariableIndex: Literal]) -> TheoryVerdict {
        // By key, the tests that its string passes or fails, and its sizes.
        var demands: [VariableIndex: [Literal]] = [:]
        for literal in literals.values {
            switch variables[literal.variable].kind {
            case .text(let text, _, _), .size(let text): demands[text, default: []].append(literal)
            case .value, .difference, .some, .free: continue
            }
        }
        var model = Model()
        let firsts = demands.mapValues { $0.map { $0.variable.number }.min() ?? 0 }
        for base in demands.keys.sorted(by: { firsts[$0, default: 0] < firsts[$1, default: 0] }) {
            let value =
                literals[base] ?? Literal(variable: base, ranks: variables[base].domain.values)
            // A missing value has nothing to satisfy.
            if isAbsent(base, literals), variables[base].domain.usual == nil { continue }
            var demand = (demands[base] ?? []).sorted { $0.variable < $1.variable }
            demand.append(value)
            switch text(demand, of: base) {
            case .found(let text):
                if let place = variables[base].place, !isAbsent(base, literals) {
                    model.values[place] = .string(text)
                }
            case .notKnown: return .notKnown
            case .none:
                return .clash(
                    smallestClash(demand) { logic, fewer in
                        if case .none = logic.text(fewer, of: base) { true } else { false }
                    })
            }
        }
        return .possible(model)
    }

    /// Returns a string for which literals hold.
    private mutating func text(
        _ literals: [Literal], of variable: VariableIndex
    ) -> TextSearch.Result {
        guard takeTheorySteps(literals.count * StepCost.literal) else { return .notKnown }
        if let known = textMemory.results[literals] { return known }
        let result = newText(literals, of: variable)
        // Another question may have more steps left.
        if theorySteps >= 0, allTheorySteps >= 0 { textMemory.results[literals] = result }
        return result
    }

    private mutating func newText(
        _ literals: [Literal], of variable: VariableIndex
    ) -> TextSearch.Result {
        var names: [VariableIndex] = []
        var tests: [TextSearch.Wanted] = []
        defer {
            for (name, test) in zip(names, tests) { textMemory.keep(test.automaton, of: name) }
        }
        var sizes = 0...Int.max
        var ranks = variables[variable].domain.whole
        for literal in literals {
            switch variables[literal.variable].kind {
            case .text(_, let test, let folding):
                guard let automaton = automaton(of: literal.variable, test, folding) else {
                    return .notKnown
                }
                names.append(literal.variable)
                tests.append(
                    TextSearch.Wanted(
                        automaton: automaton, test: test, passes: literal.ranks.lowerBound > .zero))
            case .size:
                let lower = Int(literal.ranks.lowerBound.int ?? 0)
                let upper = literal.ranks.upperBound.int.map { Int($0) } ?? .max
                sizes = lower...max(lower, upper)
            case .value, .difference, .some, .free: ranks = literal.ranks
            }
        }
        return text(passing: &tests, sizes, ranks, of: variable)
    }

    /// Returns true if a string passes a test; nil for a pattern that is too large.
    mutating func passes(
        _ text: String, _ variable: VariableIndex, _ test: TextAutomaton.Test,
        _ folding: TextAutomaton.Folding
    ) -> Bool? {
        guard takeTheorySteps(text.utf8.count + 1),
            var automaton = automaton(of: variable, test, folding)
        else { return nil }
        defer { textMemory.keep(automaton, of: variable) }
        return automaton.accepts(text)
    }

    private mutating func automaton(
        of variable: VariableIndex, _ test: TextAutomaton.Test, _ folding: TextAutomaton.Folding
    ) -> TextAutomaton? {
        if let known = textMemory.takeAutomaton(of: variable) { return known }
        guard let automaton = TextAutomaton(test, folding: folding),
            takeTheorySteps(StepCost.term + automaton.size)
        else { return nil }
        return automaton
    }

    private mutating func text(
        passing tests: inout [TextSearch.Wanted], _ sizes: ClosedRange<Int>,
        _ ranks: ClosedRange<Ordinal>, of variable: VariableIndex
    ) -> TextSearch.Result {
        let subject = variables[variable]
        let named = subject.namedTexts(in: ranks)
        var left = min(limits.textSteps, theorySteps)
        let before = left
        for text in named {
            left -= 1
            if sizes.contains(text.unicodeScalars.count),
                TextSearch.passes(text, &tests, &left)
            {
                return takeTheorySteps(before - left) ? .found(text) : .notKnown
            }
            if left < 0 { break }
        }
        guard takeTheorySteps(before - left) else { return .notKnown }
        guard left >= 0 else {
            cutShort()
            return .notKnown
        }
        guard subject.domain.form == .constants,
            ranks.upperBound == subject.domain.values.upperBound
        else { return .none }
        return search(&tests, sizes, excluding: subject.namedTexts(in: subject.domain.values))
    }

    private mutating func search(
        _ tests: inout [TextSearch.Wanted], _ sizes: ClosedRange<Int>, excluding texts: [String]
    ) -> TextSearch.Result {
        guard sizes.lowerBound <= limits.size else { return .notKnown }
        let upper = sizes.upperBound > limits.size ? Int.max : sizes.upperBound
        let steps = min(limits.textSteps, theorySteps)
        var search = TextSearch(
            tests,
            excluded: texts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) },
            sizes: sizes.lowerBound...upper, steps: steps, shortSteps: limits.shortTextSteps)
        // Only the search holds the automata now, so that none is copied when it creates a state.
        tests = []
        let result = search.find()
        tests = search.tests
        if case .notKnown = result { cutShort() }
        return takeTheorySteps(steps - search.steps) ? result : .notKnown
    }
}

extension LogicVariable {
    /// Returns the strings with ranks in a range. A missing value counts as the usual one.
    fileprivate func namedTexts(in ranks: ClosedRange<Ordinal>) -> [String] {
        var named: [Value] = constants
        if case .listed(let values) = domain.form { named = values }
        var texts: [String] = []
        for (position, value) in named.enumerated() where ranks.contains(Ordinal(position)) {
            if case .string(let text) = value { texts.append(text) }
        }
        if domain.hasAbsence, ranks.contains(domain.absence),
            case .string(let usual)? = domain.usual
        {
            texts.append(usual)
        }
        return texts
    }
}
