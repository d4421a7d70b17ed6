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
                "write the key with its comparison, such as `{ \(key): { eq: \(value) } }`",
                "use one of the comparisons \(enumeration(matcherWords))",
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
            label: "write `\(word)` instead",
            help: isTaken
                ? ["move its conditions into the existing list of `\(word)`"]
                : readings.isEmpty
                    ? ["write a list of conditions below `\(word)`"] : readings.help,
            fixes: readings.fixes(at: range))
    }
}
