internal import PopCEL
internal import PopScheduler
internal import PopSource

/// The named conditions, compiled, and which of them can be evaluated.
struct NamedConditions {
    var rules: [NamedCondition] = []
    /// True if the condition has no errors of its own.
    var isCompiled: ParallelArray<ConditionIndex, Bool> = []
    /// The conditions that it reads.
    var uses: ParallelArray<ConditionIndex, [ConditionIndex]> = []
    /// True if neither the condition nor any condition that it uses has errors.
    var isSound: ParallelArray<ConditionIndex, Bool> = []
    /// Findings about all conditions together: circles, and chains that are too long.
    var chains = Diagnostics()
}

extension RuleCompiler {
    /// Compiles the named conditions; looks for circles among them and chains that are too long.
    mutating func namedConditions() -> NamedConditions {
        var named = NamedConditions()
        if model.conditions.entries.isEmpty { return named }
        for model in model.conditions.entries {
            let isNew = isLookedAt(model.name.range)
            let compiled = isNew ? compileNamed(model) : remembered(model)
            guard let condition = compiled ?? never(at: model.condition.range) else { continue }
            named.rules.append(NamedCondition(name: model.name.value, condition: condition))
            named.isCompiled.append(
                isNew ? compiled != nil : part?.outcome(of: model.name)?.isSound ?? false)
        }
        named.uses = uses(of: named.rules)
        named.isSound = named.isCompiled
        checkChains(&named)
        return named
    }

    private func uses(
        of rules: [NamedCondition]
    ) -> ParallelArray<ConditionIndex, [ConditionIndex]> {
        let meanings = slotMeanings()
        return ParallelArray(
            zip(model.conditions.entries, rules).map { entry, rule in
                guard isLookedAt(entry.name.range) else {
                    let uses = part?.outcome(of: entry.name)?.uses ?? []
                    return uses.compactMap { model.conditions.place(of: $0) }
                }
                return rule.condition.program.slots.compactMap { slot in
                    if case .condition(let used) = meanings[slot] { return used }
                    return nil
                }
            })
    }

    private func checkChains(_ named: inout NamedConditions) {
        let uses = named.uses
        let circles = cycles(among: uses.count) { uses[ConditionIndex($0)].map(\.number) }
        for circle in circles {
            let names = circle.map { model.conditions.entries[$0].name }
            named.chains.report(.useInCircle(names))
            for condition in circle { named.isSound[ConditionIndex(condition)] = false }
        }
        let lengths = chainLengths(uses, isSound: &named.isSound)
        guard let longest = lengths.max(), longest > limits.conditionChain,
            let first = lengths.firstIndex(of: longest)
        else { return }
        // Evaluating a condition evaluates its whole chain.
        for condition in lengths.indices where lengths[condition] > limits.conditionChain {
            named.isSound[condition] = false
        }
        let name = model.conditions.entries[first].name
        named.chains.report(.chainTooLong(name, length: longest, limit: limits.conditionChain))
    }

    /// Returns the number of conditions that are used in a row below each; marks conditions that
    /// use unsound ones as unsound.
    private func chainLengths(
        _ uses: ParallelArray<ConditionIndex, [ConditionIndex]>,
        isSound: inout ParallelArray<ConditionIndex, Bool>
    ) -> ParallelArray<ConditionIndex, Int> {
        var lengths = ParallelArray<ConditionIndex, Int>(repeating: 0, count: uses.count)
        var usedBy = ParallelArray<ConditionIndex, [ConditionIndex]>(
            repeating: [], count: uses.count)
        var waitsFor = ParallelArray<ConditionIndex, Int>(uses.map(\.count))
        for user in uses.indices {
            for condition in uses[user] { usedBy[condition].append(user) }
        }
        var ready = uses.indices.filter { waitsFor[$0] == 0 }
        while let condition = ready.popLast() {
            lengths[condition] = (uses[condition].map { lengths[$0] }.max() ?? 0) + 1
            if !uses[condition].allSatisfy({ isSound[$0] }) { isSound[condition] = false }
            for user in usedBy[condition] {
                waitsFor[user] -= 1
                if waitsFor[user] == 0 { ready.append(user) }
            }
        }
        // A condition that is never ready is in a circle or uses one that is.
        for condition in uses.indices where waitsFor[condition] > 0 { isSound[condition] = false }
        return lengths
    }
}

extension Diagnostic {
    fileprivate static func useInCircle(_ names: [Located<String>]) -> Self {
        let first = names[0]
        if names.count == 1 {
            return Diagnostic(
                .refCycle, message: "condition `\(first.value)` uses itself", at: first.range,
                label: "its value would depend on itself",
                subject: "condition `\(first.value)`",
                help: ["remove `\(first.value)` from its own expression"])
        }
        return Diagnostic(
            .refCycle, message: "conditions use each other in a cycle", at: first.range,
            label: "uses `\(names[1].value)`", subject: "condition `\(first.value)`",
            secondary: names.indices.dropFirst().prefix(circleLabels).map {
                Label("uses `\(names[($0 + 1) % names.count].value)`", at: names[$0].range)
            }, notes: ["cycle: \(circleText(names.map(\.value), joinedBy: "uses"))"],
            help: ["rewrite one of them so that it does not use the next one"])
    }

    fileprivate static func chainTooLong(
        _ name: Located<String>, length: Int, limit: Int
    ) -> Self {
        Diagnostic(
            .conditionCost, message: "more than \(limit) conditions use each other in a chain",
            at: name.range,
            label: "the first of \(length) conditions", subject: "condition `\(name.value)`",
            help: ["combine some of them into one expression"])
    }
}
