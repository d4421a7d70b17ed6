internal import PopAdvice
internal import PopCEL

/// The places where conditions use named conditions, and the names that have a value there.
struct ConditionUses {
    private let environment: Environment
    private var conditions: [(user: String?, condition: Expression)] = []
    /// The positions of the conditions that mention a name.
    private var places: [String: [Int]] = [:]
    /// The names that have a value where a condition mentions a name, by position and by mentioned
    /// name: computed for all mentioned names at the same time.
    private var present: [Int: [String: [Set<String>]]] = [:]
    private var known: [String: Set<String>] = [:]

    /// `names` are the names of the named conditions.
    init(of names: [String], in environment: Environment) {
        self.environment = environment
        // Conditions that use each other in a circle are never evaluated.
        for name in circular(names) { known[name] = [] }
    }

    /// Adds a condition; `user` is its name if it has one.
    mutating func add(_ condition: Expression, of user: String?) {
        let names = named(in: condition)
        if names.isEmpty { return }
        for name in names { places[name, default: []].append(conditions.count) }
        conditions.append((user, condition))
    }

    /// The names that have a value wherever a condition is used; none when it is used nowhere.
    mutating func presentAtAll(usesOf name: String) -> Set<String> {
        // No recursion: those who use each other in a row may be many.
        var open = [name]
        var entered: Set<String> = []
        while let next = open.last {
            if known[next] == nil, entered.insert(next).inserted {
                open += uses(of: next).compactMap(\.user).filter { known[$0] == nil }
                continue
            }
            open.removeLast()
            if known[next] == nil { known[next] = common(toUsesOf: next) }
        }
        return known[name] ?? []
    }

    /// Returns the names that have a value at every use of a condition, including names that have a
    /// value at every use of the conditions that use it, if these are known.
    private mutating func common(toUsesOf name: String) -> Set<String> {
        var common: Set<String>?
        for use in uses(of: name) {
            let all = use.user.flatMap { known[$0] }.map(use.present.union) ?? use.present
            common = common?.intersection(all) ?? all
        }
        return common ?? []
    }

    private mutating func uses(of name: String) -> [Use] {
        var uses: [Use] = []
        for place in places[name] ?? [] {
            let (user, condition) = conditions[place]
            let present = self.present[place] ?? environment.presentAtUses(in: condition)
            self.present[place] = present
            uses += (present[name] ?? []).map { Use(user: user, present: $0) }
        }
        return uses
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

extension ConditionUses {
    /// The use of a named condition.
    struct Use: Sendable {
        /// The name of the condition that contains the use, if that condition has a name.
        var user: String?
        /// The names that have a value there.
        var present: Set<String>
    }
}
