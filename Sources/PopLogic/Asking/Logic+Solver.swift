internal import PopCEL

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
        _ diagram: Diagram, isUsual: Bool = false, accepts: (Witness) -> Bool
    ) -> Search {
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

    private mutating func look(in all: Diagram, accepts: (Witness) -> Bool) -> Search {
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

    private mutating func without(_ literals: [Literal], _ diagram: Diagram) -> Diagram {
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
    mutating func anyModel(in diagram: Diagram) -> TheoryVerdict {
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

// MARK: Values of wholes

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
            map?[.string(name)] = value
        }
        return map
    }

    mutating func witness(of model: Model) -> Witness {
        meter.take(variables.all.count * StepCost.variable)
        var witness = Witness(declarations: declarations)
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
