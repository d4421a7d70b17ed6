package import PopCEL
internal import PopSource

/// A translator from conditions to terms. Named conditions are translated once and shared.
struct Translator {
    var variables = VariableTable()
    var terms = TermTable()
    let declarations: Declarations
    let limits: LogicLimits
    /// The condition that is being read.
    private(set) var reading: Reading
    private var last: Reading?
    /// The places that the variables of macros refer to.
    var locals: [Int: Place] = [:]
    private(set) var definitions: [String: TermID] = [:]
    private(set) var laterDefinitions: [String: TermID] = [:]
    /// True if the condition that is being read belongs to the later of two rule sets.
    var isLater = false
    private var depth = 0
    /// Constants in parts that nothing is known about, which are worth trying as values.
    private(set) var hints: [Value] = []
    private var knownHints: Set<Value> = []
    private var meter: StepMeter
    /// True if something was too large to be translated.
    private(set) var isExhausted = false
    /// True if a part was found that nothing is known about.
    var isFree = false

    /// A type-checked condition.
    struct Reading {
        let expression: Expression
        let tree: SyntaxTree
        let environment: Environment
        let checked: CheckedTree

        init(_ program: Program) {
            let subject = program.subject
            expression = subject.expression
            tree = subject.tree
            environment = subject.environment
            checked = subject.checked
        }
    }

    init(_ declarations: Declarations, limits: LogicLimits, first: Program) {
        self.declarations = declarations
        self.limits = limits
        meter = StepMeter(limits.budget)
        reading = Reading(first)
    }

    mutating func addHint(_ value: Value) {
        guard hints.count < limits.hints, knownHints.insert(value).inserted else { return }
        hints.append(value)
    }

    /// Returns the term of a condition.
    mutating func term(of program: Program) -> TermID {
        term(of: program.expression.tree.root, in: program)
    }

    /// Returns the parts of a term that are joined by `&&`, at any depth.
    func conjuncts(of term: TermID) -> [TermID] {
        var found: [TermID] = []
        var pending = [term]
        while let next = pending.popLast() {
            if case .all(let parts) = terms[next] {
                pending += parts.reversed()
            } else {
                found.append(next)
            }
        }
        return found
    }

    /// Returns the term of a part of a condition.
    mutating func term(of part: NodeID, in program: Program) -> TermID {
        let outer = (reading, locals)
        reading = reading(of: program)
        locals = [:]
        defer { (reading, locals) = outer }
        return term(part)
    }

    /// Returns a type-checked condition. The last one is cached, because its parts are requested
    /// one by one.
    private mutating func reading(of program: Program) -> Reading {
        if let last, last.tree === program.expression.tree { return last }
        let reading = Reading(program)
        takeSteps(reading.tree.nodes.count)
        last = reading
        return reading
    }

    /// Returns the term of a part whose type is bool.
    mutating func term(_ node: NodeID) -> TermID {
        if terms.count >= limits.terms { isExhausted = true }
        takeSteps(StepCost.term)
        if isExhausted { return terms.add(.failure) }
        let tree = reading.tree
        switch tree.kind(of: node) {
        case .literal:
            if case .bool(let truth)? = tree.literal(node) { return terms.add(.constant(truth)) }
        case .operation: return operation(node)
        case .presence: return presence(tree.child(node, at: 0)) ?? free(node)
        case .identifier, .select: return named(node) ?? free(node)
        case .call, .memberCall: return textTest(node) ?? truth(of: node) ?? free(node)
        case .macro: return macro(node) ?? free(node)
        case .list, .map, .message, .optionalEntry: break
        }
        return free(node)
    }

    mutating func takeSteps(_ count: Int) {
        if !meter.take(count) { isExhausted = true }
    }

    private mutating func operation(_ node: NodeID) -> TermID {
        let tree = reading.tree
        let children = Array(tree.children(of: node))
        switch tree.operator(of: node) {
        case .and: return terms.all(children.map { term($0) })
        case .or: return terms.add(.any(children.map { term($0) }))
        case .not: return terms.not(term(children[0]))
        case .conditional:
            let parts = children.map { term($0) }
            return terms.add(.choice(parts[0], then: parts[1], otherwise: parts[2]))
        case .in: return membership(children[0], in: children[1]) ?? free(node)
        case .index: return truth(of: node) ?? free(node)
        case let operation where operation.isOrdering || [.equal, .notEqual].contains(operation):
            return comparison(operation, left: children[0], right: children[1]) ?? free(node)
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .add, .subtract,
            .multiply, .divide, .modulo, .negate, .optionalIndex:
            return free(node)
        }
    }

    /// Returns the term of a bool that is read, or of a named condition.
    private mutating func named(_ node: NodeID) -> TermID? {
        if case .variable(let index) = reading.checked.nodes[node].reference {
            let name = reading.environment.part(ofVariable: index) { $0.identity }
            if let program = declarations.definition(name, isLater: isLater) {
                return definition(name, program)
            }
        }
        return truth(of: node)
    }

    private mutating func definition(_ name: String, _ program: Program) -> TermID? {
        let known = isLater ? laterDefinitions[name] : definitions[name]
        if let known { return known }
        guard depth < limits.definitions else {
            isExhausted = true
            return nil
        }
        depth += 1
        let term = term(of: program)
        depth -= 1
        if isLater { laterDefinitions[name] = term } else { definitions[name] = term }
        return term
    }

    private mutating func truth(of node: NodeID) -> TermID? {
        guard let read = value(node), [.bool, .dyn].contains(variables[read.variable].type),
            let (yes, _) = variables.split(read.variable, .equal, constant: .bool(true)),
            let (no, _) = variables.split(read.variable, .equal, constant: .bool(false))
        else { return nil }
        return terms.guarded(
            terms.add(.test(read.variable, yes: yes, no: no)), by: read.isThere)
    }

    /// Returns the term of `has(…)`.
    private mutating func presence(_ node: NodeID) -> TermID? {
        if case .variable(let index) = reading.checked.nodes[node].reference,
            declarations.definition(
                reading.environment.part(ofVariable: index, get: { $0.identity }), isLater: isLater)
                != nil
        {
            return terms.add(.constant(true))
        }
        guard let read = value(node) else { return nil }
        if variables[read.variable].domain.isAbsent { return terms.add(.constant(false)) }
        return terms.guarded(isPresent(read.variable), by: read.isThere)
    }

    /// Returns a term that is true if a variable has a value; it never fails.
    mutating func isPresent(_ variable: VariableIndex) -> TermID {
        let domain = variables[variable].domain
        guard domain.hasAbsence, domain.usual == nil else { return terms.add(.constant(true)) }
        return terms.add(
            .test(variable, yes: domain.present, no: IntervalSet(domain.absence)))
    }

    /// Returns a term that is true if a variable has a value, and fails if it has none.
    mutating func needs(_ variable: VariableIndex) -> TermID {
        let presence = isPresent(variable)
        if case .constant(true) = terms[presence] { return presence }
        let failure = terms.add(.failure)
        return terms.add(
            .choice(presence, then: terms.add(.constant(true)), otherwise: failure))
    }
}

extension TimeZones {
    /// Returns one name for all time zones of the system whose clocks always show the same time.
    package static func commonName(of name: String) -> String {
        let isZero = ["+00:00", "-00:00", "00:00"].contains(name)
        if isZero || namesOfUTC.contains(name) { return nameOfUTC }
        if let known = commonNames.withLock({ $0[name] }) { return known }
        let common = systemNames.first { haveSameClocks($0, as: name) } ?? name
        commonNames.withLock { $0[name] = common }
        return common
    }

    package static let nameOfUTC = "UTC"

    /// The common names of the requested zones; finding one compares all zones of the system.
    private static let commonNames = LockedValue([String: String]())

    /// The links to UTC and GMT in the time zone database, whose clocks never differ.
    private static let namesOfUTC: Set = [
        "UTC", "Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu", "Etc/GMT", "Etc/GMT+0",
        "Etc/GMT-0", "Etc/GMT0", "Etc/Greenwich", "UCT", "Universal", "Zulu", "GMT", "GMT+0",
        "GMT-0", "GMT0", "Greenwich",
    ]
}

extension Translator {
    /// Returns the source of a part. If two rule sets are compared, zones whose clocks always show
    /// the same time have a common name in it.
    func textWithCommonZones(of node: NodeID) -> String {
        let text = reading.expression.text(of: node)
        let tree = reading.tree
        let whole = tree.nodes[node]
        guard declarations.later != nil, case .text = tree.origins[whole.origin] else {
            return text
        }
        var bytes = Array(text.utf8)
        for zone in zones(in: node).sorted(by: { tree.nodes[$0].start > tree.nodes[$1].start }) {
            let part = tree.nodes[zone]
            guard part.origin == whole.origin, case .string(let name)? = tree.literal(zone) else {
                continue
            }
            let place = Int(part.start - whole.start)..<Int(part.end - whole.start)
            bytes.replaceSubrange(place, with: "'\(TimeZones.commonName(of: name))'".utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the zone names that are passed to functions which read parts of dates.
    private func zones(in node: NodeID) -> [NodeID] {
        let tree = reading.tree
        let children = Array(tree.children(of: node))
        let inner = children.flatMap { zones(in: $0) }
        guard tree.kind(of: node) == .memberCall, children.count == 2,
            reading.checked.type(children[0]) == .timestamp,
            case .string? = tree.literal(children[1])
        else { return inner }
        return inner + [children[1]]
    }
}
