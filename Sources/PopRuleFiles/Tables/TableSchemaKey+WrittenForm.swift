internal import PopYAML

extension TableSchema.Key {
    /// Its value with entries that were written next to it, under the names that they have there;
    /// nil if one of them does not belong in it or has more than a name as its value.
    func written(with entries: [YAMLEntry]) -> String? {
        guard let table = schema.table, !entries.isEmpty, entries.count <= 5 else { return nil }
        let parts = entries.map { entry -> String? in
            let name = entry.key.nameForMessages.foldedForNames
            guard let text = entry.value.scalar?.text, isShort(text, of: entry.value),
                let key = table.keys.first(where: { $0.name == name })
                    ?? table.keys.first(where: { $0.alsoCalled.contains(name) })
            else { return nil }
            if case .list = key.schema { return "\(key.name): [\(text)]" }
            return "\(key.name): \(text)"
        }
        guard !parts.contains(nil) else { return nil }
        // Without a zone, the times of a schedule are in UTC, which few authors mean.
        let zone = lacksZone(entries) ? ["zone: local"] : []
        return "{ \((parts.compactMap(\.self) + zone).joined(separator: ", ")) }"
    }

    /// Returns true for a schedule if none of its entries is the time zone.
    func lacksZone(_ entries: [YAMLEntry]) -> Bool {
        schema.table?.title == Table.schedule.title
            && !entries.contains { $0.key.nameForMessages == "zone" }
    }

    /// Returns true for a name, and for a number, a duration, a date or hours, which need no quotes
    /// in braces.
    private func isShort(_ text: String, of value: YAMLNode) -> Bool {
        NameForm.dotted.fits(text.utf8)
            || value.isPlain
                && (isCount(text) || daysSince1970(text) != nil
                    || text.wholeMatch(of: #/[0-9]{2}:[0-9]{2}-[0-9]{2}:[0-9]{2}/#) != nil)
    }

    /// Returns true for a number or a duration; numbers in a schedule may be days of the week.
    private func isCount(_ text: String) -> Bool {
        schema.table?.title != Table.schedule.title
            && (Int(text) != nil || milliseconds(in: text) != nil)
    }

    /// Returns true if a name has the whole meaning, whatever its value: `once`.
    func saysAll(_ name: String) -> Bool {
        guard schema.table != nil, let own = examplesByName[name.foldedForNames] else {
            return false
        }
        return !own.isEmpty && !own.hasPrefix("\n") && !own.contains("$") && !own.contains("#")
    }
}
