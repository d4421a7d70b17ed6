internal import PopCEL

// Texts: what they are compared with for equality has ranks; tests and sizes are told by automata.
extension Logic {
    /// What literals say of one text.
    private struct TextDemand {
        let variable: VariableIndex
        /// The ranks of its value, the tests that it passes or fails, and its sizes.
        var literals: [Literal] = []
    }

    /// Texts for the keys that something else is asked of than equality.
    mutating func texts(_ literals: [VariableIndex: Literal], attempt: Int) -> Verdict {
        var demands: [TextDemand] = []
        for literal in literals.values.sorted(by: { $0.variable < $1.variable }) {
            let base: VariableIndex
            switch variables[literal.variable].kind {
            case .text(let text, _, _), .size(let text): base = text
            case .value, .difference, .some, .free: continue
            }
            if let position = demands.firstIndex(where: { $0.variable == base }) {
                demands[position].literals.append(literal)
            } else {
                demands.append(TextDemand(variable: base, literals: [literal]))
            }
        }
        var model = Model()
        for var demand in demands {
            let base = demand.variable
            let value =
                literals[base] ?? Literal(variable: base, ranks: variables[base].domain.values)
            // Without a value nothing is asked of it.
            if isAbsent(base, literals), variables[base].domain.usual == nil { continue }
            demand.literals.append(value)
            switch text(demand.literals, of: base) {
            case .found(let text):
                if let place = variables[base].place, !isAbsent(base, literals) {
                    model.values[place] = .string(text)
                }
            case .notKnown: return .notKnown
            case .none:
                return .clash(
                    smallestClash(demand.literals) { logic, fewer in
                        if case .none = logic.text(fewer, of: base) { true } else { false }
                    })
            }
        }
        return .possible(model)
    }

    /// A text for which literals hold.
    private mutating func text(
        _ literals: [Literal], of variable: VariableIndex
    ) -> TextSearch.Result {
        let subject = variables[variable]
        var tests: [TextSearch.Wanted] = []
        var sizes = 0...Int.max
        var ranks = subject.domain.whole
        for literal in literals {
            switch variables[literal.variable].kind {
            case .text(_, let test, let folding):
                guard let automaton = TextAutomaton(test, folding: folding) else {
                    return .notKnown
                }
                let passes = literal.ranks.lowerBound > .zero
                tests.append(TextSearch.Wanted(automaton: automaton, passes: passes))
            case .size:
                let lower = Int(literal.ranks.lowerBound.int ?? 0)
                let upper = literal.ranks.upperBound.int.map { Int($0) } ?? .max
                sizes = lower...max(lower, upper)
            case .value, .difference, .some, .free: ranks = literal.ranks
            }
        }
        let named = subject.namedTexts(in: ranks)
        for text in named where fits(text, &tests, sizes) { return .found(text) }
        guard subject.domain.form == .constants,
            ranks.upperBound == subject.domain.values.upperBound
        else { return takeTheorySteps(named.count + 1) ? .none : .notKnown }
        return search(tests, sizes, excluding: subject.namedTexts(in: subject.domain.values))
    }

    private mutating func search(
        _ tests: [TextSearch.Wanted], _ sizes: ClosedRange<Int>, excluding texts: [String]
    ) -> TextSearch.Result {
        guard sizes.lowerBound <= limits.size else { return .notKnown }
        let upper = sizes.upperBound > limits.size ? Int.max : sizes.upperBound
        let steps = min(limits.textSteps, theorySteps)
        let sorted = texts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        var search = TextSearch(
            tests, excluded: sorted.map { String(decoding: $0, as: UTF8.self) },
            sizes: sizes.lowerBound...upper, steps: steps)
        let result = search.find()
        guard takeTheorySteps(steps - search.steps) else { return .notKnown }
        return result
    }

    private func fits(
        _ text: String, _ tests: inout [TextSearch.Wanted], _ sizes: ClosedRange<Int>
    ) -> Bool {
        guard sizes.contains(text.unicodeScalars.count) else { return false }
        for number in tests.indices {
            guard tests[number].automaton.accepts(text) == tests[number].passes else {
                return false
            }
        }
        return true
    }
}

extension LogicVariable {
    /// The texts that have ranks in a range; without a value the usual one counts.
    fileprivate func namedTexts(in ranks: ClosedRange<Rank>) -> [String] {
        var named: [Value] = constants
        if case .listed(let values) = domain.form { named = values }
        var texts: [String] = []
        for (position, value) in named.enumerated() where ranks.contains(Rank(position)) {
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
