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
        var yes: DecisionDiagram
        var no: DecisionDiagram
    }

    var translator: Translator
    var arena: DecisionDiagramStore
    let limits: LogicLimits
    /// The level of each variable, and the variable at each level.
    private var levels: [VariableIndex: Int] = [:]
    private(set) var order: [VariableIndex] = []
    private var meanings: [TermID: Meaning] = [:]
    /// The combinations that were found to be impossible.
    var lemmas = LemmaTable()
    /// The known facts about the history, as of `variablesOfFacts` variables.
    private(set) var facts = HistoryFacts()
    private var variablesOfFacts = 0
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
        arena = DecisionDiagramStore(limits)
        let first = conditions.first ?? .alwaysTrue
        translator = Translator(declarations, limits: limits, first: first)
        let terms = conditions.map { translator.term(of: $0) }
        setOrder(terms, order)
    }

    /// Brings the facts up to date; they are only read by searches, after many conditions at once.
    mutating func updateFacts() {
        guard variables.all.count != variablesOfFacts else { return }
        facts.update(variables, declarations)
        meter.take(facts.lemmas.count * StepCost.lemma)
        variablesOfFacts = variables.all.count
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

// The order of variables.
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

// Diagrams of terms.
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
        func join(
            _ one: DecisionDiagram, _ other: DecisionDiagram, _ arena: inout DecisionDiagramStore
        ) -> DecisionDiagram {
            let (first, second) = (arena.and(condition.yes, one), arena.and(condition.no, other))
            return arena.or(first, second)
        }
        return Meaning(
            yes: join(then.yes, otherwise.yes, &arena), no: join(then.no, otherwise.no, &arena))
    }

    mutating func test(_ variable: VariableIndex, is set: IntervalSet) -> DecisionDiagram {
        let level = level(of: variable)
        return arena.test(level: level, in: variables[variable].domain.whole, is: set)
    }
}

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
        meaning(of: translator.term(of: condition))
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

extension Logic {
    /// Returns yes if no user meets a demand.
    public mutating func isNever(_ demand: Requirement) -> Answer {
        let diagram = diagram(of: demand)
        return answer(search(diagram) { demand.isMet(by: $0) })
    }

    /// Returns yes if every user who meets one demand also meets another one.
    public mutating func implies(_ demand: Requirement, _ other: Requirement) -> Answer {
        let (one, second) = (diagram(of: demand), diagram(of: other))
        let search = search(arena.subtracting(second, from: one)) {
            demand.isMet(by: $0) && !other.isMet(by: $0)
        }
        // A condition that may run out of steps isn't certain to be met.
        return other.isBounded ? answer(search) : answer(search).withoutYes
    }

    /// Returns a user who meets a demand; nil if none was found.
    public mutating func witness(meeting demand: Requirement) -> Witness? {
        if case .no(let witness) = isNever(demand) { witness } else { nil }
    }

    /// Returns the users who meet a demand.
    public mutating func people(meeting demand: Requirement) -> People {
        let diagram = diagram(of: demand)
        return People(diagram: withFacts(diagram))
    }

    /// Returns the users who meet all conditions; nil if this isn't known, or if no user or every
    /// user meets them.
    public mutating func audience(of conditions: [Program]) -> People? {
        let demand = Requirement(conditions)
        guard demand.isBounded else { return nil }
        let people = people(meeting: demand)
        return isExhausted || people.diagram.isLeaf ? nil : people
    }

    mutating func diagram(of demand: Requirement) -> DecisionDiagram {
        var diagram = DecisionDiagram.always
        for condition in demand.met {
            let yes = meaning(of: condition, isLater: demand.isLater).yes
            diagram = arena.and(diagram, yes)
        }
        for condition in demand.unmet {
            let yes = meaning(of: condition, isLater: demand.isLater).yes
            diagram = arena.subtracting(yes, from: diagram)
        }
        if !demand.either.isEmpty {
            var one = DecisionDiagram.never
            for condition in demand.either {
                let yes = meaning(of: condition, isLater: demand.isLater).yes
                one = arena.or(one, yes)
            }
            diagram = arena.and(diagram, one)
        }
        if let people = demand.among { diagram = arena.and(diagram, people.diagram) }
        return diagram
    }

    private mutating func meaning(of condition: Program, isLater: Bool) -> Meaning {
        translator.isLater = isLater
        defer { translator.isLater = false }
        return meaning(of: condition)
    }

    /// Returns, for each `&&` operand of a demand, the users who meet it and whether it must be
    /// true.
    mutating func meanings(ofPartsOf demand: Requirement) -> [(yes: DecisionDiagram, isMet: Bool)] {
        translator.isLater = demand.isLater
        defer { translator.isLater = false }
        var parts: [(yes: DecisionDiagram, isMet: Bool)] = []
        for condition in demand.met {
            for part in translator.conjuncts(of: translator.term(of: condition)) {
                parts.append((meaning(of: part).yes, true))
            }
        }
        for condition in demand.unmet {
            parts.append((meaning(of: translator.term(of: condition)).yes, false))
        }
        return parts
    }

    /// Returns the users who belong to some users for any value of the open entries.
    ///
    /// Parts of conditions that nothing is known about are left open too.
    public mutating func people(
        _ people: People, whatever isOpen: (SlotTable.Entry) -> Bool
    ) -> People {
        var levels: Set<Int> = []
        for (level, variable) in order.enumerated() {
            guard let place = variables[base(of: variable)].place else {
                levels.insert(level)
                continue
            }
            if isOpen(place.entry) { levels.insert(level) }
        }
        var known: [DecisionDiagram: DecisionDiagram] = [:]
        return People(diagram: without(levels, people.diagram, &known))
    }

    /// Returns a diagram without some levels: any value may be at these levels.
    mutating func withoutLevels(_ levels: Set<Int>, _ diagram: DecisionDiagram) -> DecisionDiagram {
        var known: [DecisionDiagram: DecisionDiagram] = [:]
        return without(levels, diagram, &known)
    }

    private mutating func without(
        _ levels: Set<Int>, _ diagram: DecisionDiagram,
        _ known: inout [DecisionDiagram: DecisionDiagram]
    ) -> DecisionDiagram {
        if diagram.isLeaf { return diagram }
        if let result = known[diagram] { return result }
        let level = arena.level(diagram)
        var edges: [Edge] = []
        for edge in Array(arena.edges(diagram)) {
            edges.append(Edge(last: edge.last, child: without(levels, edge.child, &known)))
        }
        var result = DecisionDiagram.never
        if levels.contains(level) {
            for edge in edges { result = arena.or(result, edge.child) }
        } else {
            result = arena.node(level: level, edges: edges)
        }
        known[diagram] = result
        return result
    }

    /// Returns true if certainly no user belongs to both, without a look at values. Takes few
    /// steps; `isNever` finds more.
    ///
    /// Mutating only because of its arguments: evaluating them may create diagrams, which a copy of
    /// the arena from before wouldn't contain.
    public mutating func areApart(_ one: People, _ other: People) -> Bool {
        if isExhausted { return false }
        var steps = limits.meetingSteps
        return !arena.meet(one.diagram, other.diagram, &steps)
    }
}

extension DecisionDiagramStore {
    /// Returns true if two diagrams have a path in common, and also if the steps are used up.
    fileprivate func meet(_ left: DecisionDiagram, _ right: DecisionDiagram, _ steps: inout Int)
        -> Bool
    {
        if left == .never || right == .never { return false }
        if left == .always || right == .always || left == right { return true }
        steps -= 1
        if steps < 0 { return true }
        let (one, other) = (level(left), level(right))
        if one < other { return edges(left).contains { meet($0.child, right, &steps) } }
        if other < one { return edges(right).contains { meet(left, $0.child, &steps) } }
        let (lefts, rights) = (edges(left), edges(right))
        var (first, second) = (lefts.startIndex, rights.startIndex)
        while first < lefts.endIndex, second < rights.endIndex {
            if meet(lefts[first].child, rights[second].child, &steps) { return true }
            let (last, end) = (lefts[first].last, rights[second].last)
            if last <= end { first += 1 }
            if end <= last { second += 1 }
        }
        return false
    }
}
