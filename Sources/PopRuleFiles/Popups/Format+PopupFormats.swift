internal import PopScheduler
internal import PopSource
internal import PopYAML

extension Format<Int> {
    /// A priority by name or number.
    static var priority: Self {
        let names = PopupRule.priorityNames
        let range = RuleBounds.priorities
        let schema = Schema.either([.word(names.map(\.name)), .integer(range)])
        let list = WordList(names.map(\.name))
        let values = names.map(\.value)
        return Format(schema) { node, decoder in
            if let index = list.index(of: node) { return values[index] }
            guard let text = node.text else { return decoder.mismatch(schema, at: node) }
            if case .string? = node.coreValue, Int(text) == nil {
                return decoder.noSuchWord(
                    node, words: names.map(\.name), meant: urgencies[text.foldedForNames],
                    help: rankReadings(text) + [
                        "use a name or an integer; `normal` is 100, and higher values show first"
                    ])
            }
            return decoder.read(.integer(range), at: node)?.value
        }
    }
}

/// Returns the meanings of `P1` and the like, counted from 0 or from 1.
private func rankReadings(_ text: String) -> [String] {
    let names = PopupRule.priorityNames.sorted { $0.value > $1.value }.map(\.name)
    guard let match = text.lowercased().wholeMatch(of: #/(?:p|prio|priority) ?(\d)/#),
        let rank = Int(match.output.1)
    else { return [] }
    return [0, 1].compactMap { first in
        guard names.indices.contains(rank - first) else { return nil }
        return "use `\(names[rank - first])` if `P\(first)` is your highest priority"
    }
}

/// Other common words for priorities.
private let urgencies: [String: String] = wordTable([
    (
        "highest top max maximum critical urgent blocker blocking first very_important hoechste",
        "very_high"
    ),
    ("important hoch", "high"), ("medium middle default standard regular mid mittel", "normal"),
    ("lowest min minimum bottom last", "very_low"), ("minor niedrig unimportant", "low"),
])

extension Format<[PredecessorModel]> {
    /// The popups that come first; help points to `delay` for a length of time, and to a condition
    /// for anything but a list of popups that were all shown.
    static var predecessors: Self {
        let list = Format<[Located<PredecessorModel>]>.list(of: .predecessor)
        return Format(list.schema) { node, decoder in
            if let key = decoder.namedKey, let other = otherOrder(node, key: key) {
                return decoder.mismatch(
                    list.schema, at: node, help: other.help, fixes: other.fixes)
            }
            guard node.kind == .scalar, let text = node.scalar?.text, let key = decoder.namedKey,
                let time = lengthOfTime(text)
            else { return list.read(node, &decoder)?.map(\.value) }
            decoder.report(.timeForPopups(time, key: key, at: node.range))
            return nil
        }
    }
}

/// Returns help on a popup that must not have been shown, or on one of several.
private func otherOrder(
    _ node: YAMLNode, key: Located<String>
) -> (help: [String], fixes: [Diagnostic.Fix])? {
    func fix(_ text: String, at range: SourceRange) -> Diagnostic.Fix {
        Diagnostic.Fix(
            "write `\(text)`", edits: [.init(range, replacement: text)], isSafe: false)
    }
    func asked(_ names: [String], _ comparison: String) -> String {
        let parts = names.map { "popups.\($0).shown_count \(comparison)" }
        return "when: '\(parts.joined(separator: " || "))'"
    }
    let whole = key.range.union(node.range)
    if let match = node.scalar?.text.wholeMatch(of: #/(?:!|not ) *(\w+)/#) {
        let text = asked([String(match.output.1)], "== 0")
        return (
            ["use a condition to check that a popup was never shown: `\(text)`"],
            [fix(text, at: whole)]
        )
    }
    // The id of a popup has no dots, and the name of an event mostly has.
    if let text = node.scalar?.text, text.wholeMatch(of: #/\w+(?:\.\w+)+/#) != nil {
        let trigger = "trigger: { event: \(text) }"
        return (
            [
                "use a trigger for an event: `\(trigger)`; `\(key.value)` takes popups, whose ids"
                    + " have no `.`"
            ],
            [fix(trigger, at: whole)]
        )
    }
    let names = oneOfSeveral(node)
    guard names.count > 1, names.allSatisfy({ $0.wholeMatch(of: #/\w+/#) != nil }) else {
        return nil
    }
    let (list, text) = ("[\(names.joined(separator: ", "))]", asked(names, "> 0"))
    return (
        [
            "if all of them must have been shown: `\(list)`",
            "if one of them is enough: `\(text)`",
        ], [fix(list, at: node.range), fix(text, at: whole)]
    )
}

/// The names in `a or b`, `a | b` and `{ any: [a, b] }`.
private func oneOfSeveral(_ node: YAMLNode) -> [String] {
    if let text = node.scalar?.text {
        return text.replacing(#/ or | *\|\|? */#, with: "|").split(separator: "|").map(String.init)
    }
    guard node.entries.count == 1, let entry = node.entries.first,
        ["any", "any_of", "one_of", "or", "either"].contains(entry.key.nameForMessages)
    else { return [] }
    return entry.value.items.compactMap { $0.scalar?.text }
}

/// A duration in the form of rule files; nil if the string isn't a duration.
private func lengthOfTime(_ text: String) -> String? {
    if milliseconds(in: text) != nil { return text }
    let readings = durationReadings(text)
    return readings.count == 1 ? readings[0].text : nil
}

extension Diagnostic {
    fileprivate static func timeForPopups(
        _ time: String, key: Located<String>, at range: SourceRange
    ) -> Self {
        let text = "delay: \(time)"
        return Diagnostic(
            .schemaType, message: "`\(key.value)` must name popups, but is a duration", at: range,
            label: "not a popup",
            help: [
                "to wait after the trigger: `\(text)`",
                "to wait until a popup was shown that long ago:"
                    + " `\(key.value): [{ popup: welcome, since: \(time) }]`",
                "to wait until a popup was shown, name it, such as `\(key.value): [welcome]`",
            ],
            fixes: [
                Fix(
                    "write `\(text)`", edits: [.init(key.range.union(range), replacement: text)],
                    isSafe: false)
            ])
    }
}
