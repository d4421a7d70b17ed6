package import PopCEL

/// Makes formulas of conditions; named conditions are expanded.
struct FormulaBuilder {
    let environment: Environment
    private(set) var keys: [FormulaKey] = []
    private var numbers: [String: Int] = [:]
    /// The formulas of named conditions.
    private var definitions: [String: Formula] = [:]
    private var depth = 0
    /// The number of parts that may still be visited.
    var steps = CELLimits.logicSteps

    init(_ environment: Environment) { self.environment = environment }

    /// The formula of a part. Constants in it decide nothing: in a named condition they switch.
    mutating func formula(_ node: NodeID, in tree: SyntaxTree) -> Formula {
        guard steps > 0 else { return .free }
        steps -= 1
        switch tree.kind(of: node) {
        case .operation:
            switch tree.operator(of: node) {
            case .and: return .all(formulas(node, in: tree))
            case .or: return .any(formulas(node, in: tree))
            case .not: return .not(formula(tree.child(node, at: 0), in: tree))
            case .in: return membership(node, in: tree)
            case let operation: return comparison(operation, at: node, in: tree)
            }
        case .presence: return presence(tree.child(node, at: 0), in: tree)
        case .identifier, .select: return name(node, in: tree)
        case .literal, .call, .memberCall, .list, .map, .message, .optionalEntry, .macro:
            return .free
        }
    }

    private mutating func formulas(_ node: NodeID, in tree: SyntaxTree) -> [Formula] {
        var formulas: [Formula] = []
        for child in tree.children(of: node) { formulas.append(formula(child, in: tree)) }
        return formulas
    }

    private mutating func comparison(
        _ operation: Operator, at node: NodeID, in tree: SyntaxTree
    ) -> Formula {
        guard operation.isOrdering || operation == .equal || operation == .notEqual else {
            return .free
        }
        let (left, right) = (tree.child(node, at: 0), tree.child(node, at: 1))
        for (value, constant, operation) in [
            (left, right, operation), (right, left, operation.mirrored),
        ] {
            guard let constant = tree.constant(constant, knowsDays: environment.knowsDays),
                let key = key(value, in: tree),
                isDecided(operation, constant: constant, of: keys[key])
            else { continue }
            return .test(key: key, .compared(operation, constant))
        }
        return .free
    }

    /// Returns true if the cells of a key determine the result of the comparison. A value that the
    /// key never has is reported separately.
    private func isDecided(_ operation: Operator, constant: Value, of key: FormulaKey) -> Bool {
        if let allowed = key.allowed, !allowed.contains(constant) { return false }
        switch key.type {
        case .string, .bool: return constant.type == key.type && !operation.isOrdering
        case .int, .uint:
            // Beyond this several whole numbers are compared as one double.
            if case .double(let number) = constant { return abs(number) < 0x1p53 }
            return constant.type == .int || constant.type == .uint
        case .double: return [.int, .uint, .double].contains(constant.type)
        case .timestamp, .duration, .version: return constant.type == key.type
        case .dyn, .null, .bytes, .list, .map, .optional, .type, .wrapper, .opaque, .parameter:
            return false
        }
    }

    private mutating func membership(_ node: NodeID, in tree: SyntaxTree) -> Formula {
        let list = tree.child(node, at: 1)
        let items: [Value]
        if tree.kind(of: list) == .list {
            items = tree.children(of: list).compactMap { tree.literal($0) }
            guard items.count == tree.childCount(list) else { return .free }
        } else if case .list(let values)? = tree.literal(list) {
            items = Array(values)
        } else {
            return .free
        }
        guard let key = key(tree.child(node, at: 0), in: tree), keys[key].type == .string,
            items.allSatisfy({ isDecided(.equal, constant: $0, of: keys[key]) })
        else { return .free }
        return .test(key: key, .among(items))
    }

    private mutating func presence(_ node: NodeID, in tree: SyntaxTree) -> Formula {
        guard let key = key(node, in: tree), keys[key].mayBeMissing else { return .free }
        return .test(key: key, .present)
    }

    private mutating func name(_ node: NodeID, in tree: SyntaxTree) -> Formula {
        guard let name = tree.dottedName(node), let variable = environment.variable(named: name)
        else { return .free }
        if let definition = variable.definition { return formula(named: name, definition.tree) }
        guard variable.type == .bool, let key = key(node, in: tree) else { return .free }
        return .test(key: key, .truth)
    }

    private mutating func formula(named name: String, _ tree: SyntaxTree) -> Formula {
        if let known = definitions[name] { return known }
        guard depth < CELLimits.definitions else { return .free }
        // For conditions that use each other in a circle.
        definitions[name] = .free
        depth += 1
        let formula = formula(tree.root, in: tree)
        depth -= 1
        definitions[name] = formula
        return formula
    }

    /// The key that a node names, by its index.
    private mutating func key(_ node: NodeID, in tree: SyntaxTree) -> Int? {
        if let name = tree.dottedName(node) {
            if let known = numbers[name] { return known }
            guard let variable = environment.variable(named: name) else { return nil }
            return add(
                FormulaKey(
                    name: name, type: variable.type, mayBeMissing: variable.mayBeMissing,
                    allowed: variable.allowedValues, minimum: variable.minimum,
                    maximum: variable.maximum))
        }
        guard tree.kind(of: node) == .call else { return nil }
        let function = tree.name(node)
        guard let type = answers[function] ?? sumType(node, in: tree),
            environment.slotFunctions[function] != nil
        else { return nil }
        let text = tree.written(node)
        if text.isEmpty { return nil }
        // A clock that was set back has the last time of something lie ahead; sums may be negative.
        let minimum: Value? = answers[function] == .int ? .int(0) : nil
        return numbers[text] ?? add(FormulaKey(name: text, type: type, minimum: minimum))
    }

    /// The type of a call of `event_sum`, which is that of the field.
    private func sumType(_ node: NodeID, in tree: SyntaxTree) -> CELType? {
        let forms = environment.slotFunctions[tree.name(node)] ?? []
        let constants = tree.children(of: node).compactMap {
            tree.constant($0, knowsDays: environment.knowsDays)
        }
        return forms.lazy.compactMap { $0.resultOf?(constants) }.first
    }

    private mutating func add(_ key: FormulaKey) -> Int {
        numbers[key.name] = keys.count
        keys.append(key)
        return keys.count - 1
    }
}

/// The types of functions of the history that always have an answer.
private let answers: [String: CELType] = [
    "event_count": .int, "acted": .int, "since": .duration,
]

extension Environment {
    /// Returns true if a condition cannot be true while a name has no value.
    package func needsValue(of name: String, in expression: Expression) -> Bool {
        var builder = FormulaBuilder(self)
        let formula = builder.formula(expression.tree.root, in: expression.tree)
        guard let key = builder.keys.firstIndex(where: { $0.name == name }) else { return false }
        var cells = [Cell](repeating: .open, count: builder.keys.count)
        cells[key] = .missing
        return !formula.outcomes(cells, steps: &builder.steps).contains(.yes)
    }
}

extension FormulaBuilder {
    /// Returns the results of a formula for all values of the keys that it tests at least `times`
    /// times, or for enough values to find `until`. Other keys may have any value: tested once,
    /// they conflict with nothing.
    mutating func outcomes(
        _ formula: Formula, testedAtLeast times: Int, until: PossibleOutcomes
    ) -> PossibleOutcomes {
        var tests: [Int: [Formula.Test]] = [:]
        formula.forEachTest(&steps) { tests[$0, default: []].append($1) }
        let tested = tests.filter { $0.value.count >= times }.map { $0.key }.sorted()
        if tested.isEmpty { return .any }
        let choices = tested.map {
            keys[$0].cells(tests[$0, default: []].flatMap { $0.constants })
        }
        steps = max(0, steps - choices.reduce(keys.count) { $0 + $1.count })
        var cells = [Cell](repeating: .open, count: keys.count)
        var places = [Int](repeating: 0, count: tested.count)
        var all: PossibleOutcomes = []
        while true {
            for (position, key) in tested.enumerated() {
                cells[key] = choices[position][places[position]]
            }
            all.formUnion(formula.outcomes(cells, steps: &steps))
            if all.isSuperset(of: until) { return all }
            // Advances to the next combination, like a counter.
            var position = 0
            while position < tested.count, places[position] == choices[position].count - 1 {
                places[position] = 0
                position += 1
            }
            guard position < tested.count else { return all }
            places[position] += 1
        }
    }
}
