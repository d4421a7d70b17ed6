package import PopScheduler

/// For each key of a popup a use, for what holds for each of them.
package enum PopupSamples {
    /// For each key a value that is not the usual one.
    private static let values = [
        "description": "for people", "owner": "growth", "tags": "[new]", "enabled": "false",
        "scheduler": "toasts", "group": "promotions", "priority": "high",
        "untriggered": "discard", "switch": "latent", "urgent": "true", "essential": "true",
        "after": "[b, { popup: b, since: 3d }]",
        "trigger": "[manual, { popup: b, action: close }]",
        "when": "plan == \"free\"", "dismiss_when": "plan == \"pro\"", "delay": "1s",
        "grace": "1s", "min_show": "1s", "hide_after": "1s", "max_wait": "1s",
        "schedule": """
        [{ from: 2026-01-01T09:00, days: [mon], hours: 9:00-17:00, zone: local,\
         when: 'plan == "pro"' }, { until: 2026-02-01, zone: plan }]
        """,
        "experiment": """
        { by: plan, salt: x, share: 50, control: 12.5, variants: { large: { weight: 3,\
         template: card }, short: { content: { title: Hi } }, as_is: {} } }
        """,
        "cap": """
        { lifetime: 1, per_session: 1, every: 1h, windows: [{ max: 1, per: 1d },\
         { max: 2, per: plan }], closes: { max: 2, per: plan },\
         after_close: { close: 14d } }
        """,
        "goals": """
        [{ name: buy, event: bought, where: event.total > 1.0, within: 7d, ends: true },\
         { name: rent, event: bought, within: 1d, ends: 30d }]
        """,
        "rollout": "{ percent: 12.5, by: plan, salt: x }", "template": "card",
        "content": "{ title: Hello }",
        "examples": "{ match: [{ plan: free }] }",
    ]

    /// Rules whose popup `a` has the key, with a value that is not the usual one.
    package static func rules(having key: String) throws -> RuleSet {
        try rules("{ \(key): \(value(of: key)) }")
    }

    /// Rules with a popup `a`, and with all that the values name.
    package static func rules(_ popup: String) throws -> RuleSet { try .parse(text(popup)) }

    /// The same as text, without the version.
    package static func text(_ popup: String) -> String {
        """
        context: { plan: { type: string, default: free } }
        schedulers: { toasts: {} }
        groups: { promotions: { when: 'plan == "free"', cap: { max: 2, per: 1d } } }
        templates: { card: {} }
        events: { bought: { total: double } }
        popups: { a: \(popup), b: {} }

        """
    }

    package static func value(of key: String) throws -> String {
        guard let value = values[key] else { throw NoSample(key: key) }
        return value
    }
}

/// A sample of the key belongs into `PopupSamples`.
private struct NoSample: Error {
    var key: String
}
