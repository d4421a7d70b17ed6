public import PopCEL
public import PopSource

extension Logic {
    /// Returns the parts that prevent conditions from being true together while none of the others
    /// is true; nil if they can be, or if this isn't known.
    public mutating func clash(
        of conditions: [Program], unless others: [Program] = []
    ) -> UnsatCore? {
        guard isNever(conditions, unless: others) else { return nil }
        var parts: [UnsatCore.Part] = []
        for (place, condition) in conditions.enumerated() {
            let reading = PartReading(condition: condition, place: place, isForbidden: false)
            collect(condition.expression.tree.root, reading, into: &parts)
        }
        for (place, condition) in others.enumerated() where condition.isBounded {
            let reading = PartReading(
                condition: condition, place: conditions.count + place, isForbidden: true)
            collect(condition.expression.tree.root, reading, into: &parts)
        }
        let diagrams = diagrams(of: parts)
        guard isNever(Array(parts.indices), diagrams) else { return nil }
        var kept = smallest(parts.indices.reversed()) { logic, left in
            logic.isNever(left.sorted(), diagrams)
        }.sorted()
        var isSmallest = kept.count <= 1
        if parts.count <= limits.smallestParts {
            let understood = parts.map { isUnderstood($0) }
            (kept, isSmallest) = smallest(notLargerThan: kept, diagrams, understood)
        }
        return UnsatCore(parts: kept.map { parts[$0] }, isSmallest: isSmallest)
    }

    /// Returns true if conditions are certainly never true together while none of the others is
    /// true.
    private mutating func isNever(_ conditions: [Program], unless others: [Program]) -> Bool {
        var joined = DecisionDiagram.always
        for condition in conditions {
            let meaning = meaning(of: condition)
            joined = arena.and(joined, meaning.yes)
        }
        for condition in others where condition.isBounded {
            let meaning = meaning(of: condition)
            joined = arena.subtracting(meaning.yes, from: joined)
        }
        return !canBe(joined)
    }

    /// Returns the diagrams of parts, one condition after the other, because a condition is read
    /// again for the first of its parts.
    private mutating func diagrams(of parts: [UnsatCore.Part]) -> [DecisionDiagram] {
        var diagrams = Array(repeating: DecisionDiagram.never, count: parts.count)
        var conditions: [ObjectIdentifier: [Int]] = [:]
        for (place, part) in parts.enumerated() {
            let tree = ObjectIdentifier(part.condition.expression.tree)
            conditions[tree, default: []].append(place)
        }
        let inOrder = conditions.values.sorted { ($0.first ?? 0) < ($1.first ?? 0) }
        for place in inOrder.joined() { diagrams[place] = diagram(of: parts[place]) }
        return diagrams
    }

    private mutating func diagram(of part: UnsatCore.Part) -> DecisionDiagram {
        let meaning = meaning(of: translator.term(of: part.node, in: part.condition))
        let diagram = part.isNegated ? meaning.no : meaning.yes
        return part.isForbidden ? arena.not(diagram) : diagram
    }

    /// The context in which parts are collected.
    private struct PartReading {
        var condition: Program
        var place: Int
        var isForbidden: Bool
        var isNegated = false
        var names: [String] = []
        var use: SourceRange?
    }

    private func collect(
        _ node: NodeID, _ reading: PartReading, into parts: inout [UnsatCore.Part]
    ) {
        let tree = reading.condition.expression.tree
        let isJoint: Operator = reading.isForbidden == reading.isNegated ? .and : .or
        if tree.operation(node) == isJoint {
            for child in tree.children(of: node) { collect(child, reading, into: &parts) }
            return
        }
        if tree.operation(node) == .not {
            let child = tree.child(node, at: 0)
            if isDivided(child, reading) {
                var inside = reading
                inside.isNegated.toggle()
                collect(child, inside, into: &parts)
                return
            }
        } else if let definition = definition(node, reading), let name = tree.dottedName(node) {
            var inside = reading
            inside.condition = definition
            inside.names.append(name)
            inside.use = reading.use ?? tree.range(node)
            collect(definition.expression.tree.root, inside, into: &parts)
            return
        }
        parts.append(
            UnsatCore.Part(
                condition: reading.condition, names: reading.names, place: reading.place,
                isNegated: reading.isNegated, isForbidden: reading.isForbidden,
                use: reading.use ?? tree.range(node), node: node))
    }

    /// Returns true if the operand of a `!` has parts of its own.
    private func isDivided(_ node: NodeID, _ reading: PartReading) -> Bool {
        let tree = reading.condition.expression.tree
        return [.and, .or, .not].contains(tree.operation(node))
            || definition(node, reading) != nil
    }

    private func definition(_ node: NodeID, _ reading: PartReading) -> Program? {
        guard reading.names.count < limits.definitions,
            let name = reading.condition.expression.tree.dottedName(node)
        else { return nil }
        return declarations.definition(name)
    }

    /// Returns true if some parts certainly clash.
    private mutating func isNever(_ parts: [Int], _ diagrams: [DecisionDiagram]) -> Bool {
        if case .none = search(parts, diagrams) { return true }
        return false
    }

    /// Searches for a user who meets some parts together.
    private mutating func search(_ parts: [Int], _ diagrams: [DecisionDiagram]) -> Search {
        let joined = arena.conjunction(of: parts.map { diagrams[$0] })
        return search(joined, accepts: { _ in true })
    }

    /// Returns true if everything that a part reads is known. For unknown parts, the search finds
    /// values that may be impossible.
    private mutating func isUnderstood(_ part: UnsatCore.Part) -> Bool {
        let term = translator.term(of: part.node, in: part.condition)
        return translator.terms.variables(of: term).allSatisfy { variable in
            if case .free = variables[variable].kind { false } else { true }
        }
    }

    /// Returns the smallest set of clashing parts, at most as many as `known`, and whether a user
    /// was found for every smaller set.
    private mutating func smallest(
        notLargerThan known: [Int], _ diagrams: [DecisionDiagram], _ understood: [Bool]
    ) -> (parts: [Int], isCertain: Bool) {
        var isCertain = true
        for size in 1..<max(1, known.count) {
            var chosen = Array(0..<size)
            while true {
                switch search(chosen, diagrams) {
                case .none: return (chosen, isCertain)
                case .found: isCertain = isCertain && chosen.allSatisfy { understood[$0] }
                case .notKnown: isCertain = false
                }
                // Move on to the next choice of the same size.
                guard
                    let last = chosen.indices.last(where: {
                        chosen[$0] < diagrams.count - size + $0
                    })
                else { break }
                chosen[last] += 1
                for place in chosen.indices where place > last {
                    chosen[place] = chosen[place - 1] + 1
                }
            }
        }
        return (known, isCertain)
    }
}

// Parts of conditions without an effect.
extension Logic {
    /// A part of a condition that can be removed without changing the result for any user.
    public struct IdlePart: Sendable {
        /// The place of the part.
        public let range: SourceRange
        /// The source of the part as its author wrote it.
        public let text: String
        /// True if the part is true whenever its neighbors are; if not, the part is false whenever
        /// they are.
        public let isTrue: Bool
        /// The single neighboring part that makes this part idle, if one is enough.
        public let reason: Reason?

        /// The reason why a part has no effect.
        public struct Reason: Sendable {
            /// The place of the other part.
            public let range: SourceRange
            /// The source of the other part as its author wrote it.
            public let text: String
            /// The relation that makes the part idle.
            public let kind: Kind

            /// The ways in which one part makes another one idle.
            public enum Kind: Sendable, Hashable {
                /// One part implies the other.
                case says
                /// The two are never true together.
                case clash
                /// The part is evaluated only if the other one is false, and is always true then.
                case leaves
            }
        }
    }

    /// Returns the parts without which a condition is true, is false, and fails for the same users.
    /// If two parts are equivalent, the last one is returned. A condition that is never or always
    /// true has no such parts.
    ///
    /// Returns no parts for a condition with more parts than `comparedParts`.
    public mutating func idleParts(of condition: Program) -> [IdlePart] {
        var joined = joinedParts(of: condition)
        let whole = joined.whole
        guard canBe(whole.yes), canBe(arena.not(whole.yes)) else { return [] }
        let operands = joined.operands
        guard operands.count <= limits.comparedParts else {
            cutShort()
            return []
        }
        var found: [IdlePart] = []
        for (node, truth) in operands where !joined.isInsideOfTaken(node) {
            if isExhausted { break }
            let changes = meanings(of: joined, taking: node, as: truth)
            guard let other = changes.last?.meaning, isSame(whole.yes, other.yes),
                isSame(whole.no, other.no)
            else { continue }
            joined.take(node, changes)
            found.append(
                IdlePart(
                    range: joined.tree.range(node), text: condition.expression.text(of: node),
                    isTrue: truth, reason: reason(for: node, truth, in: joined, condition)))
        }
        return found.reversed()
    }

    /// Returns the `&&` operands of a condition that another condition, which must be true together
    /// with it, already implies. Operands that prevent other parts from failing are left out.
    ///
    /// Returns no parts for a condition with more parts than `comparedParts`.
    public mutating func idleParts(
        of condition: Program, beside other: Program
    ) -> [IdlePart] {
        guard condition.isBounded else { return [] }
        let given = meaning(of: other).yes
        let joined = joinedParts(of: condition)
        let parts = joined.tree.conjuncts
        guard parts.count > 1, canBe(given) else { return [] }
        guard parts.count <= limits.comparedParts else {
            cutShort()
            return []
        }
        var found: [IdlePart] = []
        for node in parts {
            guard let part = joined.meanings[node]?.yes,
                !canBe(arena.subtracting(part, from: given)), !guards(node, in: joined)
            else { continue }
            found.append(
                IdlePart(
                    range: joined.tree.range(node), text: condition.expression.text(of: node),
                    isTrue: true, reason: nil))
        }
        return found
    }

    /// Returns true if a condition would fail for more users without one of its parts.
    private mutating func guards(_ node: NodeID, in joined: JoinedParts) -> Bool {
        guard let other = meanings(of: joined, taking: node, as: true).last?.meaning else {
            return true
        }
        let decided = arena.or(joined.whole.yes, joined.whole.no)
        let left = arena.or(other.yes, other.no)
        return canBe(arena.subtracting(left, from: decided))
    }

    /// Returns the part next to another one, or next to a part that contains it, that makes it
    /// idle, regardless of where that other part fails.
    private mutating func reason(
        for node: NodeID, _ isTrue: Bool, in joined: JoinedParts, _ condition: Program
    ) -> IdlePart.Reason? {
        let tree = joined.tree
        guard let own = joined.written[node] else { return nil }
        var inner = node
        while let outer = joined.parents[inner] {
            let operation = tree.operation(outer)
            guard operation == .and || operation == .or else { return nil }
            for other in tree.children(of: outer)
            where other != inner && !joined.taken.contains(other) {
                guard !isExhausted, let beside = joined.written[other] else { continue }
                let kind: IdlePart.Reason.Kind
                // Diagrams that must contain no users.
                let left: [DecisionDiagram]
                switch (isTrue, operation == .and) {
                case (true, true):
                    // A guard isn't implied by a part that fails without the guard.
                    (kind, left) = (
                        .says,
                        [
                            arena.subtracting(own.yes, from: beside.yes),
                            arena.subtracting(beside.no, from: own.no),
                        ]
                    )
                case (false, false):
                    (kind, left) = (.says, [arena.subtracting(beside.yes, from: own.yes)])
                case (false, true): (kind, left) = (.clash, [arena.and(own.yes, beside.yes)])
                case (true, false):
                    (kind, left) = (.leaves, [arena.subtracting(own.yes, from: beside.no)])
                }
                if left.allSatisfy({ !canBe($0) }) {
                    return IdlePart.Reason(
                        range: tree.range(other), text: condition.expression.text(of: other),
                        kind: kind)
                }
            }
            inner = outer
        }
        return nil
    }

    /// Returns true if a diagram may contain users.
    mutating func canBe(_ diagram: DecisionDiagram) -> Bool {
        if diagram == .never, !isExhausted { return false }
        if case .none = search(diagram, accepts: { _ in true }) { return false }
        return true
    }

    private mutating func isSame(_ one: DecisionDiagram, _ other: DecisionDiagram) -> Bool {
        one == other
            || !canBe(arena.subtracting(one, from: other))
                && !canBe(arena.subtracting(other, from: one))
    }
}

/// The parts that `&&`, `||`, `!` and `?:` join in a condition, with their results.
private struct JoinedParts {
    let tree: SyntaxTree
    /// The results of the parts as written, and with some parts replaced by true or false.
    private(set) var written: [NodeID: Logic.Meaning] = [:]
    private(set) var meanings: [NodeID: Logic.Meaning] = [:]
    private(set) var parents: [NodeID: NodeID] = [:]
    /// The parts that are replaced by true or false.
    private(set) var taken: Set<NodeID> = []

    init(_ tree: SyntaxTree) { self.tree = tree }

    var whole: Logic.Meaning {
        meanings[tree.root] ?? Logic.Meaning(yes: .never, no: .never)
    }

    func isJoining(_ node: NodeID) -> Bool {
        switch tree.operation(node) {
        case .and?, .or?, .not?, .conditional?: true
        case nil, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .add,
            .subtract, .multiply, .divide, .modulo, .negate, .index, .optionalIndex:
            false
        }
    }

    /// Returns all parts, each after the part that contains it.
    mutating func findParts() -> [NodeID] {
        var found: [NodeID] = []
        var pending = [tree.root]
        while let node = pending.popLast() {
            found.append(node)
            guard isJoining(node) else { continue }
            for child in tree.children(of: node) {
                parents[child] = node
                pending.append(child)
            }
        }
        return found
    }

    mutating func note(_ node: NodeID, _ meaning: Logic.Meaning) {
        meanings[node] = meaning
        written[node] = meaning
    }

    /// The operands of `&&` and `||`, outer and last ones first, each with the constant that has no
    /// effect there.
    var operands: [(NodeID, Bool)] {
        var found: [(NodeID, Bool)] = []
        var pending = [tree.root]
        while let node = pending.popLast() {
            guard isJoining(node) else { continue }
            let children = Array(tree.children(of: node))
            let operation = tree.operation(node)
            if operation == .and || operation == .or {
                for child in children.reversed() { found.append((child, operation == .and)) }
            }
            pending += children
        }
        return found
    }

    /// Returns true if a part is inside one that is replaced by true or false.
    func isInsideOfTaken(_ node: NodeID) -> Bool {
        var inner = node
        while let outer = parents[inner] {
            if taken.contains(outer) { return true }
            inner = outer
        }
        return false
    }

    /// Replaces a part by true or false, with the results that change by this.
    mutating func take(_ node: NodeID, _ changes: [(node: NodeID, meaning: Logic.Meaning)]) {
        taken.insert(node)
        for (node, meaning) in changes { meanings[node] = meaning }
    }
}

extension Logic {
    private mutating func joinedParts(of condition: Program) -> JoinedParts {
        // The known facts about the history depend on all entries that are read.
        _ = meaning(of: condition)
        var joined = JoinedParts(condition.expression.tree)
        for node in joined.findParts().reversed() {
            if joined.isJoining(node) {
                joined.note(node, meaning(of: node, in: joined, but: nil))
            } else {
                joined.note(node, meaning(of: translator.term(of: node, in: condition)))
            }
        }
        return joined
    }

    /// Returns the results of a part that is replaced by true or false and of all parts that
    /// contain it. The innermost part comes first and the whole last.
    private mutating func meanings(
        of joined: JoinedParts, taking node: NodeID, as truth: Bool
    ) -> [(node: NodeID, meaning: Meaning)] {
        let taken = Meaning(yes: truth ? .always : .never, no: truth ? .never : .always)
        var changes = [(node: node, meaning: taken)]
        var (inner, meaning) = (node, taken)
        while let outer = joined.parents[inner] {
            meaning = self.meaning(of: outer, in: joined, but: (inner, meaning))
            changes.append((node: outer, meaning: meaning))
            inner = outer
        }
        return changes
    }

    /// Returns the result of a part that joins others, one of which may have a different result.
    private mutating func meaning(
        of node: NodeID, in joined: JoinedParts, but other: (node: NodeID, meaning: Meaning)?
    ) -> Meaning {
        let nobody = Meaning(yes: .never, no: .never)
        let parts = joined.tree.children(of: node).map { child in
            if let other, other.node == child { return other.meaning }
            return joined.meanings[child] ?? nobody
        }
        meter.take(parts.count)
        switch joined.tree.operation(node) {
        case .and?: return all(parts)
        case .or?: return any(parts)
        case .not?: return Meaning(yes: parts[0].no, no: parts[0].yes)
        case .conditional?: return choice(parts[0], parts[1], parts[2])
        case nil, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .add,
            .subtract, .multiply, .divide, .modulo, .negate, .index, .optionalIndex:
            return nobody
        }
    }
}
