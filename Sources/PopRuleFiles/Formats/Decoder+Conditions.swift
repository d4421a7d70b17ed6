internal import PopAdvice
internal import PopCEL
internal import PopSource
internal import PopYAML

extension Decoder {
    mutating func condition(_ node: YAMLNode) -> ConditionModel? {
        let form: ConditionModel.Form? =
            switch node.kind {
            case .scalar: scalarCondition(node)
            case .sequence: parts(node).map { .all($0) }
            case .mapping: mapCondition(node)
            }
        return form.map {
            ConditionModel(form: $0, range: node.range, definition: node.definitionRange)
        }
    }

    private mutating func scalarCondition(_ node: YAMLNode) -> ConditionModel.Form? {
        switch node.coreValue {
        case .bool(let value)?: return .constant(value)
        case .string?: break
        case .null?, .int?, .unsigned?, .hugeInteger?, .float?:
            return mismatch(.condition, at: node)
        case nil: return nil
        }
        if node.isPlain, let comment = node.trailingComment,
            let cut = commentedExpression(node, comment: comment)
        {
            report(cut)
            return nil
        }
        guard let text = node.text, let map = node.textMap else { return nil }
        if text.utf8.allSatisfy({ " \t\n\r\u{C}".utf8.contains($0) }) {
            report(.noValue(of: self, takes: .condition, at: node.range))
            return nil
        }
        return expression(text, at: map)
    }

    /// A string as an expression; a string that was parsed before is not parsed again.
    private mutating func expression(_ text: String, at map: TextMap) -> ConditionModel.Form {
        let key = known == nil ? nil : HashedText(text)
        if let key, let expression = known?[key] {
            note(expression)
            return .expression(again(expression, at: map))
        }
        let parsed = Expression.parse(text, map: map, advice: .full)
        guard let expression = parsed.value, !parsed.diagnostics.hasErrors else {
            note(unread: text)
            return .unread(text, map)
        }
        note(expression)
        if let key, parsed.diagnostics.isEmpty, let first = known?.note(expression, for: key) {
            return .expression(again(first, at: map))
        }
        return .expression(expression)
    }

    /// The items of a list of conditions; those that cannot be read are `broken`.
    private mutating func parts(_ node: YAMLNode) -> [ConditionModel]? {
        nested(node, atMost: limits.conditionDepth) { decoder in
            decoder.read(.list(of: .condition), at: node).map { $0.value.map(\.value) }
        }
    }

    private mutating func mapCondition(_ node: YAMLNode) -> ConditionModel.Form? {
        if let logic = jsonLogic(in: node) ?? expressionInBraces(node) {
            report(logic)
            return nil
        }
        if let foreign = foreignCombiner(in: node) {
            report(foreign)
            // Errors inside of it are reported in the same run.
            let entry = node.entries.first { $0.key.range == foreign.range }
            if let entry, entry.value.kind == .sequence {
                inside(key: entry.key) { decoder in _ = decoder.parts(entry.value) }
            }
            return nil
        }
        if let foreign = foreignComparison(in: node) {
            report(foreign)
            return nil
        }
        guard node.entries.contains(where: { isCombiner($0.key) }) else {
            return .keys(node.entries.flatMap { keyMatches($0) })
        }
        let entries = entries(of: node, withListsAt: isCombiner)
        if entries.count < node.entries.count, entries.isEmpty { return nil }
        if entries.count == 1, let combining = entries.first { return combined(combining) }
        return .all(entries.map { part($0) })
    }

    /// One of several entries of a map, all of which must hold.
    private mutating func part(_ entry: YAMLEntry) -> ConditionModel {
        let form = isCombiner(entry.key) ? combined(entry) : .keys(keyMatches(entry))
        return ConditionModel(
            form: form ?? .broken, range: entry.key.range.union(entry.value.range))
    }

    private mutating func combined(_ combining: YAMLEntry) -> ConditionModel.Form? {
        inside(key: combining.key) { decoder -> ConditionModel.Form? in
            guard !combining.value.isBroken else { return nil }
            guard combining.value.kind == .sequence else {
                return decoder.noList(of: combining)
            }
            guard let parts = decoder.parts(combining.value) else { return nil }
            if combining.value.items.isEmpty { decoder.report(.emptyCombiner(combining)) }
            switch combining.key.scalar?.text {
            case "all": return .all(parts)
            case "any": return .any(parts)
            default: return .none(parts)
            }
        }
    }

    /// Returns the tests of a key, and separately those under `not`.
    private mutating func keyMatches(_ entry: YAMLEntry) -> [ConditionModel.KeyMatch] {
        guard let name = name(ofKey: entry.key) else { return [] }
        note(key: name)
        let key = Located(name, at: entry.key.range)
        guard entry.value.kind == .mapping else {
            let test = ConditionModel.Test(
                matcher: Located(.eq, at: entry.value.range), operand: entry.value)
            return [ConditionModel.KeyMatch(key: key, tests: [test], value: entry.value.range)]
        }
        if let nested = nestedKeys(entry) {
            report(nested)
            return []
        }
        return inside(key: entry.key) { decoder in
            let entries = decoder.comparisons(of: entry)
            let negations = entries.filter(isNegation)
            let tests = entries.filter { !isNegation($0) }
            var matches = negations.map { negation in
                ConditionModel.KeyMatch(
                    key: key,
                    tests: decoder.comparisons(of: negation).compactMap {
                        decoder.test($0, isNegated: true)
                    },
                    value: negation.value.range, isNegated: true)
            }
            if !tests.isEmpty || negations.isEmpty {
                matches.append(
                    ConditionModel.KeyMatch(
                        key: key, tests: tests.compactMap { decoder.test($0) },
                        value: entry.value.range))
            }
            return matches
        }
    }

    /// Returns the entries in the value of a key, or below `not`.
    private mutating func comparisons(of entry: YAMLEntry) -> [YAMLEntry] {
        if entry.value.entries.isEmpty { report(.noMatcher(entry)) }
        return entries(of: entry.value) { $0.text == "in" || $0.text == "not_in" }
    }

    /// `isNegated` is true below `not`, where another `not` is an error.
    private mutating func test(
        _ entry: YAMLEntry, isNegated: Bool = false
    ) -> ConditionModel.Test? {
        guard !entry.key.isBroken else { return nil }
        let name = entry.key.scalar?.text ?? ""
        guard let matcher = Matcher(rawValue: name) else {
            if isNegation(entry) {
                report(.negatedTwice(entry))
            } else if let help = helpOnMatcher(entry, isNegated: isNegated) {
                report(
                    .unknownMatcher(
                        entry, subject: subjectOfValue, help: help.texts, fixes: help.fixes))
            } else if entry.key.scalar?.hasText("not") == true, !isOneValue(entry.value) {
                let key = subjectOfValue.filter { $0 != "`" }
                let list = entry.value.items.isEmpty ? nil : onOneLine(entry.value)
                report(
                    .unknownMatcher(
                        entry, subject: subjectOfValue,
                        help: [
                            "use `not_in` to exclude several values, such as"
                                + " `\(key): { not_in: \(list ?? "[a, b]") }`",
                            "to negate a comparison, write the comparison in `not`, such as"
                                + " `\(key): { not: { contains: a } }`",
                        ], fixes: []))
            } else {
                report(
                    .unknownMatcher(
                        entry, subject: subjectOfValue, value: onOneLine(entry.value),
                        words: isNegated ? matcherWords : namesOfComparisons))
            }
            return nil
        }
        return ConditionModel.Test(
            matcher: Located(matcher, at: entry.key.range), operand: entry.value)
    }
}

extension Decoder {
    /// Returns how to write a negated comparison or one with several values, for which there is no
    /// single matcher; nil for other names.
    private func helpOnMatcher(
        _ entry: YAMLEntry, isNegated: Bool = false
    ) -> (texts: [String], fixes: [Diagnostic.Fix])? {
        let name = entry.key.nameForMessages.lowercased()
        if foreignMatchers[name] != nil { return nil }
        let value = source.text(in: entry.value.range)
        let key = subjectOfValue.filter { $0 != "`" }
        let text = value.contains("\n") ? "…" : value.shortened
        if let span = span(name, entry) {
            return (
                [
                    "write `\(key): { \(span.text) }`, so that the range includes `\(span.low)` and"
                        + " `\(span.high)`"
                ], []
            )
        }
        for (ending, word) in [
            ("_any", "any"), ("_any_of", "any"), ("_all", "all"), ("_none", "none"),
        ]
        where name.hasSuffix(ending) {
            guard let matcher = matcher(String(name.dropLast(ending.count))) else { continue }
            let items = entry.value.items.map { source.text(in: $0.range).shortened }
            let parts = (items.isEmpty ? ["…"] : items).map {
                "{ \(key): { \(matcher.rawValue): \($0) } }"
            }
            let list = parts.joined(separator: ", ")
            return (
                [
                    "replace `\(key): { \(entry.key.nameForMessages): … }` with"
                        + " `\(word): [\(list)]`"
                ], []
            )
        }
        for beginning in ["not_", "does_not_", "doesnt_", "do_not_", "no_", "isnt_", "is_not_"]
        where name.hasPrefix(beginning) {
            return opposite(
                of: String(name.dropFirst(beginning.count)), entry: entry, value: text,
                isNegated: isNegated)
        }
        return name.hasSuffix("_not")
            ? opposite(
                of: String(name.dropLast(4)), entry: entry, value: text, isNegated: isNegated)
            : nil
    }

    /// `between: [16, 32]` as two comparisons; nil for anything else.
    private func span(
        _ name: String, _ entry: YAMLEntry
    ) -> (text: String, low: String, high: String)? {
        let bounds = entry.value.items.compactMap { onOneLine($0) }
        guard ["between", "range", "in_range", "is_between", "within"].contains(name),
            bounds.count == 2, entry.value.items.count == 2
        else { return nil }
        return ("gte: \(bounds[0]), lte: \(bounds[1])", bounds[0], bounds[1])
    }

    private func opposite(
        of name: String, entry: YAMLEntry, value: String, isNegated: Bool
    ) -> (texts: [String], fixes: [Diagnostic.Fix])? {
        switch matcher(name) {
        case .exists?: (["use `exists: false` to check that there is no value"], [])
        case .eq?: (["use `ne` instead"], [])
        case .in?: (["use `not_in` instead"], [])
        case let matcher?:
            isNegated ? nil : negation(of: "\(matcher.rawValue): \(value)", at: entry)
        case nil: nil
        }
    }

    /// A comparison below `not`; to write it in its place is offered where it is written whole.
    private func negation(
        of comparison: String, at entry: YAMLEntry
    ) -> (texts: [String], fixes: [Diagnostic.Fix]) {
        let text = "not: { \(comparison) }"
        let range = entry.key.range.union(entry.value.range)
        let isWhole = !comparison.hasSuffix("…")
        let fix = Diagnostic.Fix(
            "write `\(text)`", edits: [.init(range, replacement: text)], isSafe: false)
        return (
            ["write `\(text)`, which is also true if \(subjectOfValue) has no value"],
            isWhole ? [fix] : []
        )
    }

    /// A comparison by its own name, by another, or by the verb that it is called after.
    func matcher(_ name: String) -> Matcher? {
        let verbs = [
            "contain": "contains", "start_with": "starts_with", "end_with": "ends_with",
            "match": "matches", "exist": "exists", "equal": "eq", "include": "contains",
            "have": "contains",
        ]
        return Matcher(rawValue: name)
            ?? (foreignMatchers[name] ?? verbs[name]).flatMap { Matcher(rawValue: $0) }
    }
}

private let namesOfComparisons = Matcher.allCases.map(\.rawValue) + ["not"]

private func isOneValue(_ node: YAMLNode) -> Bool { node.kind == .scalar && !node.isNull }

/// Returns true if the comparisons below must not all hold.
private func isNegation(_ entry: YAMLEntry) -> Bool {
    entry.key.scalar?.hasText("not") == true && entry.value.kind == .mapping
}

/// Other common names for matchers.
private let foreignMatchers = [
    "equals": "eq", "is": "eq", "not": "ne", "neq": "ne", "is_not": "ne", "greater_than": "gt",
    "greater": "gt", "less": "lt", "more_than": "gt", "at_least": "gte",
    "at_most": "lte",
    "less_than": "lt", "min": "gte", "max": "lte", "ge": "gte", "le": "lte", "one_of": "in",
    "any_of": "in", "nin": "not_in", "has": "contains", "includes": "contains",
    "prefix": "starts_with",
    "suffix": "ends_with", "regex": "matches", ">": "gt", ">=": "gte", "<": "lt", "<=": "lte",
    "==": "eq", "!=": "ne", "set": "exists", "present": "exists", "=": "eq", "===": "eq",
    "!==": "ne", "<>": "ne", "not_equal": "ne", "not_equals": "ne", "is_equal": "eq",
    "is_equal_to": "eq", "equal_to": "eq", "greater_than_or_equal": "gte",
    "greater_than_or_equals": "gte", "greater_than_or_equal_to": "gte", "greater_or_equal": "gte",
    "less_than_or_equal": "lte", "less_than_or_equals": "lte", "less_than_or_equal_to": "lte",
    "less_or_equal": "lte", "minimum": "gte", "maximum": "lte", "above": "gt", "over": "gt",
    "below": "lt", "under": "lt", "fewer_than": "lt", "larger_than": "gt", "is_in": "in",
    "is_one_of": "in", "begins_with": "starts_with",
]

// Nested keys.
extension Decoder {
    /// Returns the finding about a map with the last parts of key names below the first part; nil
    /// for comparisons.
    private func nestedKeys(_ entry: YAMLEntry) -> Diagnostic? {
        guard let outer = entry.key.scalar?.text, NameForm.id.fits(outer.utf8),
            !entry.value.entries.isEmpty,
            entry.value.entries.allSatisfy({ isPartOfName($0) })
        else { return nil }
        let keys = entry.value.entries.map { inner -> String in
            let name = "\(outer).\(inner.key.nameForMessages)"
            return onOneLine(inner.value).map { "\(name): \($0)" } ?? "\(name): …"
        }
        return .nestedKeys(entry.key, keys: keys)
    }

    /// Returns true if a key isn't a comparison under any name.
    private func isPartOfName(_ entry: YAMLEntry) -> Bool {
        guard let name = entry.key.scalar?.text, NameForm.dotted.fits(name.utf8), !name.isEmpty
        else { return false }
        let words = namesOfComparisons + combiners
        return !words.contains(name) && matcher(name.lowercased()) == nil
            && similarNames(to: name, among: words).isEmpty && helpOnMatcher(entry) == nil
    }
}

extension Diagnostic {
    fileprivate static func nestedKeys(_ outer: YAMLNode, keys: [String]) -> Self {
        let names = keys.prefix(5).map { "`\($0)`" }
        return Diagnostic(
            .schemaUnknownKey, message: "context keys cannot be nested", at: outer.range,
            label: "`\(outer.nameForMessages)` contains other keys",
            help: [
                "write the whole name as one key: " + names.joined(separator: " and ")
            ]
                + (keys.count == 1
                    ? [
                        "if `\(outer.nameForMessages)` is the key, use one of the comparisons"
                            + " \(enumeration(namesOfComparisons))"
                    ] : []))
    }
}

extension Diagnostic {
    fileprivate static func emptyCombiner(_ entry: YAMLEntry) -> Self {
        let isAny = entry.key.scalar?.hasText("any") == true
        let word = isAny ? "never" : "always"
        return Diagnostic(
            isAny ? .logicNeverTrue : .logicAlwaysTrue,
            message: "`\(entry.key.nameForMessages)` with no conditions is \(word) true",
            at: entry.key.range.union(entry.value.range), label: "an empty list",
            help: [
                "list at least one condition, such as"
                    + " `\(entry.key.nameForMessages): [user.plan == \"pro\"]`"
            ])
    }

    fileprivate static func noMatcher(_ entry: YAMLEntry) -> Self {
        Diagnostic(
            .schemaMissingKey, message: "`\(entry.key.nameForMessages)` has no comparison",
            at: entry.value.range, label: "contains no comparison",
            help: [
                "use one of the comparisons "
                    + enumeration(
                        entry.key.scalar?.hasText("not") == true
                            ? matcherWords : namesOfComparisons)
            ])
    }

    fileprivate static func unknownMatcher(
        _ entry: YAMLEntry, subject: String, help: [String], fixes: [Diagnostic.Fix]
    ) -> Self {
        Diagnostic(
            .schemaUnknownKey, message: messageOnMatcher(entry, subject: subject),
            at: entry.key.range,
            label: entry.key.scalar?.hasText("not") == true
                ? "has no comparison" : "not a comparison", help: help, fixes: fixes)
    }

    /// `not` exists, but only with a comparison in it.
    private static func messageOnMatcher(_ entry: YAMLEntry, subject: String) -> String {
        entry.key.scalar?.hasText("not") == true
            ? "`not` of \(subject) must be a comparison such as `{ eq: 3 }`, but"
                + " \(entry.value.foundClause)"
            : "unknown comparison `\(entry.key.nameForMessages)` for \(subject)"
    }

    fileprivate static func negatedTwice(_ entry: YAMLEntry) -> Self {
        Diagnostic(
            .schemaUnknownKey, message: "`not` cannot be nested in another `not`",
            at: entry.key.range, label: "the second `not`",
            help: [
                "remove both `not` keys, because they cancel each other out; or, to negate the"
                    + " comparison, remove one `not`"
            ])
    }

    /// `value` is the compared value, on one line; `words` are the comparisons that are possible.
    fileprivate static func unknownMatcher(
        _ entry: YAMLEntry, subject: String, value: String?, words: [String]
    ) -> Self {
        let key = entry.key
        let name = key.nameForMessages
        let names = Matcher.allCases.map(\.rawValue)
        let meant = foreignMatchers[name].map { [$0] } ?? similarNames(to: name, among: names)
        return Diagnostic(
            .schemaUnknownKey, message: messageOnMatcher(entry, subject: subject),
            at: key.range,
            label: meant.isEmpty
                ? "not a comparison" : "use \(alternatives(meant)) instead",
            help: meant.isEmpty
                ? ["use one of the comparisons \(enumeration(words))"]
                : meant.count == 1
                    ? value.map { ["write `\(meant[0]): \($0)`"] } ?? [] : [],
            fixes: meant.count == 1 ? [.rename(key.range, to: meant[0])] : [])
    }
}
