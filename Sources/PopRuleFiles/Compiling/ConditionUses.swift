internal import PopAdvice
internal import PopCEL

/// Where conditions use named ones, and what has a value there.
struct ConditionUses {
    private let environment: Environment
    /// The conditions that a name stands in.
    private var users: [String: [(user: String?, condition: Expression)]] = [:]
    private var known: [String: Set<String>] = [:]

    /// `names` are those of the named conditions; a user is what an expression stands for.
    init(
        of names: [String], by conditions: [(user: String?, condition: Expression)],
        in environment: Environment
    ) {
        self.environment = environment
        for (user, condition) in conditions {
            for name in named(in: condition) { users[name, default: []].append((user, condition)) }
        }
        // Conditions that use each other in a circle are never evaluated.
        for name in circular(names) { known[name] = [] }
    }

    /// The names that have a value wherever a condition is used; none when it is used nowhere.
    mutating func presentAtAll(usesOf name: String) -> Set<String> {
        // No recursion: those who use each other in a row may be many.
        var open = [name]
        var entered: Set<String> = []
        while let next = open.last {
            if known[next] == nil, entered.insert(next).inserted {
                open += users[next, default: []].compactMap(\.user).filter { known[$0] == nil }
                continue
            }
            open.removeLast()
            if known[next] == nil { known[next] = common(toUsesOf: next) }
        }
        return known[name] ?? []
    }

    /// What has a value at all uses, when that is known of those who use it.
    private func common(toUsesOf name: String) -> Set<String> {
        var common: Set<String>?
        for (user, condition) in users[name] ?? [] {
            let around = user.flatMap { known[$0] } ?? []
            for names in environment.presentAtUses(of: name, in: condition) {
                let all = names.union(around)
                common = common?.intersection(all) ?? all
            }
        }
        return common ?? []
    }

    /// The named conditions that an expression uses.
    private func named(in expression: Expression) -> [String] {
        expression.dottedNames.filter { environment.variable(named: $0)?.definition != nil }
    }

    private func circular(_ names: [String]) -> [String] {
        let numbers = Dictionary(zip(names, names.indices)) { first, _ in first }
        let circles = components(among: names.count) { number in
            let definition = environment.variable(named: names[number])?.definition
            return definition.map { named(in: $0).compactMap { numbers[$0] } } ?? []
        }
        return circles.joined().map { names[$0] }
    }
}
