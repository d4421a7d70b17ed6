internal import PopScheduler
public import PopSource
internal import PopYAML

/// The cap on how often users may close or refuse a popup.
public struct ClosesModel: Sendable {
    /// The most closings; nil if the value cannot be read.
    public var max: Located<Int>?
    /// The context key for each of whose values closings are counted; nil for none.
    public var per: Located<String>?
}

extension Table<ClosesModel> {
    fileprivate static let closes = Table(
        "a cap on closings",
        keys: [
            Key(
                "max", format: .closings, store: { $0.max = $1 },
                alsoCalled: ["count", "limit", "times"],
                summary: "how often the user may close or refuse it"
            ).required,
            Key(
                "per", format: .keyOfClosings, store: { $0.per = $1 },
                alsoCalled: ["key", "for", "each"],
                summary: "the context key whose values each have their own count"
            ).required,
        ])
}

extension Format<Int> {
    fileprivate static var closings: Self { .integer(RuleBounds.counts) }
}

extension Format<ClosesModel> {
    /// A number, or one for each value of a context key.
    static var closes: Self {
        let table = Self.table(.closes, startingWith: ClosesModel())
        let schema = Schema.either([Format<Int>.closings.schema, table.schema])
        return Format(schema) { node, decoder in
            if node.kind == .mapping { return table.read(node, &decoder) }
            if node.scalar == nil { return decoder.mismatch(schema, at: node) }
            return decoder.read(.closings, at: node).map { ClosesModel(max: $0) }
        }
    }
}

extension Format<String> {
    /// The names of context keys, and no other periods.
    fileprivate static var keyOfClosings: Self {
        let schema = Schema.reference("context key")
        return Format(schema) { node, decoder in
            guard let text = node.scalar?.text else { return decoder.mismatch(schema, at: node) }
            let time = milliseconds(in: text) ?? CalendarUnit(rawValue: text).map { _ in 0 }
            guard time != nil || text == sessionWord else {
                return NameForm.dotted.fits(text.utf8)
                    ? text : decoder.mismatch(schema, at: node)
            }
            return decoder.mismatch(
                schema, at: node,
                help: [
                    "use `after_close` to suppress a popup for a time after it was closed;"
                        + " closings cannot be counted per period"
                ])
        }
    }
}
