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

    /// Those of one condition after the other, since each is read again for the first of them.
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
        let joined = arena.conjunction(of: parts.map { diagrams[$0] })
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
