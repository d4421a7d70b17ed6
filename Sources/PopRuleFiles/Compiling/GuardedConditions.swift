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
        let names = presentAtAll(usesOf: model.name.value)
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

    /// The names that have a value wherever a named condition is used.
    private mutating func presentAtAll(usesOf name: String) -> Set<String> {
        var all =
            uses.take()
            ?? ConditionUses(
                of: model.conditions.names, by: conditionsByUser, in: outside.environment)
        defer { uses = all }
        return all.presentAtAll(usesOf: name)
    }

    /// All conditions of the set, with the name of those that have one.
    private var conditionsByUser: [(user: String?, condition: Expression)] {
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
        let source = model.sources[condition.range.file]
        var builder = ConditionBuilder(outside, decoder: Decoder(source, limits: limits))
        let expression = builder.build(condition)
        return builder.isBroken ? nil : expression
    }
}
