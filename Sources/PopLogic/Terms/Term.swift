internal import PopCEL

/// The place of a term in a `TermTable`.
struct TermID: ListIndex {
    let number: Int

    init(_ number: Int) { self.number = number }
}

/// A condition, or a part of one, as far as it is understood.
enum Term: Hashable, Sendable {
    case constant(Bool)
    /// A term that fails for all values.
    case failure
    /// True for the `yes` values of a variable and false for the `no` values; it fails for others.
    case test(VariableIndex, yes: RankSet, no: RankSet)
    /// False if a part is false; if not, it fails if a part fails.
    case all([TermID])
    /// True if a part is true; if not, it fails if a part fails.
    case any([TermID])
    case not(TermID)
    /// A term that fails if its condition fails.
    case choice(TermID, then: TermID, otherwise: TermID)
}

/// The terms. Each occurs once, so that equal terms are shared.
struct TermTable: Sendable {
    private(set) var all: ParallelArray<TermID, Term> = []
    private var numbers: [Term: TermID] = [:]

    subscript(id: TermID) -> Term { all[id] }

    var count: Int { all.count }

    mutating func add(_ term: Term) -> TermID {
        if let known = numbers[term] { return known }
        all.append(term)
        let id = TermID(all.count - 1)
        numbers[term] = id
        return id
    }

    mutating func all(_ parts: [TermID]) -> TermID {
        parts.count == 1 ? parts[0] : add(.all(parts))
    }

    mutating func not(_ term: TermID) -> TermID {
        if case .not(let inner) = all[term] { return inner }
        return add(.not(term))
    }

    /// Returns a term that equals the given one, but fails unless a condition is true.
    mutating func guarded(_ term: TermID, by condition: TermID) -> TermID {
        if case .constant(true) = all[condition] { return term }
        let failure = add(.failure)
        return add(.choice(condition, then: term, otherwise: failure))
    }

    /// Returns the variables that a term tests, each once, in the order of the source.
    func variables(of term: TermID) -> [VariableIndex] {
        var found: [VariableIndex] = []
        var seen: Set<VariableIndex> = []
        var visited: Set<TermID> = []
        var pending = [term]
        while let next = pending.popLast() {
            guard visited.insert(next).inserted else { continue }
            switch all[next] {
            case .constant, .failure: break
            case .test(let variable, _, _):
                if seen.insert(variable).inserted { found.append(variable) }
            case .all(let parts), .any(let parts): pending += parts.reversed()
            case .not(let part): pending.append(part)
            case .choice(let condition, let then, let otherwise):
                pending += [otherwise, then, condition]
            }
        }
        return found
    }
}
