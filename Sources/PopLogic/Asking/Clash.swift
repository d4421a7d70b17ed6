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
        package let node: NodeID

        /// Where it stands.
        public var range: SourceRange { condition.expression.tree.range(node) }
        /// As its author wrote it.
        public var text: String { condition.expression.text(of: node) }
    }

    /// In the order of the conditions.
    public let parts: [Part]
    /// Whether fewer parts never clash.
    public let isSmallest: Bool
}

extension Logic {
    /// The parts that keep conditions from being true together; nil when they may be, or when it is
    /// not known.
    public mutating func clash(of conditions: [Program]) -> Clash? {
        var parts: [Clash.Part] = []
        for condition in conditions {
            collect(condition.expression.tree.root, of: condition, [], into: &parts)
        }
        let diagrams = parts.map { part in
            meaning(of: translator.term(of: part.node, in: part.condition)).yes
        }
        facts.update(variables, declarations)
        var kept = Array(parts.indices)
        guard isNever(kept, diagrams) else { return nil }
        for part in parts.indices.reversed() where kept.count > 1 {
            let fewer = kept.filter { $0 != part }
            if isNever(fewer, diagrams) { kept = fewer }
        }
        let isSmall = parts.count <= limits.smallestParts
        if isSmall, let smaller = smaller(than: kept.count, diagrams) { kept = smaller }
        return Clash(parts: kept.map { parts[$0] }, isSmallest: isSmall || kept.count <= 1)
    }

    private mutating func collect(
        _ node: NodeID, of condition: Program, _ names: [String], into parts: inout [Clash.Part]
    ) {
        let tree = condition.expression.tree
        if tree.operation(node) == .and {
            for child in tree.children(of: node) {
                collect(child, of: condition, names, into: &parts)
            }
        } else if let name = tree.dottedName(node), names.count < limits.definitions,
            let definition = declarations.definition(name)
        {
            let root = definition.expression.tree.root
            collect(root, of: definition, names + [name], into: &parts)
        } else {
            parts.append(Clash.Part(condition: condition, names: names, node: node))
        }
    }

    /// Whether some parts certainly clash.
    private mutating func isNever(_ parts: [Int], _ diagrams: [Diagram]) -> Bool {
        var joined = Diagram.always
        for part in parts { joined = arena.and(joined, diagrams[part]) }
        if case .none = search(joined, accepts: { _ in true }) { return true }
        return false
    }

    /// Fewer parts that clash, as few as there are.
    private mutating func smaller(than count: Int, _ diagrams: [Diagram]) -> [Int]? {
        for size in 1..<max(1, count) {
            var chosen = Array(0..<size)
            while true {
                if isNever(chosen, diagrams) { return chosen }
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
        return nil
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
        package let node: NodeID
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
                    isTrue: truth, node: node))
        }
        return found.reversed()
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
            default: break
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
