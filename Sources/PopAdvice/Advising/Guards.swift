package import PopCEL

/// Finds the names that are certain to have a value if a condition is true or false, named
/// conditions included.
///
/// It only uses the syntax, so that the names do not have to be checked first.
struct Guards {
    /// The names that have a value when a condition is true, and when it is false.
    struct Presence {
        var whenTrue: Set<String> = []
        var whenFalse: Set<String> = []

        var negated: Presence { Presence(whenTrue: whenFalse, whenFalse: whenTrue) }
    }

    private let environment: Environment
    /// The results for named conditions.
    private var known: [String: Presence] = [:]
    private var depth = 0

    init(_ environment: Environment) { self.environment = environment }

    /// Returns the result for a named condition; an empty one if there is no condition of that
    /// name.
    mutating func presence(named name: String) -> Presence {
        if let known = known[name] { return known }
        guard depth < CELLimits.definitions,
            let definition = environment.variable(named: name)?.definition
        else { return Presence() }
        // For conditions that use each other in a circle.
        known[name] = Presence()
        depth += 1
        let presence = presence(definition.tree.root, in: definition.tree)
        depth -= 1
        known[name] = presence
        return presence
    }

    private mutating func presence(_ node: NodeID, in tree: SyntaxTree) -> Presence {
        switch tree.kind(of: node) {
        case .presence:
            return Presence(
                whenTrue: Set([tree.dottedName(tree.child(node, at: 0))].compactMap { $0 }))
        case .identifier, .select:
            return tree.dottedName(node).map { presence(named: $0) } ?? Presence()
        case .operation: break
        case .literal, .call, .memberCall, .list, .map, .message, .optionalEntry, .macro:
            return Presence()
        }
        switch tree.operation(node) {
        case .not: return presence(tree.child(node, at: 0), in: tree).negated
        case .and: return presence(ofAll: node, in: tree, isAnd: true)
        case .or: return presence(ofAll: node, in: tree, isAnd: false).negated
        case nil, .conditional, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
            .in, .add, .subtract, .multiply, .divide, .modulo, .negate, .index, .optionalIndex:
            return presence(comparedIn: node, in: tree)
        }
    }

    /// Returns the result for `popups.a.shown_count > 0`, which is true if the popup was shown.
    private func presence(comparedIn node: NodeID, in tree: SyntaxTree) -> Presence {
        guard let operation = tree.operation(node), tree.childCount(node) == 2 else {
            return Presence()
        }
        let (left, right) = (tree.child(node, at: 0), tree.child(node, at: 1))
        if operation == .in {
            let name = leastCount(in: right, of: tree).flatMap {
                present(where: tree.dottedName(left) ?? tree.written(left), isAtLeast: $0)
            }
            return Presence(whenTrue: Set([name].compactMap { $0 }))
        }
        func names(is truth: Bool) -> Set<String> {
            let sides = [(left, right, operation), (right, left, operation.mirrored)]
            return Set(
                sides.compactMap { counted, other, operation in
                    let count = tree.dottedName(counted) ?? tree.written(counted)
                    guard case .int(let number)? = tree.literal(other) else {
                        let bound = tree.constant(other, knowsDays: environment.knowsDays)
                        return present(where: count, operation, bound, is: truth)
                    }
                    return leastCount(operation, number: number, is: truth)
                        .flatMap { present(where: count, isAtLeast: $0) }
                })
        }
        return Presence(whenTrue: names(is: true), whenFalse: names(is: false))
    }

    /// Returns the result for `&&`; for `||`, the same with true and false exchanged.
    private mutating func presence(
        ofAll node: NodeID, in tree: SyntaxTree, isAnd: Bool
    ) -> Presence {
        var result: Presence?
        for child in tree.children(of: node) {
            let part = presence(child, in: tree)
            let read = isAnd ? part : part.negated
            result?.whenTrue.formUnion(read.whenTrue)
            result?.whenFalse.formIntersection(read.whenFalse)
            result = result ?? read
        }
        return result ?? Presence()
    }

    /// Returns, by the name of a condition, for each place where an expression uses it: the names
    /// that have a value there.
    mutating func presentAtUses(in expression: Expression) -> [String: [Set<String>]] {
        var uses: [String: [Set<String>]] = [:]
        var known = CountedSet<String>()
        let tree = expression.tree
        walk(tree.root, in: tree, knowing: &known, uses: &uses)
        return uses
    }

    private mutating func walk(
        _ node: NodeID, in tree: SyntaxTree, knowing known: inout CountedSet<String>,
        uses: inout [String: [Set<String>]]
    ) {
        if let name = tree.dottedName(node), environment.variable(named: name)?.definition != nil {
            uses[name, default: []].append(known.elements)
            return
        }
        let children = tree.children(of: node)
        switch tree.operation(node) {
        case .and, .or: walkChain(node, in: tree, knowing: &known, uses: &uses)
        case .conditional:
            let presence = presence(children[0], in: tree)
            walk(children[0], in: tree, knowing: &known, uses: &uses)
            for (child, names) in [
                (children[1], presence.whenTrue), (children[2], presence.whenFalse),
            ] {
                known.add(names)
                walk(child, in: tree, knowing: &known, uses: &uses)
                known.remove(names)
            }
        case nil, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .add,
            .subtract, .multiply, .divide, .modulo, .not, .negate, .index, .optionalIndex:
            for child in children { walk(child, in: tree, knowing: &known, uses: &uses) }
        }
    }

    /// An operand of `&&` or `||` is evaluated only if the others do not decide.
    private mutating func walkChain(
        _ node: NodeID, in tree: SyntaxTree, knowing known: inout CountedSet<String>,
        uses: inout [String: [Set<String>]]
    ) {
        let children = tree.children(of: node)
        let isAnd = tree.operation(node) == .and
        var implied: [Set<String>] = []
        for child in children {
            let presence = presence(child, in: tree)
            implied.append(isAnd ? presence.whenTrue : presence.whenFalse)
        }
        for names in implied { known.add(names) }
        for (child, own) in zip(children, implied) {
            known.remove(own)
            walk(child, in: tree, knowing: &known, uses: &uses)
            known.add(own)
        }
        for names in implied { known.remove(names) }
    }
}

extension Environment {
    /// By the name of a condition, for each place at which an expression names it: what has a value
    /// there.
    package func presentAtUses(in expression: Expression) -> [String: [Set<String>]] {
        var guards = Guards(self)
        return guards.presentAtUses(in: expression)
    }
}

extension Expression {
    /// The names in it, with and without the parts after their dots.
    package var dottedNames: Set<String> {
        // Once: of an expression that was moved the tree is made at every call.
        let tree = tree
        return Set(tree.nodes.indices.compactMap { tree.dottedName($0) })
    }
}

/// A set whose elements were added a number of times, and are in it until they were taken out as
/// often: what is known in one part of an expression and not in the next one.
struct CountedSet<Element: Hashable> {
    private var counts: [Element: Int] = [:]

    init(_ elements: Set<Element> = []) { add(elements) }

    /// The elements, each once.
    var elements: Set<Element> { Set(counts.keys) }

    func contains(_ element: Element) -> Bool { counts[element] != nil }

    func contains(where isWanted: (Element) -> Bool) -> Bool {
        counts.keys.contains(where: isWanted)
    }

    mutating func add(_ elements: Set<Element>) {
        for element in elements { counts[element, default: 0] += 1 }
    }

    mutating func remove(_ elements: Set<Element>) {
        for element in elements {
            let count = (counts[element] ?? 0) - 1
            counts[element] = count > 0 ? count : nil
        }
    }
}

/// Returns the lower bound that a comparison with an integer implies for its left side; nil if it
/// implies none. A count is never negative.
func leastCount(_ operation: Operator, number: Int64, is truth: Bool) -> Int64? {
    switch (operation, truth) {
    case (.greater, true), (.lessOrEqual, false): number < .max ? number + 1 : nil
    case (.greaterOrEqual, true), (.less, false), (.equal, true), (.notEqual, false): number
    case (.notEqual, true), (.equal, false): number == 0 ? 1 : nil
    case (.and, _), (.or, _), (.conditional, _), (.less, _), (.lessOrEqual, _), (.greater, _),
        (.greaterOrEqual, _), (.in, _), (.add, _), (.subtract, _), (.multiply, _), (.divide, _),
        (.modulo, _), (.not, _), (.negate, _), (.index, _), (.optionalIndex, _):
        nil
    }
}

/// The same of a list that a count is in; nil when its items are not all whole numbers.
func leastCount(in list: NodeID, of tree: SyntaxTree) -> Int64? {
    guard tree.kind(of: list) == .list else { return nil }
    var least: Int64?
    for item in tree.children(of: list) {
        guard case .int(let number)? = tree.literal(item) else { return nil }
        least = min(least ?? number, number)
    }
    return least
}

/// Returns the name that has a value if the time since an event isn't infinite, as it would be for
/// an event that never came: `last_event("paid")` if `since("paid")` is less than a duration; nil
/// if no such name exists.
func present(
    where length: String, _ operation: Operator, _ other: Value?, is truth: Bool
) -> String? {
    guard length.hasPrefix("since(") else { return nil }
    let isBelow =
        switch (operation, truth) {
        // Less than anything is less than the longest.
        case (.less, true), (.greaterOrEqual, false): true
        case (.lessOrEqual, true), (.greater, false), (.equal, true), (.notEqual, false):
            if case .duration(let bound)? = other { bound < .endless } else { false }
        case (.and, _), (.or, _), (.conditional, _), (.equal, _), (.notEqual, _), (.less, _),
            (.lessOrEqual, _), (.greater, _), (.greaterOrEqual, _), (.in, _), (.add, _),
            (.subtract, _), (.multiply, _), (.divide, _), (.modulo, _), (.not, _), (.negate, _),
            (.index, _), (.optionalIndex, _):
            false
        }
    return isBelow ? "last_event(\(length.dropFirst("since(".count).dropLast()))" : nil
}

/// Returns the name that has a value if a count is at least a number, judging by the data that both
/// use: `popups.a.last_shown` if `popups.a.shown_count` is at least 1; nil if no such name exists.
func present(where count: String, isAtLeast number: Int64) -> String? {
    guard number > 0 else { return nil }
    if count == "session.count" { return number > 1 ? "session.previous_end" : nil }
    let suffix = ".shown_count"
    if count.hasPrefix("popups."), count.hasSuffix(suffix) {
        return count.dropLast(suffix.count) + ".last_shown"
    }
    if count.hasPrefix("acted(") { return "last_\(count)" }
    guard count.hasPrefix("event_count(") else { return nil }
    // The events of a time are some of all.
    let arguments = count.dropFirst("event_count(".count).dropLast()
    let name = arguments.prefix { $0 != "," }
    return "last_event(\(name))"
}
