internal import PopReports
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopYAML

extension RuleList {
    /// Returns every popup with a line for each key: the origin of its value, and the value.
    package func resolvedText(_ places: inout SourcePlaces) -> String {
        var resolved = ResolvedPopups(places.sources)
        let blocks = popups.map { popup in
            var table = TextTable(indent: 2, wraps: false)
            for key in resolved.keys(ofPopupAt: popup.range) {
                table.add(key.name, key.origin.rawValue, key.value?.line ?? "–")
            }
            let title = "\(popup.id)  \(places.text(of: popup.range))"
            return ([title] + table.lines).joined(separator: "\n") + "\n"
        }
        return (blocks + [momentaryText].compactMap { $0 }).joined(separator: "\n")
    }

    /// The list of momentary context keys, which are about now and not about the user; nil without
    /// such keys.
    private var momentaryText: String? {
        momentaryKeys.isEmpty
            ? nil : "momentary context keys\n  \(momentaryKeys.joined(separator: ", "))\n"
    }
}

extension ResolvedPopups {
    mutating func json(ofPopupAt id: SourceRange) -> JSON {
        .array(
            keys(ofPopupAt: id).map { key in
                .object([
                    "key": .string(key.name), "value": key.value?.json ?? .null,
                    "from": .string(key.origin.rawValue),
                ])
            })
    }
}
