internal import PopAdvice
internal import PopCEL
internal import PopSource

/// Where conditions use named ones, and what has a value there.
struct ConditionUses {
    private let environment: Environment
    /// The conditions of each file.
    private(set) var parts: [FileID: Part]
    private var known: [String: Set<String>] = [:]

    /// `names` are those of the named conditions, `parts` what is known already.
    init(of names: [String], in environment: Environment, parts: [FileID: Part]) {
        self.environment = environment
        self.parts = parts
        // Conditions that use each other in a circle are never evaluated.
        for name in circular(names) { known[name] = [] }
    }

    /// Adds a condition of a file, which `user` stands for when it has a name.
    mutating func add(_ condition: Expression, of user: String?, in file: FileID) {
        for name in named(in: condition) {
            parts[file, default: Part()].users[name, default: []].append((user, condition))
        }
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

    /// What has a value at all uses, when that is known of those who use it.
    private mutating func common(toUsesOf name: String) -> Set<String> {
        var common: Set<String>?
        for use in uses(of: name) {
            let all = use.user.flatMap { known[$0] }.map(use.present.union) ?? use.present
            common = common?.intersection(all) ?? all
        }
        return common ?? []
    }

    private mutating func uses(of name: String) -> [Use] {
        var all: [Use] = []
        for file in parts.keys { all += parts[file]?.uses(of: name, in: environment) ?? [] }
        return all
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
        /// The name of the condition that it stands in, when that has one.
        var user: String?
        /// What has a value there.
        var present: Set<String>
    }

    /// The conditions of a file.
    struct Part: Sendable {
        /// Those that a name stands in.
        fileprivate var users: [String: [(user: String?, condition: Expression)]] = [:]
        private var known: [String: [Use]] = [:]

        fileprivate mutating func uses(of name: String, in environment: Environment) -> [Use] {
            if let known = known[name] { return known }
            let uses = (users[name] ?? []).flatMap { user, condition in
                environment.presentAtUses(of: name, in: condition).map {
                    Use(user: user, present: $0)
                }
            }
            known[name] = uses
            return uses
        }
    }
}
