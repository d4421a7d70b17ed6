internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopYAML

extension HistoryReading {
    /// Adds the values that context keys had when a popup was shown and closed. For a key without
    /// such values, the history is counted for its value at the start of the test.
    func addValues(
        _ past: PastOfPopup, of popup: String, acts: [PastAct], to history: inout History,
        with decoder: inout Decoder
    ) {
        guard let context = past.context, let known = history.popups[popup] else { return }
        let keys = Dictionary(rules.keys.map { ($0.name, $0) }) { first, _ in first }
        let values = decoder.contextValues(context.value, keys: keys, check: .testUnknownKey)
        let counted = Scheduler(
            rules: rules, seed: 0, at: Moment(instant: .zero, date: start)
        ).countedKeys(of: popup)
        for entry in context.value.entries {
            guard let name = entry.key.scalar?.text, let value = values[name] else { continue }
            guard counted.contains(name) else {
                decoder.report(.notCounted(name, of: popup, at: entry.key.range))
                continue
            }
            history.count(known, of: popup, for: KeyedValue(key: name, value: value))
        }
    }
}

extension History {
    /// Counts the whole history of a popup for one value of a key.
    fileprivate mutating func count(_ past: Popup, of popup: String, for value: KeyedValue) {
        func add(_ change: ValueChange, at date: Timestamp) {
            apply(.counted(popup: popup, value: value, change: change, date: date))
        }
        for date in past.impressions { add(.shown, at: date) }
        for date in past.exposures.dates.suffix(past.exposures.controlCount) {
            add(.shown, at: date)
            add(.takenBackExposed, at: date)
        }
        let last = past.lastDismissed ?? past.lastShown
        for _ in 0..<past.closedCount { if let last { add(.closed, at: last) } }
    }
}

extension Diagnostic {
    fileprivate static func notCounted(
        _ key: String, of popup: String, at range: SourceRange
    ) -> Self {
        var diagnostic = Diagnostic(
            .testNoEffect, message: "no cap counts `\(popup)` for each value of `\(key)`",
            at: range, label: "without effect",
            help: [
                "remove it, or add a cap to the popup, its group, its scheduler or `limits`, such"
                    + " as `{ max: 1, per: \(key) }`"
            ])
        // The history is described as it was, even if today's caps don't count it.
        diagnostic.level = .warning
        return diagnostic
    }
}
