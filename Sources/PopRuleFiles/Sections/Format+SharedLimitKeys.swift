internal import PopScheduler
internal import PopSource
internal import PopYAML

/// An item of `limits`: how many popups are shown across all schedulers, or across some.
public struct SharedLimitModel: Sendable {
    /// The cap and its period.
    public var window = WindowCapModel()
    /// The popups that count.
    public var popups = PopupSelectionModel()
}

extension Table<SharedLimitModel> {
    static let sharedLimit = Table(
        "a limit",
        keys: windowCapKeys { $1(&$0.window) }
            + selectionKeys(that: "count") { $1(&$0.popups) })
}

extension Format<[Located<SharedLimitModel>]> {
    /// A list of limits.
    static var sharedLimits: Self {
        let list = Self.list(
            of: .table(.sharedLimit, startingWith: SharedLimitModel()), minimum: 1,
            maximum: RuleBounds.caps)
        return Format(list.schema) { node, decoder in
            let readings = capReadings(node).map {
                Reading("limits: \($0.text)", meaning: $0.meaning, isExact: false)
            }
            guard !readings.isEmpty else {
                let limits = list.read(node, &decoder)
                // Help on a limit in other words, such as `2/week`.
                decoder.reviseFindings { finding in
                    let item = node.items.first {
                        $0.kind == .scalar && $0.range.lower == finding.range.lower
                    }
                    guard let text = item.flatMap({ windowText($0) }) else { return }
                    finding.help = ["write a limit as a map, such as `\(text)`"]
                }
                return limits
            }
            return decoder.mismatch(list.schema, at: node, help: readings.help)
        }
    }
}
