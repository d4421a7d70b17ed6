public import PopCEL
internal import PopSource

/// The meaning of conditions: the users who meet them, and the certain conclusions from that.
///
/// Created from conditions and the known facts about the names in them. The answer to a question is
/// yes, or no with a user as a counterexample, or not known. Questions mutate the logic, because
/// results are kept for the next question.
public struct Logic: Sendable {
    /// The order in which diagrams branch on the entries that conditions read.
    public enum Order: Sendable, Hashable {
        /// The order in which conditions read entries, with the variables about one key next to
        /// each other.
        case asRead
        /// The reverse order.
        case reversed
    }

    /// The result of a condition: it is true for the users in `yes`, and false for those in `no`.
    /// For all other users it fails.
    struct Meaning: Sendable {
        var yes: Diagram
        var no: Diagram
    }

    var translator: Translator
    var arena: Arena
    let limits: LogicLimits
    /// The level of each variable, and the variable at each level.
    private var levels: [VariableIndex: Int] = [:]
    private(set) var order: [VariableIndex] = []
    private var meanings: [TermID: Meaning] = [:]
    /// The combinations that were found to be impossible.
    var lemmas = LemmaTable()
    var facts = HistoryFacts()
    /// The remaining steps of theories for the current question.
    var theorySteps = 0
    /// The remaining steps of theories for all questions.
    var allTheorySteps: Int
    /// The steps of theories and of the search for users.
    var meter: StepMeter
    /// The results about strings and list elements.
    var textMemory = TextMemory()
    var elements: [ElementQuestion: Value?] = [:]
    /// True if an answer was "not known" because a work limit was reached.
    private(set) var wasCutShort = false

    var declarations: Declarations { translator.declarations }
    /// The known facts about the names that conditions read.
    package var knownDeclarations: Declarations { declarations }
    var variables: VariableTable { translator.variables }

    /// Creates a logic from conditions, which determine the order of variables. You can ask about
    /// more conditions later.
    public init(
        of conditions: [Program], declarations: Declarations = Declarations(),
        order: Order = .asRead, limits: LogicLimits = .standard
    ) {
        self.limits = limits
        meter = StepMeter(limits.budget)
        allTheorySteps = limits.allTheorySteps
        arena = Arena(limits)
        let first = conditions.first ?? .alwaysTrue
        translator = Translator(declarations, limits: limits, first: first)
        let terms = conditions.map { translator.term(of: $0) }
        setOrder(terms, order)
        facts.update(translator.variables, declarations)
    }

    /// True if a budget is used up; all further answers are "not known".
    var isExhausted: Bool {
        arena.isExhausted || translator.isExhausted || meter.isUsedUp || allTheorySteps < 0
    }

    /// True if something wasn't determined because it takes more work than the limits, or the
    /// budget of the command, allow.
    public var isCutShort: Bool { wasCutShort || isExhausted }

    mutating func cutShort() {
        wasCutShort = true
        limits.budget.leaveUndecided()
    }
}

extension Program {
    /// A condition that reads nothing and is always true.
    fileprivate static var alwaysTrue: Program {
        var slots = SlotTable()
        let text = Expression.parse("true").value
        guard let text,
            let program = Environment().compile(text, expecting: .bool, slots: &slots).value
        else { preconditionFailure("`true` is a condition") }
        return program
    }
}

// MARK: The order of variables

extension Logic {
    private mutating func setOrder(_ terms: [TermID], _ order: Order) {
        var groups: [[VariableIndex]] = []
        var places: [VariableIndex: Int] = [:]
        var seen: Set<VariableIndex> = []
        for term in terms {
            for variable in translator.terms.variables(of: term)
            where seen.insert(variable).inserted {
                let base = base(of: variable)
                let place = places[base] ?? groups.count
                if place == groups.count { groups.append([]) }
                places[base] = place
                places[variable] = place
                groups[place].append(variable)
            }
        }
        if order == .reversed { groups.reverse() }
        for variable in groups.joined() { _ = level(of: variable) }
    }

    /// Returns the variable next to which another one is placed.
    func base(of variable: VariableIndex) -> VariableIndex {
        switch variables[variable].kind {
        case .value, .free: variable
        case .text(let base, _, _), .size(let base), .some(let base, _, _): base
        case .difference(_, let last): last
        }
    }

    mutating func level(of variable: VariableIndex) -> Int {
        if let known = levels[variable] { return known }
        order.append(variable)
        levels[variable] = order.count - 1
        return order.count - 1
    }
}

// MARK: Diagrams of terms

extension Logic {
    /// Returns the result of a term. Precondition: terms don't form a cycle.
    mutating func meaning(of term: TermID) -> Meaning {
        if let known = meanings[term] { return known }
        let meaning = newMeaning(of: translator.terms[term])
        meanings[term] = meaning
        return meaning
    }

    private mutating func newMeaning(of term: Term) -> Meaning {
        switch term {
        case .constant(let truth):
            return Meaning(yes: truth ? .always : .never, no: truth ? .never : .always)
        case .failure: return Meaning(yes: .never, no: .never)
        case .test(let variable, let yes, let no):
            return Meaning(yes: test(variable, is: yes), no: test(variable, is: no))
        case .not(let part):
            let meaning = meaning(of: part)
            return Meaning(yes: meaning.no, no: meaning.yes)
        case .all(let parts): return all(meanings(of: parts))
        case .any(let parts): return any(meanings(of: parts))
        case .choice(let condition, let then, let otherwise):
            let (condition, then) = (meaning(of: condition), meaning(of: then))
            return choice(condition, then, meaning(of: otherwise))
        }
    }

    private mutating func meanings(of parts: [TermID]) -> [Meaning] {
        var meanings: [Meaning] = []
        meanings.reserveCapacity(parts.count)
        for part in parts { meanings.append(meaning(of: part)) }
        return meanings
    }

    /// Returns the result of `&&` for its operands.
    mutating func all(_ parts: [Meaning]) -> Meaning {
        let yes = arena.conjunction(of: parts.map { $0.yes })
        return Meaning(yes: yes, no: arena.disjunction(of: parts.map { $0.no }))
    }

    /// Returns the result of `||` for its operands.
    mutating func any(_ parts: [Meaning]) -> Meaning {
        let yes = arena.disjunction(of: parts.map { $0.yes })
        return Meaning(yes: yes, no: arena.conjunction(of: parts.map { $0.no }))
    }

    /// Returns the result of `?:` for its operands.
    mutating func choice(_ condition: Meaning, _ then: Meaning, _ otherwise: Meaning) -> Meaning {
        func join(_ one: Diagram, _ other: Diagram, _ arena: inout Arena) -> Diagram {
            let (first, second) = (arena.and(condition.yes, one), arena.and(condition.no, other))
            return arena.or(first, second)
        }
        return Meaning(
            yes: join(then.yes, otherwise.yes, &arena), no: join(then.no, otherwise.no, &arena))
    }

    mutating func test(_ variable: VariableIndex, is set: RankSet) -> Diagram {
        let level = level(of: variable)
        return arena.test(level: level, in: variables[variable].domain.whole, is: set)
    }
}
