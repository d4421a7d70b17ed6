internal import PopCEL
internal import PopScheduler
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
            at: key.range, label: "not a context key",
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
                "move \(enumeration(keys.map(\.value), atMost: 5)) from the condition to the"
                    + " popup's `schedule`, such as"
                    + " `schedule: { days: [mon-fri], hours: 09:00-17:00, zone: local }`"
            ])
    }
}

extension ConditionBuilder {
    /// One test of a key; nil when it could not be read or does not fit the key, which is reported.
    mutating func build(
        _ test: ConditionModel.Test, of key: Located<String>, variable: Variable?
    ) -> Expression? {
        guard !test.operand.isBroken else { return nil }
        let type = variable?.type ?? .dyn
        let range = place(of: test, key)
        let matcher = test.matcher.value
        guard matcher.takes(type) else {
            decoder.report(
                .matcherTakesNot(matcher, key: key.value, type: type, at: test.matcher.range))
            return nil
        }
        if let help = helpOnOperand(of: test, key: key.value, variable: variable) {
            decoder.report(.operandWithoutMeaning(test, key: key.value, help: help))
            return nil
        }
        guard let operand = operand(of: test, key: key, type: type) else { return nil }
        if matcher == .exists {
            let isThere = Expression.has(key.value, at: range)
            return operand == .bool(true) ? isThere : .call("!_", arguments: [isThere], at: range)
        }
        return matcher.expression(
            .name(key.value, at: key.range),
            constant: constant(operand, at: test.operand, variable: variable),
            isText: type == .string, at: range)
    }

    /// Returns the help for a key that is compared with null, or for `contains` with several
    /// values; nil for other operands.
    private func helpOnOperand(
        of test: ConditionModel.Test, key: String, variable: Variable?
    ) -> [String]? {
        let matcher = test.matcher.value
        if matcher == .eq || matcher == .ne, test.operand.isNull {
            if variable?.mayBeMissing == false {
                return [
                    "compare `\(key)` with a value, because `\(key)` has a default and is never"
                        + " missing"
                ]
            }
            let what = matcher == .eq ? "no" : "a"
            return [
                "use `{ \(key): { exists: \(matcher == .ne) } }` to check that the key has"
                    + " \(what) value"
            ]
        }
        guard matcher == .contains, test.operand.kind == .sequence, test.operand.items.count > 1
        else { return nil }
        let items = test.operand.items.prefix(4).map { decoder.onOneLine($0) ?? "…" }
        let parts = items.map { "{ \(key): { contains: \($0) } }" }.joined(separator: ", ")
        return [
            "if one of these values is enough: `any: [\(parts)]`",
            "if all these values are required: `all: [\(parts)]`",
        ]
    }

    /// The operand as an expression. If the key has a list of allowed values, each item of the
    /// operand is an expression of its own, so that it is checked against that list.
    private func constant(
        _ operand: Value, at node: YAMLNode, variable: Variable?
    ) -> Expression {
        guard case .list(let values) = operand, variable?.allowedValues != nil,
            values.count == node.items.count, values.count <= 1_000
        else { return .literal(operand, at: node.range) }
        let items = zip(values, node.items).map { Expression.literal($0, at: $1.range) }
        return .list(items, at: node.range)
    }

    /// The value that a matcher compares with, of the type that the key requires.
    private mutating func operand(
        of test: ConditionModel.Test, key: Located<String>, type: CELType
    ) -> Value? {
        let wanted: CELType =
            switch test.matcher.value {
            case .exists: .bool
            case .in, .notIn: .list(type)
            case .contains: type.contained ?? type
            case .eq, .ne, .gt, .gte, .lt, .lte, .startsWith, .endsWith, .matches: type
            }
        let isPlain = test.operand.range == test.matcher.range
        let subject = isPlain ? key.value : "\(key.value): \(test.matcher.value.rawValue)"
        return decoder.inside(keyNamed: subject) { decoder in
            if isPlain, type == .string, let reading = decoder.operatorInText(test.operand) {
                decoder.report(.operatorInText(key.value, reading: reading, at: test.operand))
            } else if isPlain, type == .string, let reading = decoder.listInText(test.operand) {
                decoder.report(.listInText(key.value, reading: reading, at: test.operand))
            } else if isPlain, let readings = decoder.matcherReadings(test.operand, type: type) {
                return decoder.mismatch(
                    type.schema, at: test.operand, check: .conditionTypeMismatch,
                    help: readings.isEmpty
                        ? ["use `in` with a list to compare with several values"]
                        : readings.help(behind: key.value),
                    fixes: readings.fixes(at: test.operand.range))
            }
            return decoder.value(test.operand, as: wanted, check: .conditionTypeMismatch)
        }
    }

    /// From the key to the end of the operand, if the operand follows the key.
    private func place(of test: ConditionModel.Test, _ key: Located<String>) -> SourceRange {
        let operand = test.operand.range
        guard operand.file == key.range.file, key.range < operand else { return key.range }
        return key.range.union(operand)
    }
}

extension Matcher {
    /// The comparison of a value with a constant.
    fileprivate func expression(
        _ value: Expression, constant: Expression, isText: Bool, at range: SourceRange
    ) -> Expression {
        switch self {
        case .exists: return value
        case .eq: return .call("_==_", arguments: [value, constant], at: range)
        case .ne: return .call("_!=_", arguments: [value, constant], at: range)
        case .gt: return .call("_>_", arguments: [value, constant], at: range)
        case .gte: return .call("_>=_", arguments: [value, constant], at: range)
        case .lt: return .call("_<_", arguments: [value, constant], at: range)
        case .lte: return .call("_<=_", arguments: [value, constant], at: range)
        case .in: return .call("_in_", arguments: [value, constant], at: range)
        case .notIn:
            return .call(
                "!_", arguments: [.call("_in_", arguments: [value, constant], at: range)], at: range
            )
        case .contains where isText:
            return .call("contains", on: value, arguments: [constant], at: range)
        case .contains: return .call("_in_", arguments: [constant, value], at: range)
        case .startsWith: return .call("startsWith", on: value, arguments: [constant], at: range)
        case .endsWith: return .call("endsWith", on: value, arguments: [constant], at: range)
        case .matches: return .call("matches", on: value, arguments: [constant], at: range)
        }
    }

    /// Returns true if values of the type can be compared with the matcher.
    fileprivate func takes(_ type: CELType) -> Bool {
        if type == .dyn { return true }
        return switch self {
        case .exists, .eq, .ne, .in, .notIn: true
        case .contains: type == .string || type.contained != nil
        case .startsWith, .endsWith, .matches: type == .string
        case .gt, .gte, .lt, .lte: type.contained == nil
        }
    }
}

extension CELType {
    /// The type of a list's elements or of a map's keys; nil for other types.
    var contained: CELType? {
        switch self {
        case .list(let element): element
        case .map(let key, _): key
        case .dyn, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration,
            .version, .optional, .type, .wrapper, .opaque, .parameter:
            nil
        }
    }
}

extension Diagnostic {
    fileprivate static func operatorInText(
        _ key: String, reading: Reading, at node: YAMLNode
    ) -> Self {
        Diagnostic(
            .conditionSuspiciousCompare,
            message: "`\(key)` is compared with the string `\(node.nameForMessages)`",
            at: node.range,
            label: "this operator is part of the string",
            help: ["use `\(key): \(reading.text)` to compare with the value after the operator"])
    }

    fileprivate static func listInText(
        _ key: String, reading: Reading, at node: YAMLNode
    ) -> Self {
        Diagnostic(
            .conditionSuspiciousCompare,
            message: "`\(key)` is compared with the string `\(node.nameForMessages)`",
            at: node.range,
            label: "one string, not several values",
            help: [
                "use `\(key): \(reading.text)` to check for one of several values",
                node.isPlain && wordsJoinedByOr(node.nameForMessages) == nil
                    ? "if you mean one string, put it in quotes"
                    : "if you mean one string, use"
                        + " `\(key): { eq: \"\(node.nameForMessages)\" }`",
            ])
    }

    fileprivate static func operandWithoutMeaning(
        _ test: ConditionModel.Test, key: String, help: [String]
    ) -> Self {
        let name = "`\(test.matcher.value.rawValue)` of `\(key)`"
        return Diagnostic(
            .conditionTypeMismatch,
            message: test.operand.isNull
                ? "\(name) needs a value, but has no value"
                : "\(name) takes one value, but is a list",
            at: test.operand.range, label: test.operand.isNull ? "no value" : "a list of values",
            help: help)
    }

    fileprivate static func matcherTakesNot(
        _ matcher: Matcher, key: String, type: CELType, at range: SourceRange
    ) -> Self {
        let wanted =
            switch matcher {
            case .contains: "a string, a list or a map"
            case .startsWith, .endsWith, .matches: "a string"
            case .gt, .gte, .lt, .lte: "a value that has an order"
            case .exists, .eq, .ne, .in, .notIn: "any value"
            }
        return Diagnostic(
            .conditionTypeMismatch,
            message:
                "`\(matcher.rawValue)` needs \(wanted), but `\(key)` has the type `\(type)`",
            at: range, label: "cannot be used with `\(type)`",
            help: type.isNumeric ? ["use a comparison of numbers, such as `eq` or `gte`"] : [])
    }
}
