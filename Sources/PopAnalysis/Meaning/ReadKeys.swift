internal import PopCEL
internal import PopScheduler

/// The entries that conditions read, roughly. Parts that read nothing in common never clash, and
/// none of them implies another one.
struct ReadKeys {
    private let definitions: [String: Program]
    private var ofDefinitions: [String: Set<String>] = [:]

    init(_ rules: RuleSet) {
        var definitions: [String: Program] = [:]
        for condition in rules.conditions {
            definitions[condition.name] = condition.condition.program
        }
        self.definitions = definitions
        for condition in rules.conditions {
            var reading: Set<String> = [condition.name]
            ofDefinitions[condition.name] = all(of: condition.condition.program, &reading)
        }
    }

    /// Returns everything that a condition reads, directly or through named conditions.
    func keys(of program: Program) -> Set<String> {
        var reading: Set<String> = []
        return all(of: program, &reading)
    }

    /// Returns true if two parts of one of the conditions read the same entry.
    func anyReadTwice(in programs: [Program]) -> Bool {
        var seen: Set<String> = []
        for program in programs {
            let tree = program.expression.tree
            if isRepeated(tree.root, in: tree, seen: &seen) { return true }
        }
        return false
    }

    /// Returns true if two of the conditions read the same entry.
    func anyShared(_ programs: [Program]) -> Bool {
        var seen: Set<String> = []
        for program in programs {
            let keys = keys(of: program)
            if !seen.isDisjoint(with: keys) { return true }
            seen.formUnion(keys)
        }
        return programs.count == 1 && anyReadTwice(in: programs)
    }

    private func isRepeated(
        _ node: NodeID, in tree: SyntaxTree, seen: inout Set<String>
    ) -> Bool {
        switch tree.operation(node) {
        case .and?, .or?, .not?, .conditional?:
            for child in tree.children(of: node) where isRepeated(child, in: tree, seen: &seen) {
                return true
            }
            return false
        case nil, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .add,
            .subtract, .multiply, .divide, .modulo, .negate, .index, .optionalIndex:
            var keys: Set<String> = []
            var reading: Set<String> = []
            collect(node, in: tree, into: &keys, reading: &reading)
            if !seen.isDisjoint(with: keys) { return true }
            seen.formUnion(keys)
            return false
        }
    }

    private func all(of program: Program, _ reading: inout Set<String>) -> Set<String> {
        var keys: Set<String> = []
        let tree = program.expression.tree
        collect(tree.root, in: tree, into: &keys, reading: &reading)
        return keys
    }

    private func collect(
        _ node: NodeID, in tree: SyntaxTree, into keys: inout Set<String>,
        reading: inout Set<String>
    ) {
        if let name = tree.dottedName(node) {
            if let known = ofDefinitions[name] {
                keys.formUnion(known)
            } else if let program = definitions[name] {
                guard reading.insert(name).inserted else { return }
                keys.formUnion(all(of: program, &reading))
                reading.remove(name)
            } else {
                keys.insert(base(of: name))
            }
            return
        }
        // Functions about the history of an event have its name as an argument.
        if tree.kind(of: node) == .call, tree.childCount(node) > 0,
            case .string(let event)? = tree.literal(tree.child(node, at: 0))
        {
            keys.insert("event \(event)")
        }
        for child in tree.children(of: node) {
            collect(child, in: tree, into: &keys, reading: &reading)
        }
    }

    /// Facts about the same popup belong together.
    private func base(of name: String) -> String {
        guard name.hasPrefix("popups."), let end = name.lastIndex(of: ".") else { return name }
        return String(name[..<end])
    }
}
