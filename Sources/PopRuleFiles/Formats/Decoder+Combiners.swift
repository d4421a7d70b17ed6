internal import PopCEL
internal import PopSource
internal import PopYAML

/// Keys of a map that make conditions out of the conditions in their lists.
let combiners = ["all", "any", "none"]

func isCombiner(_ key: YAMLNode) -> Bool {
    guard let scalar = key.scalar else { return false }
    return combiners.contains { scalar.hasText($0) }
}

/// Other common words for them.
private let foreignCombiners: [String: String] = {
    let words: [(words: String, thing: String)] = [
        ("and all_of both every must", "all"), ("or any_of either some one_of should", "any"),
        ("not none_of neither nor no must_not unless", "none"),
    ]
    return wordTable(words).merging(combiners.map { ($0, $0) }) { first, _ in first }
}()

extension Decoder {
    /// Returns the finding about a map that has a key such as `not`; nil if none of its keys
    /// combines anything.
    mutating func foreignCombiner(in node: YAMLNode) -> Diagnostic? {
        guard
            let entry = node.entries.first(where: {
                !isCombiner($0.key) && combiner(for: $0) != nil
            }),
            let word = combiner(for: entry)
        else { return nil }
        if node.entries.contains(where: { $0.key.scalar?.hasText(word) == true }) {
            return .foreignCombiner(
                entry.key, word: word, readings: [], at: entry.key.range, isTaken: true)
        }
        let readings =
            entry.value.kind == .mapping || entry.value.kind == .sequence
            ? readings(of: entry.value, in: word)
            : [Reading("\(word): [\(source.text(in: entry.value.range))]")]
        return .foreignCombiner(
            entry.key, word: word, readings: readings, at: entry.key.range.union(entry.value.range))
    }

    /// Returns the finding about a map that spells a comparison out, `{ field: …, op: …, value: …
    /// }`, or a combination, `{ operator: or, conditions: [ … ] }`; nil for other maps.
    func foreignComparison(in node: YAMLNode) -> Diagnostic? {
        func entry(_ names: Set<String>) -> YAMLEntry? {
            node.entries.first { names.contains($0.key.nameForMessages.foldedForNames) }
        }
        let keys: Set = [
            "field", "key", "attribute", "property", "variable", "trait", "filter", "param",
        ]
        guard let sign = entry(["op", "operator", "comparison", "comparator"]),
            let word = sign.value.scalar?.text
        else { return comparisonBesideKey(in: node, key: entry(keys)) }
        if node.entries.count == 2,
            let list = entry(["conditions", "rules", "operands", "children"]),
            list.value.kind == .sequence, let combiner = foreignCombiners[word.lowercased()]
        {
            return .spelledOut(
                sign.key, readings: readings(of: list.value, in: combiner),
                otherwise: "`\(combiner)`",
                at: node.isFlow ? nil : node.range)
        }
        guard let key = entry(keys), let name = key.value.scalar?.text,
            NameForm.dotted.fits(name.utf8), let value = entry(["value", "values"]),
            let text = onOneLine(value.value)
        else { return nil }
        guard let matcher = matcher(word.foldedForNames), node.entries.count == 3 else {
            return .unknownOperator(sign, key: name, value: text)
        }
        return .spelledOut(
            key.key, readings: [Reading(comparison(of: name, by: matcher, with: text))],
            otherwise: "a key", at: node.isFlow ? node.range : nil)
    }

    /// `{ filter: user.country, is: FR }`.
    private func comparisonBesideKey(in node: YAMLNode, key: YAMLEntry?) -> Diagnostic? {
        guard node.entries.count == 2, let key, let name = key.value.scalar?.text,
            NameForm.dotted.fits(name.utf8),
            let other = node.entries.first(where: { $0.key.range != key.key.range }),
            let matcher = matcher(other.key.nameForMessages.foldedForNames),
            let text = onOneLine(other.value)
        else { return nil }
        return .spelledOut(
            key.key, readings: [Reading(comparison(of: name, by: matcher, with: text))],
            otherwise: "a key", at: node.isFlow ? node.range : nil)
    }

    /// A map that spells a comparison out, as a condition; nil for other maps.
    func spelledOut(_ node: YAMLNode) -> String? {
        guard node.kind == .mapping else { return nil }
        func value(_ names: Set<String>) -> YAMLNode? {
            node.entries.first { names.contains($0.key.nameForMessages.foldedForNames) }?.value
        }
        guard let name = value(["field", "key", "attribute", "property", "trait", "filter"]),
            let key = name.scalar?.text, NameForm.dotted.fits(key.utf8)
        else { return nil }
        if let word = value(["op", "operator", "comparison", "comparator"])?.scalar?.text,
            let matcher = matcher(word.foldedForNames),
            let text = value(["value", "values"]).flatMap({ onOneLine($0) })
        {
            return comparison(of: key, by: matcher, with: text)
        }
        for entry in node.entries where entry.value.range != name.range {
            if let matcher = matcher(entry.key.nameForMessages.foldedForNames),
                let text = onOneLine(entry.value)
            {
                return comparison(of: key, by: matcher, with: text)
            }
        }
        return nil
    }

    /// A comparison as a map.
    func comparison(of key: String, by matcher: Matcher, with value: String) -> String {
        matcher == .eq && !value.hasPrefix("[")
            ? "{ \(key): \(value) }" : "{ \(key): { \(matcher.rawValue): \(value) } }"
    }

    /// Returns the combiner that a key with such a value means; nil if it may be the name of a
    /// context key.
    private func combiner(for entry: YAMLEntry) -> String? {
        guard let name = entry.key.scalar?.text,
            let word = foreignCombiners[name.lowercased()] ?? foreignCombiners[name.foldedForNames]
        else { return nil }
        switch entry.value.kind {
        case .sequence: return word
        case .mapping:
            let isComparison = entry.value.entries.allSatisfy {
                $0.key.scalar.map { Matcher(rawValue: $0.text) != nil } ?? false
            }
            return isComparison ? nil : word
        case .scalar:
            guard word == "none", case .string? = entry.value.coreValue else { return nil }
            return entry.value.isPlain ? word : nil
        }
    }

    /// Reports that the value of a combiner isn't a list, and returns nil.
    mutating func noList<Value>(of entry: YAMLEntry) -> Value? {
        let name = entry.key.scalar?.text ?? ""
        guard entry.value.kind == .mapping else {
            return mismatch(.list(.condition), at: entry.value)
        }
        let readings = readings(of: entry.value, in: name)
        return mismatch(
            .list(.condition), at: entry.value,
            help: readings.isEmpty
                ? ["write each condition as an item of a list: start its line with `- `"]
                : readings.help,
            fixes: readings.fixes(at: entry.key.range.union(entry.value.range)))
    }

    /// A map or list as the list that a combiner takes; nothing when it is too long for one line.
    private func readings(of node: YAMLNode, in word: String) -> [Reading] {
        let isMap = node.kind == .mapping
        let parts =
            isMap
            ? node.entries.map { flowText(of: $0).map { "{ \($0) }" } }
            : node.items.map { flowText(of: $0) }
        guard !parts.contains(nil), !hasComment(node.range) else { return [] }
        let items = parts.compactMap(\.self)
        let apart = "\(word): [\(items.joined(separator: ", "))]"
        guard word == "none", items.count > 1 else { return [Reading(apart)] }
        let whole =
            isMap
            ? "{ \(node.entries.compactMap { flowText(of: $0) }.joined(separator: ", ")) }"
            : "{ all: [\(items.joined(separator: ", "))] }"
        return [
            Reading(apart, meaning: "none of the conditions is true"),
            Reading("\(word): [\(whole)]", meaning: "not all of the conditions are true"),
        ]
    }

    /// An entry as it would be written in braces; nil if it does not fit there.
    private func flowText(of entry: YAMLEntry) -> String? {
        guard let value = flowText(of: entry.value) else { return nil }
        return "\(source.text(in: entry.key.range)): \(value)"
    }

    /// A value as it would be written in brackets; nil if it spans lines or would be cut there.
    private func flowText(of node: YAMLNode) -> String? {
        let text = source.text(in: node.range)
        guard !text.isEmpty, !text.contains("\n"), !node.isBroken else { return nil }
        if node.kind == .scalar {
            return node.isPlain && text.contains { ",[]{}".contains($0) } ? nil : text
        }
        return node.isFlow ? text : nil
    }

    private func hasComment(_ range: SourceRange) -> Bool {
        source.bytes[range.bytes].contains(UInt8(ascii: "#"))
    }
}

extension Diagnostic {
    fileprivate static func unknownOperator(
        _ sign: YAMLEntry, key: String, value: String
    ) -> Self {
        Diagnostic(
            .schemaUnknownKey,
            message: "unknown comparison `\(sign.value.nameForMessages)`", at: sign.value.range,
            label: "not a comparison",
            help: [
                "use a map of the context key and a comparison, such as"
                    + " `{ \(key): { eq: \(value) } }`; the comparisons are"
                    + " \(enumeration(matcherWords))"
            ])
    }

    /// `range` is the place that the reading replaces as a whole; nil if it is unknown how it fits.
    fileprivate static func spelledOut(
        _ key: YAMLNode, readings: [Reading], otherwise words: String, at range: SourceRange?
    ) -> Self {
        Diagnostic(
            .schemaUnknownKey, message: "unknown key `\(key.nameForMessages)` in a condition",
            at: key.range, label: "not a context key",
            help: readings.isEmpty
                ? ["write a condition as a map of keys, combined by \(words)"]
                : readings.help,
            fixes: range.map { readings.fixes(at: $0) } ?? [])
    }

    fileprivate static func foreignCombiner(
        _ key: YAMLNode, word: String, readings: [Reading], at range: SourceRange,
        isTaken: Bool = false
    ) -> Self {
        Diagnostic(
            .schemaUnknownKey, message: "unknown key `\(key.nameForMessages)` in a condition",
            at: key.range,
            label: isTaken ? "means the same as `\(word)`" : "write `\(word)` instead",
            help: isTaken
                ? [
                    "move the conditions of `\(key.nameForMessages)` into the existing list of"
                        + " `\(word)`"
                ]
                : readings.isEmpty
                    ? ["write a list of conditions below `\(word)`"] : readings.help,
            fixes: readings.fixes(at: range))
    }
}

// Conditions as JsonLogic writes them: `{ ">": [{ "var": "cart.total" }, 30] }`.
extension Decoder {
    /// Returns the finding about a map that is a rule of JsonLogic; nil for other maps.
    func jsonLogic(in node: YAMLNode) -> Diagnostic? {
        guard node.entries.count == 1, let entry = node.entries.first,
            operators.contains(entry.key.nameForMessages), holdsVariable(node, depth: 8)
        else { return nil }
        let text = condition(inJSONLogic: node, depth: 8)
        return .jsonLogic(entry.key, text: text, at: node.range)
    }

    /// Returns true if a value contains a map such as `{ "var": "cart.total" }`.
    private func holdsVariable(_ node: YAMLNode, depth: Int) -> Bool {
        guard depth > 0, !node.isAlias, node.entries.count + node.items.count <= 20 else {
            return false
        }
        if variable(node) != nil { return true }
        return node.items.contains { holdsVariable($0, depth: depth - 1) }
            || node.entries.contains { holdsVariable($0.value, depth: depth - 1) }
    }

    /// Returns the name that a map with `var` refers to.
    private func variable(_ node: YAMLNode) -> String? {
        guard node.entries.count == 1, let entry = node.entries.first,
            entry.key.scalar?.hasText("var") == true,
            let name = (entry.value.items.first ?? entry.value).scalar?.text,
            NameForm.dotted.fits(name.utf8), name != ""
        else { return nil }
        return name
    }

    /// The rule as a condition in its map form; nil if a part of it has no such form.
    private func condition(inJSONLogic node: YAMLNode, depth: Int) -> String? {
        guard depth > 0, node.entries.count == 1, let entry = node.entries.first else { return nil }
        let operands = entry.value.kind == .sequence ? Array(entry.value.items) : [entry.value]
        let word = entry.key.nameForMessages
        if let combiner = ["and": "all", "or": "any", "!": "none"][word] {
            let parts = operands.map { condition(inJSONLogic: $0, depth: depth - 1) }
            guard !parts.isEmpty, !parts.contains(nil) else { return nil }
            return "{ \(combiner): [\(parts.compactMap(\.self).joined(separator: ", "))] }"
        }
        return comparison(inJSONLogic: word, operands)
    }

    private func comparison(inJSONLogic word: String, _ operands: [YAMLNode]) -> String? {
        guard operands.count == 2 else { return nil }
        let isTurned = variable(operands[0]) == nil
        guard let name = variable(operands[isTurned ? 1 : 0]),
            let value = onOneLine(operands[isTurned ? 0 : 1])
        else { return nil }
        if word == "in" {
            let matcher: Matcher = isTurned ? .contains : .in
            return comparison(of: name, by: matcher, with: value)
        }
        let turned = [">": "<", ">=": "<=", "<": ">", "<=": ">="]
        let sign = isTurned ? turned[word] ?? word : word
        guard let matcher = matcher(sign), sign.allSatisfy({ "<>=!".contains($0) }) else {
            return nil
        }
        return comparison(of: name, by: matcher, with: value)
    }
}

private let operators: Set<String> = [
    "and", "or", "!", "!!", "==", "===", "!=", "!==", ">", ">=", "<", "<=", "in",
]

extension Diagnostic {
    fileprivate static func jsonLogic(_ key: YAMLNode, text: String?, at range: SourceRange) -> Self
    {
        Diagnostic(
            .schemaUnknownKey, message: "conditions cannot be written in JsonLogic", at: key.range,
            label: "`\(key.nameForMessages)` is not a context key",
            help: [
                text.map { "write `\($0)`" }
                    ?? "write an expression such as `cart.total > 30.0 && user.plan == \"free\"`,"
                    + " or a map such as `{ cart.total: { gt: 30 }, user.plan: free }`"
            ],
            fixes: text.map { [.rename(range, to: $0)] } ?? [])
    }
}

extension Decoder {
    /// Returns the finding about an unquoted expression of which YAML read the rest as a comment;
    /// nil if it is a real comment.
    ///
    /// A comment that leaves nothing open and has a space after its `#` is a real comment.
    func commentedExpression(_ node: YAMLNode, comment: SourceRange) -> Diagnostic? {
        let looksLikeComment = source.bytes[comment.bytes].dropFirst().first == UInt8(ascii: " ")
        guard !looksLikeComment || leavesOpen(source.bytes[node.range.bytes]) else { return nil }
        return .takenForComment(node, comment: comment, in: source)
    }
}

extension Decoder {
    /// Reports a comment at the end of a value that YAML reads as a part of it: without a space
    /// before its `#`, or with the sign of another language. Nil if there is no such comment, or
    /// more follows it.
    func gluedComment(_ node: YAMLNode) -> Diagnostic? {
        guard node.isPlain, let text = node.text, text.utf8.count == node.range.bytes.count
        else { return nil }
        if !text.dropLast().contains(where: { " ,".contains($0) }),
            let comma = trailingComma(node)
        {
            return comma
        }
        // Most values have no such sign, and making the expression takes long.
        guard text.utf8.contains(where: { "#/-;".utf8.contains($0) }),
            let match = text.wholeMatch(of: #/([^ #]+)(#|(?: +(?:\/\/|--|;) *))(.*)/#),
            isLastOnLine(node)
        else { return nil }
        let mark = match.output.2.trimmed
        let value = String(match.output.1)
        let comment = match.output.3.trimmed
        let start = node.range.lower + value.utf8.count
        return .gluedComment(
            mark, mended: "\(value) # \(comment)", node: node,
            at: SourceRange(file: node.range.file, start..<node.range.upper))
    }

    /// Returns the finding about the comma of JSON at the end of a value without quotes; nil for
    /// other values.
    func trailingComma(_ node: YAMLNode) -> Diagnostic? {
        guard node.isPlain, let text = node.text, text.hasSuffix(","),
            text.utf8.count == node.range.bytes.count
        else { return nil }
        return .trailingComma(
            at: SourceRange(file: node.range.file, node.range.upper - 1..<node.range.upper))
    }

    private func isLastOnLine(_ node: YAMLNode) -> Bool {
        let next = source.bytes[node.range.upper...].first { $0 != UInt8(ascii: " ") }
        return next.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? true
    }
}

extension Substring {
    fileprivate var trimmed: String {
        let start = drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}

/// Returns true if a quote or a bracket is opened in an expression but not closed.
private func leavesOpen(_ bytes: ArraySlice<UInt8>) -> Bool {
    var depth = 0
    var quote: UInt8?
    var isEscaped = false
    for byte in bytes {
        if isEscaped {
            isEscaped = false
        } else if quote != nil {
            isEscaped = byte == UInt8(ascii: "\\")
            if byte == quote { quote = nil }
        } else {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
    }
    return quote != nil || depth > 0
}

extension Diagnostic {
    fileprivate static func trailingComma(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaType, message: "unexpected `,` outside brackets or braces", at: range,
            label: "outside brackets and braces, a line must not end with `,`",
            help: ["remove the `,`"],
            fixes: [Fix("remove the ,", edits: [.init(range, replacement: "")], isSafe: true)])
    }

    fileprivate static func gluedComment(
        _ mark: String, mended: String, node: YAMLNode, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .schemaType,
            message: mark == "#"
                ? "a comment needs a space before its `#`"
                : "a comment starts with `#`, not with `\(mark)`", at: range,
            label: "YAML reads this as part of the value", help: ["write `\(mended)`"],
            fixes: [
                Fix(
                    "write it as a comment", edits: [.init(node.range, replacement: mended)],
                    isSafe: mark == "#")
            ])
    }

    fileprivate static func takenForComment(
        _ node: YAMLNode, comment: SourceRange, in source: SourceFile
    ) -> Self {
        let spaces = source.bytes[comment.bytes].reversed().prefix { $0 == UInt8(ascii: " ") }
        let end = comment.upper - spaces.count
        let whole = SourceRange(file: node.range.file, node.range.lower..<end)
        let quoted = "'\(source.text(in: whole).replacing("'", with: "''"))'"
        let map = TextMap(file: whole.file, startingAt: whole.lower)
        let parses = Expression.parse(source.text(in: whole), map: map).value != nil
        return Diagnostic(
            .yamlUnquotedExpression, message: "YAML reads the end of this expression as a comment",
            at: SourceRange(file: comment.file, comment.lower..<end),
            label: "dropped, because ` #` starts a comment",
            notes: ["the remaining expression is `\(source.text(in: node.range).shortened)`"],
            help: parses
                ? ["put the expression in quotes: `\(quoted)`"]
                : [
                    "if the `#` belongs to a string, put the string in quotes, and the whole"
                        + " expression in the other kind of quotes, such as"
                        + " `'user.plan == \"#1\"'`",
                    "if the rest of the line is a comment, write it on its own line above",
                ],
            fixes: !parses
                ? []
                : [
                    Fix(
                        "put the expression in quotes", edits: [.init(whole, replacement: quoted)],
                        isSafe: true)
                ])
    }
}
