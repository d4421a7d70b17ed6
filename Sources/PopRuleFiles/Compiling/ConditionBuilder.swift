internal import PopCEL
internal import PopSource
internal import PopYAML

/// Builds the syntax tree of a condition from the form in which it is written.
struct ConditionBuilder {
    let scope: Scope
    var decoder: Decoder
    /// True if a part could not be read, so that the tree is only good for finding mistakes.
    private(set) var isBroken = false

    init(_ scope: Scope, decoder: Decoder) {
        self.scope = scope
        self.decoder = decoder
    }

    mutating func build(_ condition: ConditionModel) -> Expression? {
        let range = condition.range
        switch condition.form {
        case .constant(let value): return .literal(.bool(value), at: range)
        case .expression(let expression): return expression
        case .all(let parts): return .all(parts.compactMap { build($0) }, at: range)
        case .any(let parts): return .any(parts.compactMap { build($0) }, at: range)
        case .none(let parts):
            return .call(
                "!_", arguments: [.any(parts.compactMap { build($0) }, at: range)], at: range)
        case .keys(let matches):
            let strays = matches.map(\.key).filter { belongsIntoSchedule($0.value) }
            if !strays.isEmpty {
                decoder.report(.keysOfSchedule(strays))
                isBroken = true
            }
            let known = matches.filter { match in !strays.contains { $0.range == match.key.range } }
            let rest = withoutValuesCutOff(known)
            return .all(rest.compactMap { build($0, isAlone: rest.count == 1) }, at: range)
        case .unread(let text, let map):
            var slots = SlotTable()
            let found = scope.environment.compile(text, map: map, expecting: .bool, slots: &slots)
            decoder.report(contentsOf: found.diagnostics)
            isBroken = true
            return nil
        case .broken:
            isBroken = true
            return nil
        }
    }

    /// Returns true if an undeclared key is a key of schedules.
    private mutating func belongsIntoSchedule(_ name: String) -> Bool {
        guard scope.environment.variable(named: name) == nil,
            Table.schedule.keys.contains(where: { $0.name == name })
        else { return false }
        // The keys of schedules are few, and the variables may be many.
        if let known = decoder.scheduleKeysLikeVariables[name] { return !known }
        let isLikeOne = !similarNames(to: name, among: scope.environment.variableNames).isEmpty
        decoder.scheduleKeysLikeVariables[name] = isLikeOne
        return !isLikeOne
    }

    /// Reports one of several values without brackets, `{ plan: pro, team }`; returns the others.
    private mutating func withoutValuesCutOff(
        _ matches: [ConditionModel.KeyMatch]
    ) -> [ConditionModel.KeyMatch] {
        guard matches.count > 1 else { return matches }
        var cutOff = 0..<0
        return matches.filter { match in
            if cutOff.contains(match.key.range.lower) { return false }
            guard let items = valuesCutOff(match) else { return true }
            let names = matches.map(\.key).filter { items.bytes.contains($0.range.lower) }
            let isNamed = names.contains { scope.environment.variable(named: $0.value) != nil }
            if isNamed { return true }
            decoder.report(.valuesWithoutBrackets(match, items: items, in: decoder.source))
            isBroken = true
            cutOff = items.bytes
            return false
        }
    }

    private func valuesCutOff(_ match: ConditionModel.KeyMatch) -> SourceRange? {
        guard match.tests.count == 1, let test = match.tests.first,
            test.matcher.range == test.operand.range,
            let items = test.operand.itemsCutOff(in: decoder.source),
            let variable = scope.environment.variable(named: match.key.value)
        else { return nil }
        if case .list = variable.type { return nil }
        return items
    }

    /// All tests of a key; a key that is missing passes none of them but `exists: false`.
    private mutating func build(
        _ match: ConditionModel.KeyMatch, isAlone: Bool
    ) -> Expression? {
        let variable = scope.environment.variable(named: match.key.value)
        guard makesSense(match, of: variable, isAlone: isAlone) else {
            isBroken = true
            return nil
        }
        let tests = match.tests.compactMap { build($0, of: match.key, variable: variable) }
        if tests.count < match.tests.count { isBroken = true }
        let range = match.key.range
        let asksAlready = match.tests.contains { $0.matcher.value == .exists }
        let mayFail = variable?.mayBeMissing == true && !asksAlready
        let isThere = mayFail ? [Expression.has(match.key.value, at: range)] : []
        let passes = Expression.all(isThere + tests, at: range)
        return match.isNegated ? .call("!_", arguments: [passes], at: range) : passes
    }

    /// Returns true if the tests of a key can be read; reports why not.
    private mutating func makesSense(
        _ match: ConditionModel.KeyMatch, of variable: Variable?, isAlone: Bool
    ) -> Bool {
        if variable == nil, match.tests.first?.operand.kind == .sequence {
            let similar = similarNames(to: match.key.value, among: combiners)
            if similar.count == 1 {
                decoder.report(.misspeltCombiner(match.key, meant: similar[0]))
                return false
            }
        }
        if let variable, let test = match.tests.first(where: { $0.isEmpty }) {
            decoder.report(.nothingToCompare(match, test: test, type: variable.type))
            return false
        }
        // Without tests no value could be read, which has been reported.
        return !match.tests.isEmpty && !report(membershipOf: match, variable, isAlone: isAlone)
    }

    /// Reports a key with a list that is compared with single values; returns true if the
    /// comparison makes no sense.
    private mutating func report(
        membershipOf match: ConditionModel.KeyMatch, _ variable: Variable?, isAlone: Bool
    ) -> Bool {
        guard case .list(let element)? = variable?.type else { return false }
        var isBroken = false
        for test in match.tests {
            let membership = Membership(
                match, test: test, element: element, isAlone: isAlone, in: decoder.source)
            guard let membership else { continue }
            decoder.report(membership.finding)
            if !membership.isList { isBroken = true }
        }
        return isBroken
    }
}

extension Diagnostic {
    fileprivate static func misspeltCombiner(_ key: Located<String>, meant: String) -> Self {
        Diagnostic(
            .conditionUnknownKey, message: "unknown key `\(key.value.shortened)` in a condition",
            at: key.range, label: "not declared in the context",
            help: ["use `\(meant)`, which takes a list of conditions"],
            fixes: [.rename(key.range, to: meant)])
    }

    fileprivate static func keysOfSchedule(_ keys: [Located<String>]) -> Self {
        return Diagnostic(
            .conditionUnknownKey, message: "unknown key `\(keys[0].value)` in a condition",
            at: keys[0].range,
            label: "not declared in the context",
            secondary: keys.dropFirst().prefix(4).map {
                Label("also not declared in the context", at: $0.range)
            },
            help: [
                "move \(enumeration(keys.map(\.value), atMost: 5)) to the popup's `schedule`,"
                    + " next to `when`"
            ])
    }
}
