public import PopCEL

/// What a question about conditions is answered with.
public enum Answer: Sendable {
    /// It is so, for everybody.
    case yes
    /// It is not so for this one.
    case no(Witness)
    /// It was not found out.
    case notKnown
}

extension Logic {
    /// Whether a condition is true for nobody.
    public mutating func isNever(_ condition: Program) -> Answer {
        let diagram = meaning(of: condition).yes
        return answer(search(diagram) { $0.truth(of: condition).isYes })
    }

    /// Whether a condition is true for everybody. One whose evaluation may run out of steps never
    /// is.
    public mutating func isAlways(_ condition: Program) -> Answer {
        let yes = meaning(of: condition).yes
        let answer = answer(search(arena.not(yes)) { !$0.truth(of: condition).isYes })
        return condition.isBounded ? answer : answer.withoutYes
    }

    /// Whether one condition is true for everybody for whom another one is. That is not certain of
    /// one whose evaluation may run out of steps.
    public mutating func implies(_ condition: Program, _ other: Program) -> Answer {
        let (one, second) = (meaning(of: condition).yes, meaning(of: other).yes)
        let search = search(arena.subtracting(second, from: one)) {
            $0.truth(of: condition).isYes && !$0.truth(of: other).isYes
        }
        if other.isBounded { return answer(search) }
        guard case .none = search, case .yes = isNever(condition) else {
            return answer(search).withoutYes
        }
        return .yes
    }

    /// Whether there is nobody for whom both conditions are true.
    public mutating func disjoint(_ condition: Program, _ other: Program) -> Answer {
        let (one, second) = (meaning(of: condition).yes, meaning(of: other).yes)
        return answer(
            search(arena.and(one, second)) {
                $0.truth(of: condition).isYes && $0.truth(of: other).isYes
            })
    }

    /// Whether two conditions are true for the same people.
    public mutating func equivalent(_ condition: Program, _ other: Program) -> Answer {
        let (one, second) = (meaning(of: condition).yes, meaning(of: other).yes)
        let search = search(arena.difference(one, second)) {
            $0.truth(of: condition).isYes != $0.truth(of: other).isYes
        }
        let isBounded = condition.isBounded && other.isBounded
        return isBounded ? answer(search) : answer(search).withoutYes
    }

    /// Somebody for whom a condition is true; nil when none was found.
    public mutating func witness(of condition: Program) -> Witness? {
        if case .no(let witness) = isNever(condition) { witness } else { nil }
    }

    mutating func meaning(of condition: Program) -> Meaning {
        let before = variables.all.count
        let term = translator.term(of: condition)
        if variables.all.count > before { facts.update(variables, declarations) }
        return meaning(of: term)
    }

    func answer(_ search: Search) -> Answer {
        switch search {
        case .found(let witness): .no(witness)
        case .none: .yes
        case .notKnown: .notKnown
        }
    }
}

extension Answer {
    var withoutYes: Answer {
        if case .yes = self { .notKnown } else { self }
    }
}

extension Program {
    /// Whether evaluating it never takes too many steps, when values are as declared and no larger
    /// than `LogicLimits.assumedSize`.
    var isBounded: Bool {
        let bound = costBound(forSizesUpTo: LogicLimits.assumedSize)
        return bound.map { $0 <= CELLimits.standard.cost } ?? false
    }
}
