internal import PopCEL
internal import PopExplanations
internal import PopReports
internal import PopRuleFiles
package import PopScheduler
package import PopSource
internal import PopYAML

/// The popups of a rule set in priority order, scheduler by scheduler.
package struct RuleList {
    private let rules: RuleSet
    package let popups: [PopupRule]

    /// All popups for which `isWanted` answers true.
    package init(_ rules: RuleSet, where isWanted: (PopupRule) -> Bool = { _ in true }) {
        self.rules = rules
        popups = rules.schedulers.places.flatMap { rules.queueOrder(of: $0) }.filter(isWanted)
    }

    /// The context keys that are about now and not about the user.
    var momentaryKeys: [String] { rules.keys.filter { $0.isMomentary }.map { $0.name } }

    package func text(_ places: inout SourcePlaces) -> String {
        var blocks: [String] = []
        for lane in rules.schedulers.places {
            var table = TextTable(indent: 2)
            for popup in popups where popup.scheduler == lane {
                let triggers = popup.triggers.map { $0.column(in: rules) }
                table.add(
                    popup.isEnabled ? popup.id : "\(popup.id) (off)", popup.priorityText,
                    places.text(of: popup.range), triggers.joined(separator: ", "))
            }
            let lines = table.lines
            if !lines.isEmpty {
                blocks.append(([rules.schedulers[lane].name] + lines).joined(separator: "\n"))
            }
        }
        return blocks.isEmpty ? "" : blocks.joined(separator: "\n\n") + "\n"
    }

    /// Returns JSON for programs; `isResolved` adds the resolved value of each key.
    package func json(_ places: inout SourcePlaces, isResolved: Bool = false) -> JSON {
        var resolved = isResolved ? ResolvedPopups(places.sources) : nil
        var list: [JSON] = []
        for popup in popups {
            let place = places.place(of: popup.range)
            list.append(
                .object([
                    "popup": .string(popup.id), "enabled": .bool(popup.isEnabled),
                    "scheduler": .string(rules.schedulers[popup.scheduler].name),
                    "priority": .int(popup.priority),
                    "group": popup.group.map { .string(rules.groups[$0].name) },
                    "triggers": .array(popup.triggers.map { .string($0.word(in: rules)) }),
                    "after": .array(popup.after.map { .string(rules.popups[$0.popup].id) }),
                    "owner": popup.texts.owner.map { .string($0) },
                    "tags": .array(popup.texts.tags.map { .string($0) }),
                    "description": popup.texts.description.map { .string($0) },
                    "file": .string(place.path), "line": .int(place.line),
                    "keys": resolved?.json(ofPopupAt: popup.range),
                ]))
        }
        return .object([
            "schemaVersion": .int(JSONRenderer.schemaVersion), "popups": .array(list),
            "momentary": momentaryKeys.isEmpty
                ? nil : .array(momentaryKeys.map { .string($0) }),
        ])
    }
}

extension Trigger {
    /// Returns the trigger as the rule file writes it.
    func word(in rules: RuleSet) -> String {
        switch self {
        case .occasion(let occasion): occasion.rawValue
        case .event(let trigger): rules.events[trigger.event].name
        case .changed(let key): "changed \(rules.keys[key].name)"
        case .acted(let popup, let action): "\(action) in \(rules.popups[popup].id)"
        }
    }

    /// Returns the trigger for a table, where a change has the form of the rule file.
    fileprivate func column(in rules: RuleSet) -> String {
        if case .changed(let key) = self {
            "changed: \(rules.keys[key].name)"
        } else {
            word(in: rules)
        }
    }
}

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
