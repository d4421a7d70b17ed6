internal import PopScheduler
internal import PopSource
internal import PopYAML

extension Format<Int> {
    /// A priority by name or number.
    static var priority: Self {
        let names = PopupRule.priorityNames
        let range = -1_000_000...1_000_000
        let schema = Schema.either([.word(names.map(\.name)), .integer(range)])
        let list = WordList(names.map(\.name))
        let values = names.map(\.value)
        return Format(schema) { node, decoder in
            if let index = list.index(of: node) { return values[index] }
            guard let text = node.text else { return decoder.mismatch(schema, at: node) }
            if case .string? = node.coreValue, Int(text) == nil {
                return decoder.noSuchWord(
                    node, words: names.map(\.name), meant: urgencies[text.foldedForNames],
                    help: ["any whole number works too; `normal` is 100, and higher goes first"])
            }
            return decoder.read(.integer(range), at: node)?.value
        }
    }
}

/// How urgent something is in other words.
private let urgencies: [String: String] = wordTable([
    (
        "highest top max maximum critical urgent blocker blocking p0 first very_important hoechste",
        "very_high"
    ),
    ("important hoch p1", "high"), ("medium middle default standard regular mid mittel", "normal"),
    ("lowest min minimum bottom last", "very_low"), ("minor niedrig unimportant", "low"),
])

extension Format<[Located<String>]> {
    /// The popups that come first; a length of time stands in `delay`.
    static var predecessors: Self {
        let list = Format.list(of: .reference(to: "popup"))
        return Format(list.schema) { node, decoder in
            guard node.kind == .scalar, let text = node.scalar?.text, let key = decoder.namedKey,
                let time = lengthOfTime(text)
            else { return list.read(node, &decoder) }
            decoder.report(.timeForPopups(time, key: key, at: node.range))
            return nil
        }
    }
}

/// A duration as it is written here, or nil for what is none.
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
            .schemaType, message: "`\(key.value)` names popups, but is a length of time", at: range,
            label: "not a popup",
            help: [
                "how long it waits after its trigger is written `\(text)`",
                "what must have been shown before is named, such as `\(key.value): [welcome]`",
            ],
            fixes: [
                Fix(
                    "write `\(text)`", edits: [.init(key.range.union(range), replacement: text)],
                    isSafe: false)
            ])
    }
}
