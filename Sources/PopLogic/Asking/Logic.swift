public import PopCEL
internal import PopSource

/// What conditions mean: for whom they are true, and what can be said of that for certain.
///
/// Made of conditions and what is known of the names in them. Its questions are answered with yes,
/// with no and somebody for whom it is so, or not at all; they change it, since what was found out
/// for one question is kept for the next.
public struct Logic: Sendable {
    /// In which order diagrams branch on what conditions read.
    public enum Order: Sendable, Hashable {
        /// As conditions read it, what is about one key side by side.
        case asRead
        /// The other way round.
        case reversed
    }

    /// What a condition comes to: for whom it is true, and for whom it is false. For others it
    /// fails.
    struct Meaning: Sendable {
        var yes: Diagram
        var no: Diagram
    }

    var translator: Translator
    var arena: Arena
    let limits: LogicLimits
    /// The level of each variable, and what stands at each level.
    private var levels: [VariableIndex: Int] = [:]
    private(set) var order: [VariableIndex] = []
    private var meanings: [TermID: Meaning] = [:]
    /// What was found impossible.
    var lemmas = LemmaTable()
    var facts = HistoryFacts()
    /// What theories may still use up for the question that is being answered.
    var theorySteps = 0
    /// What they may still use up for all questions.
    var allTheorySteps: Int
    /// The steps of theories and of looking for somebody.
    var meter: StepMeter
    /// What was found out about texts and elements of lists.
    var textMemory = TextMemory()
    var elements: [ElementQuestion: Value?] = [:]
    /// Whether an answer was "not known" because a limit of work was reached.
    private(set) var wasCutShort = false

    var declarations: Declarations { translator.declarations }
    /// What is known of the names that conditions read.
    package var knownDeclarations: Declarations { declarations }
    var variables: VariableTable { translator.variables }

    /// Of conditions, in whose order variables are met; more may be asked about later.
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

    /// Whether a budget is used up: then nothing is known any more.
    var isExhausted: Bool {
        arena.isExhausted || translator.isExhausted || meter.isUsedUp || allTheorySteps < 0
    }

    /// Whether something was not found out because it takes more work than the limits, or the
    /// budget of the command, allow.
    public var isCutShort: Bool { wasCutShort || isExhausted }

    mutating func cutShort() {
        wasCutShort = true
        limits.budget.leaveUndecided()
    }
}

extension Program {
    /// A condition that reads nothing.
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

    /// The variable beside which another one stands.
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
    /// What a term comes to. Precondition: terms do not stand in a circle.
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

    /// What `&&` makes of its parts.
    mutating func all(_ parts: [Meaning]) -> Meaning {
        let yes = arena.conjunction(of: parts.map { $0.yes })
        return Meaning(yes: yes, no: arena.disjunction(of: parts.map { $0.no }))
    }

    /// What `||` makes of its parts.
    mutating func any(_ parts: [Meaning]) -> Meaning {
        let yes = arena.disjunction(of: parts.map { $0.yes })
        return Meaning(yes: yes, no: arena.conjunction(of: parts.map { $0.no }))
    }

    /// What `?:` makes of its parts.
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
