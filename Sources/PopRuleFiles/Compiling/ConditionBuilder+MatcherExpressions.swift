internal import PopCEL
internal import PopSource
internal import PopYAML

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
                    "compare `\(key)` with a value: it has a default, so it is never missing"
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
            "if one of them is enough: `any: [\(parts)]`",
            "if all of them are required: `all: [\(parts)]`",
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
            label: "the operator is part of the string",
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
                "use `\(key): \(reading.text)` to check whether it is one of several values",
                node.isPlain && wordsJoinedByOr(node.nameForMessages) == nil
                    ? "put it in quotes if you mean one string"
                    : "use `\(key): { eq: \"\(node.nameForMessages)\" }` if you mean this one"
                        + " string",
            ])
    }

    fileprivate static func operandWithoutMeaning(
        _ test: ConditionModel.Test, key: String, help: [String]
    ) -> Self {
        let name = "`\(key): \(test.matcher.value.rawValue)`"
        return Diagnostic(
            .conditionTypeMismatch,
            message: test.operand.isNull
                ? "\(name) needs a value, but is empty" : "\(name) takes one value, but is a list",
            at: test.operand.range, label: test.operand.isNull ? "no value" : "several values",
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
            at: range, label: "cannot be used with `\(type)`")
    }
}
