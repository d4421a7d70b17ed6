public import PopCEL
public import PopSource

/// Parts of conditions that cannot hold at once, none of which could be left out.
public struct Clash: Sendable {
    /// A part: a condition, or what one joins by `&&`, those with a name included.
    public struct Part: Sendable {
        /// The condition that it stands in.
        public let condition: Program
        /// The conditions with a name by which it was reached, outermost first.
        public let names: [String]
        /// Which of the conditions that were asked about it belongs to, those that must not be true
        /// behind the others.
        public let place: Int
        /// Whether it must be false instead of true; not of one that is written with `!`.
        public let isNegated: Bool
        /// Whether it stands in a condition that must not be true.
        public let isForbidden: Bool
        /// Where it stands, or the first of the names by which it was reached.
        public let use: SourceRange
        package let node: NodeID

        /// Where it stands.
        public var range: SourceRange { condition.expression.tree.range(node) }
        /// As its author wrote it.
        public var text: String { condition.expression.text(of: node) }
    }

    /// In the order of the conditions.
    public let parts: [Part]
    /// Whether fewer parts certainly do not clash.
    public let isSmallest: Bool
}

extension Logic {
    /// The parts that keep conditions from being true together, and while none of some others is;
    /// nil when they may be, or when it is not known.
    public mutating func clash(
        of conditions: [Program], unless others: [Program] = []
    ) -> Clash? {
        guard isNever(conditions, unless: others) else { return nil }
        var parts: [Clash.Part] = []
        for (place, condition) in conditions.enumerated() {
            let reading = PartReading(condition: condition, place: place, isForbidden: false)
            collect(condition.expression.tree.root, reading, into: &parts)
        }
        for (place, condition) in others.enumerated() where condition.isBounded {
            let reading = PartReading(
                condition: condition, place: conditions.count + place, isForbidden: true)
            collect(condition.expression.tree.root, reading, into: &parts)
        }
        let diagrams = parts.map { diagram(of: $0) }
        facts.update(variables, declarations)
        var kept = Array(parts.indices)
        guard isNever(kept, diagrams) else { return nil }
        for part in parts.indices.reversed() where kept.count > 1 {
            let fewer = kept.filter { $0 != part }
            if isNever(fewer, diagrams) { kept = fewer }
        }
        var isSmallest = kept.count <= 1
        if parts.count <= limits.smallestParts {
            let understood = parts.map { isUnderstood($0) }
            (kept, isSmallest) = smallest(notLargerThan: kept, diagrams, understood)
        }
        return Clash(parts: kept.map { parts[$0] }, isSmallest: isSmallest)
    }

    /// Whether conditions certainly are never true together while none of some others is.
    private mutating func isNever(_ conditions: [Program], unless others: [Program]) -> Bool {
        var joined = Diagram.always
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

    private mutating func diagram(of part: Clash.Part) -> Diagram {
        let meaning = meaning(of: translator.term(of: part.node, in: part.condition))
        let diagram = part.isNegated ? meaning.no : meaning.yes
        return part.isForbidden ? arena.not(diagram) : diagram
    }

    /// Where parts are looked for.
    private struct PartReading {
        var condition: Program
        var place: Int
        var isForbidden: Bool
        var isNegated = false
        var names: [String] = []
        var use: SourceRange?
    }

    private func collect(
        _ node: NodeID, _ reading: PartReading, into parts: inout [Clash.Part]
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
            Clash.Part(
                condition: reading.condition, names: reading.names, place: reading.place,
                isNegated: reading.isNegated, isForbidden: reading.isForbidden,
                use: reading.use ?? tree.range(node), node: node))
    }

    /// Whether what is behind a `!` has parts of its own.
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

    /// Whether some parts certainly clash.
    private mutating func isNever(_ parts: [Int], _ diagrams: [Diagram]) -> Bool {
        if case .none = search(parts, diagrams) { return true }
        return false
    }

    /// Somebody for whom some parts hold together.
    private mutating func search(_ parts: [Int], _ diagrams: [Diagram]) -> Search {
        var joined = Diagram.always
        for part in parts { joined = arena.and(joined, diagrams[part]) }
        return search(joined, accepts: { _ in true })
    }

    /// Whether all that a part reads is known: for the rest values are found that it may not have.
    private mutating func isUnderstood(_ part: Clash.Part) -> Bool {
        let term = translator.term(of: part.node, in: part.condition)
        return translator.terms.variables(of: term).allSatisfy { variable in
            if case .free = variables[variable].kind { false } else { true }
        }
    }

    /// As few parts that clash as there are, those that are known to at most; and whether somebody
    /// was found for every fewer ones.
    private mutating func smallest(
        notLargerThan known: [Int], _ diagrams: [Diagram], _ understood: [Bool]
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
                // To the next choice of so many.
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

// MARK: Parts that change nothing

extension Logic {
    /// A part of a condition without which it comes to the same, whoever it is about.
    public struct IdlePart: Sendable {
        /// Where it stands.
        public let range: SourceRange
        /// As its author wrote it.
        public let text: String
        /// Whether it is true whenever what stands beside it is; otherwise it is false whenever
        /// that is.
        public let isTrue: Bool
        /// The one part beside it that makes it so, where one is enough.
        public let reason: Reason?
        package let node: NodeID

        /// What makes a part change nothing.
        public struct Reason: Sendable {
            /// Where it stands.
            public let range: SourceRange
            /// As its author wrote it.
            public let text: String
            /// Whether the two are never true together; otherwise one says the other.
            public let isClash: Bool
        }
    }

    /// Parts without which a condition is true, false and fails for the same people; of two that
    /// say the same the last one. Without what is never or always true, which has no such parts.
    public mutating func idleParts(of condition: Program) -> [IdlePart] {
        let tree = condition.expression.tree
        let root = tree.root
        let whole = meaning(of: translator.term(of: root, in: condition))
        guard canBe(whole.yes), canBe(arena.not(whole.yes)) else { return [] }
        var taken: [NodeID: Bool] = [:]
        var found: [IdlePart] = []
        for (node, truth) in operands(tree, root) where !isInside(found, node, tree) {
            var more = taken
            more[node] = truth
            let other = meaning(of: translator.term(of: root, in: condition, taking: more))
            guard isSame(whole.yes, other.yes), isSame(whole.no, other.no) else { continue }
            taken = more
            found.append(
                IdlePart(
                    range: tree.range(node), text: condition.expression.text(of: node),
                    isTrue: truth, reason: reason(for: node, truth, in: condition, taken: more),
                    node: node))
        }
        return found.reversed()
    }

    /// What a condition joins by `&&` that another one, which is to be true with it, says already;
    /// without what keeps other parts from failing.
    public mutating func idleParts(
        of condition: Program, beside other: Program
    ) -> [IdlePart] {
        guard condition.isBounded else { return [] }
        let tree = condition.expression.tree
        let given = meaning(of: other).yes
        guard tree.operation(tree.root) == .and, canBe(given) else { return [] }
        var found: [IdlePart] = []
        var pending = [tree.root]
        while let node = pending.popLast() {
            if tree.operation(node) == .and {
                pending += tree.children(of: node).reversed()
                continue
            }
            let part = meaning(of: translator.term(of: node, in: condition)).yes
            guard !canBe(arena.subtracting(part, from: given)),
                !guards(node, in: condition)
            else { continue }
            found.append(
                IdlePart(
                    range: tree.range(node), text: condition.expression.text(of: node),
                    isTrue: true, reason: nil, node: node))
        }
        return found
    }

    /// Whether a condition would fail for more without a part of it.
    private mutating func guards(_ node: NodeID, in condition: Program) -> Bool {
        let root = condition.expression.tree.root
        let whole = meaning(of: translator.term(of: root, in: condition))
        let other = meaning(of: translator.term(of: root, in: condition, taking: [node: true]))
        let decided = arena.or(whole.yes, whole.no)
        let left = arena.or(other.yes, other.no)
        return canBe(arena.subtracting(left, from: decided))
    }

    /// The part beside another one, or beside what that stands in, that makes it change nothing.
    private mutating func reason(
        for node: NodeID, _ isTrue: Bool, in condition: Program, taken: [NodeID: Bool]
    ) -> IdlePart.Reason? {
        let tree = condition.expression.tree
        let own = meaning(of: translator.term(of: node, in: condition)).yes
        var inner = node
        while let outer = tree.parent(of: inner) {
            let operation = tree.operation(outer)
            guard operation == .and || operation == .or else { return nil }
            for other in tree.children(of: outer) where other != inner && taken[other] == nil {
                let beside = meaning(of: translator.term(of: other, in: condition)).yes
                let isClash = !isTrue && operation == .and
                let left: Diagram
                switch (isTrue, operation == .and) {
                case (true, true): left = arena.subtracting(own, from: beside)
                case (false, false): left = arena.subtracting(beside, from: own)
                case (false, true): left = arena.and(own, beside)
                case (true, false): continue
                }
                if !canBe(left) {
                    return IdlePart.Reason(
                        range: tree.range(other), text: condition.expression.text(of: other),
                        isClash: isClash)
                }
            }
            inner = outer
        }
        return nil
    }

    /// What `&&` and `||` join, outer parts and last ones first; with what changes nothing there.
    private func operands(_ tree: SyntaxTree, _ root: NodeID) -> [(NodeID, Bool)] {
        var found: [(NodeID, Bool)] = []
        var pending = [root]
        while let node = pending.popLast() {
            let children = Array(tree.children(of: node))
            switch tree.operation(node) {
            case .and?, .or?:
                let isAnd = tree.operation(node) == .and
                for child in children.reversed() { found.append((child, isAnd)) }
                pending += children
            case .not?, .conditional?: pending += children
            case nil, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .add,
                .subtract, .multiply, .divide, .modulo, .negate, .index, .optionalIndex:
                break
            }
        }
        return found
    }

    private func isInside(_ parts: [IdlePart], _ node: NodeID, _ tree: SyntaxTree) -> Bool {
        parts.contains { part in
            var pending = [part.node]
            while let next = pending.popLast() {
                if next == node { return true }
                pending += tree.children(of: next)
            }
            return false
        }
    }

    private mutating func canBe(_ diagram: Diagram) -> Bool {
        if case .none = search(diagram, accepts: { _ in true }) { return false }
        return true
    }

    private mutating func isSame(_ one: Diagram, _ other: Diagram) -> Bool {
        !canBe(arena.difference(one, other))
    }
}
