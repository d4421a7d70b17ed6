internal import PopCEL
internal import PopScheduler
internal import PopSource

// Finds the keys that have a value wherever a named condition that reads them is used.
extension RuleCompiler {
    /// Compiles a named condition. It is reported that the condition may fail only if one of its
    /// uses does not rule that out.
    mutating func compileNamed(_ model: NamedConditionModel) -> Condition? {
        about("condition `\(model.name.value)`", at: model.name.range) { $0.guarded(model) }
    }

    private mutating func guarded(_ model: NamedConditionModel) -> Condition? {
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
        presumed[model.name.value] = names
        guard !names.isEmpty else {
            decoder.report(contentsOf: found)
            return compiled
        }
        return compile(model.condition, in: outside.presuming(names))
    }

    /// Notes the definitions of named conditions that are maps; the other definitions are known
    /// from the start.
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
    mutating func presentAtAll(usesOf name: String) -> Set<String> {
        var all = uses.take() ?? usesOfConditions
        defer { uses = all }
        return all.presentAtAll(usesOf: name)
    }

    private var usesOfConditions: ConditionUses {
        let known = (part?.others ?? [:]).compactMapValues(\.uses)
        var uses = ConditionUses(
            of: model.conditions.names, in: outside.environment, parts: known)
        for (user, condition) in conditionsByUser(except: Set(known.keys)) {
            guard let expression = expression(of: condition) else { continue }
            uses.add(expression, of: user, in: condition.range.file)
        }
        return uses
    }

    /// The conditions of all files but some, with the name of those that have one.
    private func conditionsByUser(
        except known: Set<FileID>
    ) -> [(user: String?, condition: ConditionModel)] {
        func isNew(_ name: Located<String>) -> Bool { !known.contains(name.range.file) }
        var all: [(String?, ConditionModel)] = []
        for entry in model.conditions.entries where isNew(entry.name) {
            all.append((entry.name.value, entry.condition))
        }
        for group in model.groups.entries where isNew(group.name) {
            if let when = group.when { all.append((nil, when.value)) }
        }
        for index in model.popups.entries.indices where isNew(model.popups.entries[index].name) {
            all += model.popups.entries[index].conditions.map { (nil, $0) }
        }
        return all
    }

    /// The syntax of a condition in any form; its mistakes are reported elsewhere.
    private func expression(of condition: ConditionModel) -> Expression? {
        if case .expression(let expression) = condition.form { return expression }
        let source = model.sources[condition.range.file]
        // This scope has more names than other conditions may use: wrong names are reported
        // elsewhere.
        let scope = outside.atDismissal(of: model)
        var builder = ConditionBuilder(scope, decoder: Decoder(source, limits: limits))
        let expression = builder.build(condition)
        return builder.isBroken ? nil : expression
    }
}

extension PopupModel {
    /// All its conditions, those of triggers included.
    fileprivate var conditions: [ConditionModel] {
        var all = [when, dismissWhen].compactMap { $0?.value }
        all += (timing.schedule?.value ?? []).compactMap { $0.value.when?.value }
        for case .event(let event) in trigger?.value.map(\.value) ?? [] {
            if let condition = event.where { all.append(condition.value) }
        }
        all += (limits.goals?.value ?? []).compactMap { $0.value.where?.value }
        return all
    }
}
