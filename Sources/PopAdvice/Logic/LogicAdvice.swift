internal import PopCEL
internal import PopSource

/// Finds parts of one condition that conflict, or of which one is always true.
///
/// Each claim is tried for all values that the constants distinguish. The number of steps is
/// limited: beyond it, nothing is reported.
struct LogicAdvice: ~Copyable {
    private let tree: SyntaxTree
    private var builder: FormulaBuilder
    private(set) var found: [Diagnostic] = []

    /// A part of `&&` or `||`.
    private struct Part {
        let node: NodeID
        let formula: Formula
    }

    init(_ tree: SyntaxTree, environment: Environment) {
        self.tree = tree
        builder = FormulaBuilder(environment)
        // A condition that is only a constant or a name isn't a mistake; in a container, names mean
        // more than is known here.
        guard tree.kind(of: tree.root) == .operation, environment.container.isEmpty else {
            return
        }
        _ = look(at: tree.root, isNeeded: true)
    }

    /// The number of steps that were taken.
    var steps: Int { CELLimits.logicSteps - builder.steps }

    /// Visits a part from the inside out; `isNeeded` if the whole may need it to be true. Returns
    /// the formula of the part; any result, if it was reported.
    private mutating func look(at node: NodeID, isNeeded: Bool) -> Formula {
        guard builder.steps > 0 else { return .free }
        builder.steps -= 1
        if let truth = constantTruth(of: node) {
            // A part that is in no string was made from a map or a list, where `true` can be
            // useful.
            let text = tree.written(node)
            if !text.isEmpty {
                let isWhole = isWhole(node)
                found.append(
                    .constantPart(text, truth: truth, isWhole: isWhole, at: tree.range(node)))
            }
            return .free
        }
        switch tree.operation(node) {
        case .and: return lookAtChain(node, isAnd: true, isNeeded: isNeeded)
        case .or: return lookAtChain(node, isAnd: false, isNeeded: false)
        case .not: return .not(look(at: tree.child(node, at: 0), isNeeded: false))
        case .conditional:
            _ = look(at: tree.child(node, at: 0), isNeeded: false)
            for branch in tree.children(of: node).dropFirst() where tree.literal(branch) == nil {
                _ = look(at: branch, isNeeded: false)
            }
            return .free
        case nil, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .add,
            .subtract, .multiply, .divide, .modulo, .negate, .index, .optionalIndex:
            return lookAtTest(node, isNeeded: isNeeded)
        }
    }

    /// Returns true if the condition is only this part, which may be negated.
    private func isWhole(_ node: NodeID) -> Bool {
        var whole = node
        while let parent = tree.parent(of: whole), tree.operation(parent) == .not {
            whole = parent
        }
        return whole == tree.root
    }

    /// Returns the result of a part that consists only of constants.
    private func constantTruth(of node: NodeID) -> Bool? {
        if case .bool(let truth)? = tree.literal(node) { return truth }
        let knowsDays = builder.environment.knowsDays
        guard let operation = tree.operation(node), tree.childCount(node) == 2,
            let left = tree.constant(tree.child(node, at: 0), knowsDays: knowsDays),
            let right = tree.constant(tree.child(node, at: 1), knowsDays: knowsDays)
        else { return nil }
        return left.holds(operation, other: right)
    }

    /// A comparison may be decided by the declared bounds.
    private mutating func lookAtTest(_ node: NodeID, isNeeded: Bool) -> Formula {
        let formula = builder.formula(node, in: tree)
        guard case .test(let number, .compared) = formula else { return formula }
        let key = builder.keys[number]
        guard key.minimum != nil || key.maximum != nil else { return formula }
        let outcomes = builder.outcomes(formula, testedAtLeast: 1, until: [.yes, .no])
        if outcomes.isSuperset(of: [.yes, .no]) { return formula }
        let variable = builder.environment.variable(named: key.name)
        let place = variable?.declaredAt
        var diagnostic = Diagnostic.decidedByBounds(
            key, outcomes: outcomes, at: tree.range(node),
            declaredAt: variable?.isCounted ?? false ? nil : place)
        // Undeclared facts, such as that counts are not negative, were perhaps not known to the
        // author.
        if isNeeded, place != nil, !outcomes.contains(.yes) { diagnostic.level = .error }
        found.append(diagnostic)
        return .free
    }

    /// `&&` that never holds, or `||` that always does.
    private mutating func lookAtChain(_ node: NodeID, isAnd: Bool, isNeeded: Bool) -> Formula {
        var parts: [Part] = []
        for operand in flattened(node, operation: tree.operator(of: node)) {
            parts.append(Part(node: operand, formula: look(at: operand, isNeeded: isNeeded)))
        }
        for group in groups(parts) where lookAtGroup(group, isAnd: isAnd, isNeeded: isNeeded) {
            return .free
        }
        return Self.joined(parts, isAnd: isAnd)
    }

    private func flattened(_ node: NodeID, operation: Operator) -> [NodeID] {
        tree.children(of: node).flatMap { child in
            tree.operation(child) == operation ? flattened(child, operation: operation) : [child]
        }
    }

    private static func joined(_ parts: [Part], isAnd: Bool) -> Formula {
        isAnd ? .all(parts.map { $0.formula }) : .any(parts.map { $0.formula })
    }

    /// The parts that are about one thing only, and when some are about several, all together.
    private mutating func groups(_ parts: [Part]) -> [[Part]] {
        var groups: [[Part]] = []
        var positions: [Int: Int] = [:]
        var others = 0
        var testing: [Part] = []
        for part in parts {
            var keys: Set<Int> = []
            part.formula.forEachTest(&builder.steps) { key, _ in keys.insert(key) }
            guard let key = keys.first else { continue }
            testing.append(part)
            guard keys.count == 1 else {
                others += 1
                continue
            }
            let position = positions[key] ?? groups.count
            if position == groups.count { groups.append([]) }
            positions[key] = position
            groups[position].append(part)
        }
        return (others > 0 ? groups + [testing] : groups).filter { $0.count > 1 }
    }

    /// Returns whether some parts conflict, or one of them is always true, and reports them.
    private mutating func lookAtGroup(_ parts: [Part], isAnd: Bool, isNeeded: Bool) -> Bool {
        guard let whole = decision(parts, isAnd: isAnd) else { return false }
        // The result of a single part is reported where it is defined.
        for part in parts where decision([part], isAnd: isAnd, testedAtLeast: 1) != nil {
            return true
        }
        for (position, right) in parts.enumerated() {
            for left in parts[..<position] {
                guard let outcomes = decision([left, right], isAnd: isAnd) else { continue }
                let other = decision([left, right], isAnd: !isAnd)
                guard
                    var clash = clash(
                        left.node, right.node, isAnd: isAnd, mayFail: outcomes.contains(.error),
                        isOtherDecided: isAnd
                            ? other == .yes : other != nil && !outcomes.contains(.error))
                else { continue }
                if isNeeded, isComparison(left.node), isComparison(right.node) {
                    clash.level = .error
                }
                if clash.help.isEmpty, isAnd { clash.help = helpOnSeveral(parts) }
                if clash.help.isEmpty { clash.help = [helpOnTwo(isAnd: isAnd)] }
                found.append(clash)
                return true
            }
        }
        guard isAnd || whole == .yes else { return false }
        found.append(.clashOfAll(isAnd, ranges: parts.map { tree.range($0.node) }))
        return true
    }

    /// Returns the result of parts that are never true together, or of which one is always true
    /// unless it fails; nil for others.
    private mutating func decision(
        _ parts: [Part], isAnd: Bool, testedAtLeast times: Int = 2
    ) -> PossibleOutcomes? {
        let outcomes = builder.outcomes(
            Self.joined(parts, isAnd: isAnd), testedAtLeast: times, until: isAnd ? .yes : .no)
        let isDecided = isAnd ? !outcomes.contains(.yes) : !outcomes.contains(.no)
        return isDecided ? outcomes : nil
    }
}

// MARK: Wording

extension LogicAdvice {
    /// Returns a diagnostic that two parts conflict, or that one of them is always true; nil if
    /// that isn't certain.
    private func clash(
        _ left: NodeID, _ right: NodeID, isAnd: Bool, mayFail: Bool, isOtherDecided: Bool
    ) -> Diagnostic? {
        var message =
            isAnd
            ? "two parts of the condition can never both be true"
            : "two parts that are joined by `||` are never both false"
        if let first = fact(left), let second = fact(right), first.key == second.key {
            let key = first.key
            message =
                isAnd
                ? "`\(key)` cannot be `\(first.text)` and `\(second.text)` at the same time"
                : "`\(first.test) || \(second.test)` is true for every value of `\(key)`"
        } else if !isAnd, mayFail {
            return nil
        }
        var diagnostic = Diagnostic(
            isAnd ? .logicNeverTrue : .logicAlwaysTrue, message: message, at: tree.range(right),
            label: isAnd
                ? "never true together with the other part"
                : "true whenever the other part is false",
            secondary: [.init("the other part", at: tree.range(left))])
        offerOther(
            left, right, isAnd: isAnd, isOtherDecided: isOtherDecided, to: &diagnostic)
        return diagnostic
    }

    /// `&&` where `||` was meant, or the other way round, unless the result of that is decided too:
    /// `plan == "free" || plan == "pro"` is always true if these are all values.
    private func offerOther(
        _ left: NodeID, _ right: NodeID, isAnd: Bool, isOtherDecided: Bool,
        to diagnostic: inout Diagnostic
    ) {
        let operation: Operator = isAnd ? .equal : .notEqual
        guard found.count < CELLimits.offers, tree.operation(left) == operation,
            tree.operation(right) == operation, !tree.written(left).isEmpty,
            let parent = tree.parent(of: right), tree.parent(of: left) == parent,
            tree.childCount(parent) == 2
        else { return }
        if isOtherDecided {
            diagnostic.help = [
                isAnd
                    ? "if users need to meet only one of the two parts, remove both parts, because"
                        + " every user meets at least one of them"
                    : "remove both parts, because for every value, at least one of the two parts is"
                        + " true"
            ]
            return
        }
        let sign = isAnd ? "||" : "&&"
        let text = "\(tree.written(left)) \(sign) \(tree.written(right))"
        diagnostic.offer(
            isAnd ? "if one of the two parts is enough" : "if neither value is allowed",
            rewriting: tree.rewriting([(parent, tree.fitted(text, isOperation: true, in: parent))]),
            isSafe: false)
    }

    /// Returns help on two parts that conflict, or of which one is always true.
    private func helpOnTwo(isAnd: Bool) -> String {
        isAnd
            ? "correct or remove one of the two parts; if one of them is enough, join them with"
                + " `||`, or with `any` in a map"
            : "correct one of the two parts, or remove both parts, because for every value, at"
                + " least one of the two parts is true"
    }

    /// Returns how to check for one of several values, if each part compares a key with a string.
    private func helpOnSeveral(_ parts: [Part]) -> [String] {
        let facts = parts.compactMap { part -> (key: String, value: String)? in
            guard tree.operation(part.node) == .equal, let fact = fact(part.node) else {
                return nil
            }
            let sides = [0, 1].map { tree.child(part.node, at: $0) }
            guard let literal = sides.first(where: { tree.literal($0) != nil }) else { return nil }
            return (fact.key, tree.literal(literal)?.description ?? "")
        }
        guard facts.count == parts.count, facts.count <= 10, Set(facts.map(\.key)).count == 1
        else { return [] }
        let values = facts.map(\.value).joined(separator: ", ")
        return ["if one of these values is enough: `\(facts[0].key) in [\(values)]`"]
    }

    private func isComparison(_ node: NodeID) -> Bool {
        guard let operation = tree.operation(node) else { return false }
        return operation.isOrdering || operation == .equal || operation == .notEqual
            || operation == .in
    }

    /// Returns the key of a comparison, the rest in short, such as `pro` or `> 3`, and the whole
    /// comparison with the key on the left.
    private func fact(_ node: NodeID) -> (key: String, text: String, test: String)? {
        guard let operation = tree.operation(node), tree.childCount(node) == 2,
            operation.isOrdering || operation == .equal || operation == .notEqual
        else { return nil }
        let (left, right) = (tree.child(node, at: 0), tree.child(node, at: 1))
        let isMirrored = tree.dottedName(left) == nil
        guard let key = tree.dottedName(isMirrored ? right : left) else { return nil }
        let value = isMirrored ? left : right
        let text =
            switch tree.literal(value) {
            case .string(let text)? where !text.isEmpty && operation == .equal: text
            case let literal?: literal.description
            case nil: tree.written(value)
            }
        let sign = (isMirrored ? operation.mirrored : operation).symbol
        let whole = tree.literal(value)?.description ?? tree.written(value)
        return (
            key, operation == .equal ? text : "\(sign) \(text)", "\(key) \(sign) \(whole)"
        )
    }
}

extension Diagnostic {
    fileprivate static func constantPart(
        _ text: String, truth: Bool, isWhole: Bool, at range: SourceRange
    ) -> Self {
        Diagnostic(
            truth ? .logicAlwaysTrue : .logicNeverTrue,
            message: "`\(text)` is \(truth ? "always" : "never") true",
            at: range, label: "does not depend on any key",
            help: [
                isWhole
                    ? "use a condition that depends on a context key, or remove the condition,"
                        + " because the condition is the same for all users"
                    : "remove `\(text)` from the condition, because `\(text)` is the same for all"
                        + " users"
            ])
    }

    fileprivate static func decidedByBounds(
        _ key: FormulaKey, outcomes: PossibleOutcomes, at range: SourceRange,
        declaredAt place: SourceRange?
    ) -> Self {
        let isNever = !outcomes.contains(.yes)
        let bounds = [
            key.minimum.map { "at least `\($0)`" }, key.maximum.map { "at most `\($0)`" },
        ].compactMap { $0 }.joined(separator: " and ")
        let claim =
            isNever
            ? "never true"
            : outcomes.contains(.error) ? "true whenever `\(key.name)` has a value" : "always true"
        var diagnostic = Diagnostic(
            isNever ? .logicNeverTrue : .logicAlwaysTrue,
            message: "`\(key.name)` is \(bounds), so the comparison is \(claim)", at: range,
            label: claim)
        if let place {
            diagnostic.secondary = [
                .init("the bounds of `\(key.name)` are declared here", at: place)
            ]
        }
        diagnostic.help = [
            "correct the value that is compared with `\(key.name)`, or remove the comparison"
        ]
        return diagnostic
    }

    fileprivate static func clashOfAll(_ isAnd: Bool, ranges: [SourceRange]) -> Self {
        let count = ranges.count
        return Diagnostic(
            isAnd ? .logicNeverTrue : .logicAlwaysTrue,
            message: isAnd
                ? "several parts of the condition can never all be true"
                : "several parts that are joined by `||` are never all false",
            at: ranges[count - 1],
            label: "part \(count) of \(count), which are never all \(isAnd ? "true" : "false")",
            secondary: ranges.dropLast().prefix(8).enumerated().map {
                .init("part \($0.offset + 1) of \(count)", at: $0.element)
            })
    }
}
