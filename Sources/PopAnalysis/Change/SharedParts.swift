internal import PopCEL
internal import PopExplanations
internal import PopScheduler

/// What popups share, entry by entry, with a text for each key.
struct SharedParts {
    /// The names of entries, such as `group promotions`, and what their keys say.
    private(set) var entries: [(name: String, keys: [(key: String, text: String?)])] = []
    private var places: [String: Int] = [:]

    subscript(name: String) -> [(key: String, text: String?)]? {
        places[name].map { entries[$0].keys }
    }

    init(_ rules: RuleSet) {
        let words = RuleWords(rules)
        for group in rules.groups {
            add(
                "group \(group.name)",
                [
                    ("cap", nonempty(group.caps.map { words.text($0, nil) }.sorted()))
                ])
        }
        for lane in rules.schedulers {
            add(
                "scheduler \(lane.name)",
                [
                    ("strategy", lane.strategy.rawValue), ("tie_break", lane.tieBreak.rawValue),
                    ("gap", RuleWords.text(lane.gap)),
                    ("max_waiting", lane.maxWaiting.map { "\($0)" }),
                    ("cap", lane.cap.map { words.text($0, nil) }),
                ])
        }
        add(
            "rules",
            [
                (
                    "limits",
                    nonempty(
                        rules.limits.map {
                            "\(words.text($0.cap, nil)) of \(words.text($0.popups))"
                        }.sorted())
                ),
                ("holdout", rules.holdout.map { words.text($0) }),
                (
                    "quiet",
                    rules.quiet.map {
                        "\($0.hours.words) zone \($0.zone.text(in: rules)), \(words.text($0.popups))"
                    }
                ),
                ("session", rules.sessionTimeout.map { "timeout \(PopScheduler.timeText($0))" }),
                (
                    "locales",
                    rules.locales.map {
                        "by \(words.name(of: $0.key)), fallback \($0.fallback)"
                    }
                ),
            ])
        for key in rules.keys { addKey(key) }
        for event in rules.events {
            let fields = event.fields.map { "\($0.name) \($0.type)" }.sorted()
            add("event \(event.name)", [("fields", nonempty(fields))])
        }
        for template in rules.templates {
            let actions = template.actions.map { $0.name + ($0.isRefusal ? " refuses" : "") }
            add(
                "template \(template.name)",
                [
                    ("actions", nonempty(actions.sorted())),
                    ("localized", nonempty(template.localizedFields.sorted())),
                ])
        }
    }

    private mutating func addKey(_ key: ContextKey) {
        add(
            "context \(key.name)",
            [
                ("type", "\(key.type)"), ("default", key.defaultValue?.yaml),
                ("values", key.allowedValues.flatMap { nonempty($0.map(\.yaml).sorted()) }),
                ("min", key.minimum?.yaml), ("max", key.maximum?.yaml),
                ("momentary", key.isMomentary ? "true" : nil),
            ])
    }

    /// All that bears on what conditions make of a key.
    static func declaration(of key: ContextKey) -> String {
        let values = key.allowedValues?.map(\.yaml).sorted().joined(separator: ",") ?? "-"
        return [
            "\(key.type)", key.defaultValue?.yaml ?? "-", values, key.minimum?.yaml ?? "-",
            key.maximum?.yaml ?? "-",
        ].joined(separator: "\n")
    }

    private mutating func add(_ name: String, _ keys: [(key: String, text: String?)]) {
        places[name] = entries.count
        entries.append((name, keys))
    }
}

private func nonempty(_ texts: [String]) -> String? {
    texts.isEmpty ? nil : texts.joined(separator: ", ")
}
