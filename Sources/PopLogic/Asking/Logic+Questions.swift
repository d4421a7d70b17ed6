public import PopCEL

/// The answer to a question about conditions.
public enum Answer: Sendable {
    /// The statement holds for all users.
    case yes
    /// The statement doesn't hold for this user.
    case no(Witness)
    /// The answer could not be determined.
    case notKnown
}

extension Logic {
    /// Returns yes if a condition is true for no user.
    public mutating func isNever(_ condition: Program) -> Answer {
        let diagram = meaning(of: condition).yes
        return answer(search(diagram) { $0.truth(of: condition).isYes })
    }

    /// Returns yes if a condition is true for all users. A condition whose evaluation may run out
    /// of steps is never certain to be.
    public mutating func isAlways(_ condition: Program) -> Answer {
        let yes = meaning(of: condition).yes
        let answer = answer(search(arena.not(yes)) { !$0.truth(of: condition).isYes })
        return condition.isBounded ? answer : answer.withoutYes
    }

    /// Returns yes if all users who meet one condition meet another one. The implied condition must
    /// not run out of steps for this to be certain.
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

    /// Returns yes if both conditions are true together for no user.
    public mutating func disjoint(_ condition: Program, _ other: Program) -> Answer {
        let (one, second) = (meaning(of: condition).yes, meaning(of: other).yes)
        return answer(
            search(arena.and(one, second)) {
                $0.truth(of: condition).isYes && $0.truth(of: other).isYes
            })
    }

    /// Returns yes if two conditions are true for the same users.
    public mutating func equivalent(_ condition: Program, _ other: Program) -> Answer {
        let (one, second) = (meaning(of: condition).yes, meaning(of: other).yes)
        let search = search(arena.difference(one, second)) {
            $0.truth(of: condition).isYes != $0.truth(of: other).isYes
        }
        let isBounded = condition.isBounded && other.isBounded
        return isBounded ? answer(search) : answer(search).withoutYes
    }

    /// Returns a user who meets a condition; nil if none was found.
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
    /// True if evaluating it never takes too many steps, provided that values are as declared and
    /// no larger than `LogicLimits.assumedSize`.
    var isBounded: Bool {
        let bound = costBound(forSizesUpTo: LogicLimits.assumedSize)
        return bound.map { $0 <= CELLimits.standard.cost } ?? false
    }
}
