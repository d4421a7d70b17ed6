public import PopCEL
public import PopSource

/// Parts of conditions that can't be true together, and none of which can be left out.
public struct Clash: Sendable {
    /// A part: a whole condition, or an operand of `&&`, also inside named conditions.
    public struct Part: Sendable {
        /// The condition that contains the part.
        public let condition: Program
        /// The named conditions through which the part was reached, outermost first.
        public let names: [String]
        /// The index of the condition in question that contains the part. Conditions that must not
        /// be true follow the others.
        public let place: Int
        /// True if the part must be false instead of true. A `!` in the part's own source doesn't
        /// set it.
        public let isNegated: Bool
        /// True if the part belongs to a condition that must not be true.
        public let isForbidden: Bool
        /// The place of the part, or of the first name through which it was reached.
        public let use: SourceRange
        package let node: NodeID

        /// The place of the part.
        public var range: SourceRange { condition.expression.tree.range(node) }
        /// The source of the part as its author wrote it.
        public var text: String { condition.expression.text(of: node) }
    }

    /// The parts, in the order of the conditions.
    public let parts: [Part]
    /// True if fewer parts certainly don't clash.
    public let isSmallest: Bool
}

extension Logic {
    /// Returns the parts that prevent conditions from being true together while none of the others
    /// is true; nil if they can be, or if this isn't known.
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
        let diagrams = diagrams(of: parts)
        facts.update(variables, declarations)
        guard isNever(Array(parts.indices), diagrams) else { return nil }
        var kept = smallest(parts.indices.reversed()) { logic, left in
            logic.isNever(left.sorted(), diagrams)
        }.sorted()
        var isSmallest = kept.count <= 1
        if parts.count <= limits.smallestParts {
            let understood = parts.map { isUnderstood($0) }
            (kept, isSmallest) = smallest(notLargerThan: kept, diagrams, understood)
        }
        return Clash(parts: kept.map { parts[$0] }, isSmallest: isSmallest)
    }

    /// Returns true if conditions are certainly never true together while none of the others is
    /// true.
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

    /// Returns the diagrams of parts, one condition after the other, because a condition is read
    /// again for the first of its parts.
    private mutating func diagrams(of parts: [Clash.Part]) -> [Diagram] {
        var diagrams = Array(repeating: Diagram.never, count: parts.count)
        var conditions: [ObjectIdentifier: [Int]] = [:]
        for (place, part) in parts.enumerated() {
            let tree = ObjectIdentifier(part.condition.expression.tree)
            conditions[tree, default: []].append(place)
        }
        let inOrder = conditions.values.sorted { ($0.first ?? 0) < ($1.first ?? 0) }
        for place in inOrder.joined() { diagrams[place] = diagram(of: parts[place]) }
        return diagrams
    }

    private mutating func diagram(of part: Clash.Part) -> Diagram {
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
    private mutating func isNever(_ parts: [Int], _ diagrams: [Diagram]) -> Bool {
        if case .none = search(parts, diagrams) { return true }
        return false
    }

    /// Searches for a user who meets some parts together.
    private mutating func search(_ parts: [Int], _ diagrams: [Diagram]) -> Search {
        let joined = arena.conjunction(of: parts.map { diagrams[$0] })
        return search(joined, accepts: { _ in true })
    }

    /// Returns true if everything that a part reads is known. For unknown parts, the search finds
    /// values that may be impossible.
    private mutating func isUnderstood(_ part: Clash.Part) -> Bool {
        let term = translator.term(of: part.node, in: part.condition)
        return translator.terms.variables(of: term).allSatisfy { variable in
            if case .free = variables[variable].kind { false } else { true }
        }
    }

    /// Returns the smallest set of clashing parts, at most as many as `known`, and whether a user
    /// was found for every smaller set.
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
