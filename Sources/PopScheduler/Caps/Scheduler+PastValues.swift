package import PopCEL

// Histories, such as those of tests, that record for some things only that they happened.
extension Scheduler {
    /// Returns the history with everything that isn't recorded for a value of a key attributed to
    /// the value in a context. Nil if no cap counts for each value of a key.
    package func history(completedFor context: [String: Value]) -> History? {
        if catalog.countedKeys.isEmpty { return nil }
        var history = history
        for popup in catalog.rules.popups.places {
            let id = catalog.traits[popup].id
            guard let past = history.popups[id] else { continue }
            var shown = ValueCounts.Count(text: nil, last: past.lastShown ?? now.date)
            shown.shown = past.shownCount
            shown.ofOwnCaps = past.countedEver
            for key in catalog.countedKeys.keys(of: popup) {
                history.values.complete(id, for: value(of: key, in: context), with: shown)
            }
            var closed = ValueCounts.Count(text: nil, last: past.lastDismissed ?? now.date)
            closed.closed = past.closedCount
            if let key = catalog.countedKeys.keyOfClosings(popup) {
                history.values.complete(id, for: value(of: key, in: context), with: closed)
            }
        }
        return history
    }

    /// Returns the names of the keys for whose values impressions or closings of a popup are
    /// counted.
    package func countedKeys(of id: String) -> [String] {
        guard let popup = catalog.ruledPlace(of: id) else { return [] }
        let keys =
            catalog.countedKeys.keys(of: popup)
            + [catalog.countedKeys.keyOfClosings(popup)].compactMap { $0 }
        return keys.map { catalog.rules.keys[$0].name }
    }

    private func value(of key: KeyIndex, in context: [String: Value]) -> KeyedValue {
        let rule = catalog.rules.keys[key]
        return KeyedValue(key: rule.name, value: context[rule.name] ?? rule.defaultValue)
    }
}
