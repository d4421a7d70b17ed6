internal import PopAdvice
internal import PopCEL
internal import PopScheduler
internal import PopSource

// What makes sure, where a named condition is used, that a key has a value which it reads.
extension Compiler {
    /// A named condition. That it may fail is said only when one of its uses does not make sure
    /// that it does not.
    mutating func compileNamed(_ model: NamedConditionModel) -> Condition? {
        var before = Diagnostics()
        decoder.startOver(with: &before)
        let compiled = compile(model.condition)
        var found = Diagnostics()
        decoder.startOver(with: &found)
        decoder.startOver(with: &before)
        guard found.list.contains(where: { $0.check == .conditionMayError }) else {
            decoder.report(contentsOf: found)
            return compiled
        }
        if uses == nil { uses = ConditionUses(conditionsByUser, environment: outside.environment) }
        let names = uses?.presentAtAll(usesOf: model.name.value) ?? []
        guard !names.isEmpty else {
            decoder.report(contentsOf: found)
            return compiled
        }
        return compile(model.condition, in: outside.presuming(names))
    }

    /// Notes what map conditions with names stand for; of the others that is known from the start.
    mutating func defineMapConditions() {
        var definitions: [(String, Expression)] = []
        for entry in model.conditions.entries {
            if case .expression = entry.condition.form { continue }
            guard let expression = expression(of: entry.condition) else { continue }
            definitions.append((entry.name.value, expression))
        }
        if !definitions.isEmpty { define(definitions) }
    }

    /// All conditions of the set, with the name of those that have one.
    private var conditionsByUser: [(user: String?, Expression)] {
        var all: [(String?, ConditionModel)] = model.conditions.entries.map {
            ($0.name.value, $0.condition)
        }
        all += model.groups.entries.compactMap { $0.when.map { (nil, $0.value) } }
        for popup in model.popups.entries {
            if let when = popup.when { all.append((nil, when.value)) }
            if let condition = popup.dismissWhen { all.append((nil, condition.value)) }
            for case .event(let event) in popup.trigger?.value.map(\.value) ?? [] {
                if let condition = event.where { all.append((nil, condition.value)) }
            }
        }
        return all.compactMap { user, condition in
            expression(of: condition).map { (user, $0) }
        }
    }

    /// The syntax of a condition in any form; what is wrong with it is said elsewhere.
    private func expression(of condition: ConditionModel) -> Expression? {
        if case .expression(let expression) = condition.form { return expression }
        var builder = ConditionBuilder(outside, decoder: Decoder(decoder.source, limits: limits))
        let expression = builder.build(condition)
        return builder.isBroken ? nil : expression
    }
}

/// Where conditions use named ones.
struct ConditionUses {
    private let environment: Environment
    /// The conditions that a name stands in.
    private var users: [String: [(user: String?, condition: Expression)]] = [:]
    private var known: [String: Set<String>] = [:]

    init(_ conditions: [(user: String?, Expression)], environment: Environment) {
        self.environment = environment
        for (user, condition) in conditions {
            for name in condition.dottedNames
            where environment.variable(named: name)?.definition != nil {
                users[name, default: []].append((user, condition))
            }
        }
    }

    /// The names that have a value wherever a condition is used; none when it is used nowhere.
    mutating func presentAtAll(usesOf name: String) -> Set<String> {
        if let known = known[name] { return known }
        // For conditions that use each other in a circle.
        known[name] = []
        var common: Set<String>?
        for (user, condition) in users[name] ?? [] {
            let around = user.map { presentAtAll(usesOf: $0) } ?? []
            for names in environment.presentAtUses(of: name, in: condition) {
                let all = names.union(around)
                common = common?.intersection(all) ?? all
            }
        }
        known[name] = common ?? []
        return common ?? []
    }
}
