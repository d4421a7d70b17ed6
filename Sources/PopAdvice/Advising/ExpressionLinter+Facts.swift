internal import PopCEL
internal import PopSource

/// A fact about values that is certain where a part of an expression is evaluated.
enum Fact: Hashable {
    /// The name, field or entry spelled so has a value.
    case present(String)
    /// The number spelled so is not zero.
    case notZero(String)
    /// The list spelled so has at least that many elements.
    case sizeAtLeast(String, Int64)
    /// The text spelled so fits a pattern.
    case fits(String)
}

extension Fact {
    /// The same about a variable of another name; nil if it is about something else.
    fileprivate func renamed(_ name: String, to other: String) -> Fact? {
        func renamed(_ text: String) -> String? {
            guard text == name || text.hasPrefix("\(name)[") else { return nil }
            return other + text.dropFirst(name.count)
        }
        return switch self {
        case .present(let text): renamed(text).map { .present($0) }
        case .notZero(let text): renamed(text).map { .notZero($0) }
        case .sizeAtLeast(let text, let least):
            renamed(text).map { .sizeAtLeast($0, least) }
        case .fits(let text): renamed(text).map { .fits($0) }
        }
    }
}

extension ExpressionLinter {
    /// The first variable of a macro is a key of the map, or an index of the list, that it goes
    /// through. An element of a list has passed the filters before and in the macro.
    func factsInside(_ node: NodeID) -> Set<Fact> {
        let container = tree.child(node, at: 0)
        let variables = Int(tree.nodes[node].payload)
        var facts = factsOfKeys(node, in: container)
        guard (1...2).contains(variables), tree.childCount(node) > variables else { return facts }
        facts.formUnion(
            factsOfElements(container, named: tree.name(tree.child(node, at: variables))))
        // After the variables: its filter, and its body.
        if tree.childCount(node) == variables + 3 {
            facts.formUnion(self.facts(when: tree.child(node, at: variables + 1), is: true))
        }
        return facts
    }

    /// Returns the facts about elements that passed `filter`, under the name that the macro around
    /// it gives them.
    private func factsOfElements(_ list: NodeID, named name: String) -> Set<Fact> {
        guard tree.isFilter(list), tree.childCount(list) == 3 else { return [] }
        let own = tree.name(tree.child(list, at: 1))
        let passed = facts(when: tree.child(list, at: 2), is: true)
            .compactMap { $0.renamed(own, to: name) }
        return Set(passed).union(factsOfElements(tree.child(list, at: 0), named: name))
    }

    private func factsOfKeys(_ node: NodeID, in container: NodeID) -> Set<Fact> {
        let isKey: Bool =
            switch subject.checked.typeTable[subject.checked.type(container)] {
            case .map: true
            case .list: tree.nodes[node].payload == 2
            case .optional, .type, .wrapper, .opaque, .parameter, .variable, .primitive: false
            }
        return isKey ? [.present("\(key(container))[\(tree.name(tree.child(node, at: 1)))]")] : []
    }

    /// Returns the facts that are certain if a node is true, or if it is false.
    func facts(when node: NodeID, is truth: Bool) -> Set<Fact> {
        switch tree.kind(of: node) {
        case .presence:
            return truth ? [.present(key(tree.child(node, at: 0)))] : []
        case .operation: return facts(whenOperation: node, is: truth)
        case .memberCall:
            return truth && isCall(node, code: .matches)
                ? [.fits(key(tree.child(node, at: 0)))] : []
        case .identifier, .select:
            guard !presences.isEmpty, let name = variable(node)?.name,
                let presence = presences[name]
            else { return [] }
            return Set((truth ? presence.whenTrue : presence.whenFalse).map { .present($0) })
        case .literal, .call, .list, .map, .message, .optionalEntry, .macro: return []
        }
    }

    func facts(whenOperation node: NodeID, is truth: Bool) -> Set<Fact> {
        guard let operation = tree.operation(node) else { return [] }
        let children = tree.children(of: node)
        switch operation {
        case .not: return facts(when: children[0], is: !truth)
        case .and, .or:
            let all = children.map { facts(when: $0, is: truth) }
            if (operation == .and) == truth { return all.reduce([]) { $0.union($1) } }
            return all.dropFirst().reduce(all.first ?? []) { $0.intersection($1) }
        case .in where truth:
            if let least = leastCount(in: children[1], of: tree),
                let name = present(where: key(children[0]), isAtLeast: least)
            {
                return [.present(name)]
            }
            guard let value = tree.literal(children[0]) else { return [] }
            return [.present("\(key(children[1]))[\(value)]")]
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            return facts(operation, left: children[0], right: children[1], is: truth)
                .union(facts(operation.mirrored, left: children[1], right: children[0], is: truth))
        case .conditional, .in, .add, .subtract, .multiply, .divide, .modulo, .negate, .index,
            .optionalIndex:
            return []
        }
    }

    /// Returns the facts of a comparison with a number or a duration on the right.
    func facts(
        _ operation: Operator, left: NodeID, right: NodeID, is truth: Bool
    ) -> Set<Fact> {
        guard let number = wholeNumber(right) else {
            let bound = tree.constant(right, knowsDays: subject.environment.knowsDays)
            return Set(
                [present(where: key(left), operation, bound, is: truth)].compactMap { $0 }
                    .map { .present($0) })
        }
        var facts: Set<Fact> = []
        if let least = leastCount(operation, number: number, is: truth) {
            facts = sizeFact(left, least: least)
            if let name = present(where: key(left), isAtLeast: least) {
                facts.insert(.present(name))
            }
        }
        if excludesZero(operation, number: number, is: truth) { facts.insert(.notZero(key(left))) }
        return facts
    }

    /// Returns true if a comparison with a number implies that the value isn't zero.
    private func excludesZero(_ operation: Operator, number: Int64, is truth: Bool) -> Bool {
        switch (operation, truth) {
        case (.greater, true), (.lessOrEqual, false): number >= 0
        case (.greaterOrEqual, true), (.less, false): number > 0
        case (.less, true), (.greaterOrEqual, false): number <= 0
        case (.lessOrEqual, true), (.greater, false): number < 0
        case (.equal, true), (.notEqual, false): number != 0
        case (.notEqual, true), (.equal, false): number == 0
        case (.and, _), (.or, _), (.conditional, _), (.in, _), (.add, _), (.subtract, _),
            (.multiply, _), (.divide, _), (.modulo, _), (.not, _), (.negate, _), (.index, _),
            (.optionalIndex, _):
            false
        }
    }

    private func sizeFact(_ node: NodeID, least: Int64) -> Set<Fact> {
        guard least > 0, isCall(node, code: .size), tree.childCount(node) == 1 else { return [] }
        return [.sizeAtLeast(key(tree.child(node, at: 0)), least)]
    }

    func wholeNumber(_ node: NodeID) -> Int64? {
        switch tree.literal(node) {
        case .int(let number)?: number
        case .uint(let number)?: Int64(exactly: number)
        case nil, .null, .bool, .double, .string, .bytes, .timestamp, .duration, .version, .list,
            .map, .type, .optional:
            nil
        }
    }

    /// A spelling that is the same for `m.k` and `m["k"]`.
    func key(_ node: NodeID) -> String {
        if let variable = variable(node) { return variable.name }
        if tree.kind(of: node) == .select, case .none = subject.checked.nodes[node].reference {
            return "\(key(tree.child(node, at: 0)))[\(Value.string(tree.name(node)))]"
        }
        if tree.operation(node) == .index {
            let index = tree.child(node, at: 1)
            let text = tree.literal(index)?.description ?? subject.expression.text(of: index)
            return "\(key(tree.child(node, at: 0)))[\(text)]"
        }
        return subject.expression.text(of: node)
    }
}

extension ExpressionLinter {
    /// Offers to ask first whether a name has a value: what must hold needs one, what must not hold
    /// does not.
    func offerPresence(of name: String, at node: NodeID, to diagnostic: inout Diagnostic) {
        let question = Question(
            asked: "has(\(name))", denied: "!has(\(name))",
            must: "to require a value",
            may: "to also accept a missing value")
        if offer(question, at: node, isOnce: isReadOnce(name), to: &diagnostic) { return }
        diagnostic.help = ["use `has(\(name))` to check first whether `\(name)` has a value"]
    }

    /// The check that is needed before a value is read.
    struct Question {
        let asked: String
        let denied: String
        /// The beginnings of the helps: for a value that is required, and for one that may be
        /// missing.
        let must: String
        let may: String
        /// The replacement for the node that is read.
        var read: String?
    }

    /// Offers a check; returns whether one is possible.
    func offer(
        _ question: Question, at node: NodeID, isOnce: Bool, to diagnostic: inout Diagnostic
    ) -> Bool {
        let atom = isOnce ? self.question(around: node) : tree.root
        var written = tree.written(atom)
        if let read = question.read { written = written.replacing(tree.written(node), with: read) }
        let operation = tree.operation(atom)
        let isLoose = operation == .conditional
        // If a check is false without a value, the negated expression around it is true.
        let isNegated = isNegated(atom)
        let with = rewriting(
            atom,
            text: "\(question.asked) && \(isLoose || operation == .or ? "(\(written))" : written)",
            operation: .and)
        let without = rewriting(
            atom, text: "\(question.denied) || \(isLoose ? "(\(written))" : written)",
            operation: .or)
        guard let with, let without, !written.isEmpty else { return false }
        let isPart = atom != tree.root && !isLoose && written.utf8.count <= 80
        let (asked, denied) =
            isPart
            ? (
                "… (\(question.asked) && \(written)) …",
                "… (\(question.denied) || \(written)) …"
            )
            : ("\(question.asked) && …", "\(question.denied) || …")
        let must = (question.must, isNegated ? without : with, isNegated ? denied : asked)
        let may = (question.may, isNegated ? with : without, isNegated ? asked : denied)
        let asksBoth = operation?.isOrdering == true || operation == .not || isNegated || !isOnce
        let offers =
            operation == .notEqual || asksForNothing(atom)
            ? [may, must] : asksBoth ? [must, may] : [must]
        for (help, rewriting, short) in offers {
            diagnostic.offer(help, rewriting: rewriting, isSafe: false, inShort: short)
        }
        return true
    }

    /// `name == ""` and `size(tags) == 0`: what has no value is empty to many.
    private func asksForNothing(_ node: NodeID) -> Bool {
        guard tree.operation(node) == .equal else { return false }
        return tree.children(of: node).contains { child in
            let literal = tree.literal(child)
            if case .string("")? = literal { return true }
            if case .int(0)? = literal { return true }
            return tree.kind(of: child) == .list && tree.childCount(child) == 0
        }
    }

    /// Returns true if the surrounding expression negates a node.
    private func isNegated(_ node: NodeID) -> Bool {
        var (node, isNegated) = (node, false)
        while let parent = tree.parent(of: node) {
            if tree.operation(parent) == .not { isNegated.toggle() }
            node = parent
        }
        return isNegated
    }

    func isReadOnce(_ name: String) -> Bool {
        tree.nodes.indices.count {
            subject.needsGuard($0)
                && (variable($0)?.name == name || subject.expression.text(of: $0) == name)
        } <= 1
    }

    private func rewriting(_ node: NodeID, text: String, operation: Operator) -> Rewriting? {
        var isLoose = false
        if let parent = tree.parent(of: node) {
            let around = tree.operation(parent)
            isLoose =
                around != operation && !(operation == .and && around == .or)
                && around != .conditional
            if tree.kind(of: parent) == .call || tree.kind(of: parent) == .list {
                isLoose = false
            }
            if tree.kind(of: parent) == .macro { isLoose = false }
        }
        return tree.rewriting([(node, isLoose ? "(\(text))" : text)])
    }

    /// The largest part around a node that `&&`, `||` and `? :` take as a whole.
    private func question(around node: NodeID) -> NodeID {
        var node = node
        while let parent = tree.parent(of: node) {
            if let operation = tree.operation(parent), operation.isLogical, operation != .not {
                if operation != .conditional || tree.child(parent, at: 0) == node { return node }
            }
            if tree.kind(of: parent) == .macro, tree.child(parent, at: 0) != node { return node }
            node = parent
        }
        return node
    }
}
