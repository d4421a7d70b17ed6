internal import PopScheduler
internal import PopSource
internal import PopYAML

extension Table<PopupDraft> {
    static let popup = Table(
        "a popup", about + order + condition + timing + limits + payload)

    private static var about: [Key<PopupDraft>] {
        [
            Key(
                "description", .text, { $0.rare.description = $1 },
                "what the popup is for, for people"),
            Key(
                "owner", .text, { $0.rare.owner = $1 }, alsoCalled: ["team"],
                "who answers for the popup"),
            Key(
                "tags", .list(of: .text), { $0.rare.tags = $1 }, alsoCalled: ["labels"],
                "words to find it by"),
            Key(
                "enabled", .bool, { $0.rare.isEnabled = $1 },
                alsoCalled: ["disabled", "active", "is_enabled"],
                "whether the popup is on at all (default)"),
        ]
    }

    private static var order: [Key<PopupDraft>] {
        [
            Key(
                "scheduler", .reference(to: "scheduler"), { $0.rare.scheduler = $1 },
                alsoCalled: ["lane", "queue", "surface"],
                "the scheduler that shows it, `main` when none is named"),
            Key(
                "group", .reference(to: "group"), { $0.rare.group = $1 },
                "the group whose condition and cap hold for it too"),
            Key(
                "priority", .priority, { $0.usual.priority = $1 },
                alsoCalled: ["importance", "weight"],
                "how urgent it is: a name or a whole number, higher goes first"),
            Key(
                "untriggered", .word(PopupRule.Untriggered.self), { $0.usual.untriggered = $1 },
                "what happens when it is passed over: it waits on (default) or is dropped"),
            Key(
                "switch", .word(PopupRule.Switch.self), { $0.usual.switch = $1 },
                alsoCalled: ["on_preempt", "preempt"],
                "what happens when a more urgent popup comes while it shows: that one waits (default),"
                    + " it gives way and comes back, or it is dropped"),
            Key(
                "after", .list(of: .reference(to: "popup")), { $0.rare.after = $1 },
                alsoCalled: ["depends_on", "requires", "follows"],
                "the popups that must have been dismissed at least once before"),
        ]
    }

    private static var condition: [Key<PopupDraft>] {
        [
            Key(
                "trigger", .triggers, { $0.usual.trigger = $1 },
                alsoCalled: ["triggers", "on", "event"],
                holds: ["where", "nth"],
                "what puts it into the queue: `start` (default), `manual`, an event, a changed key, or"
                    + " a list of these"),
            Key(
                "when", .condition, { $0.usual.when = $1 },
                alsoCalled: ["condition", "conditions", "if", "show_when", "show_if", "where"],
                "the condition under which it may show"),
            Key(
                "dismiss_when", .condition, { $0.rare.dismissWhen = $1 },
                alsoCalled: ["hide_when", "close_when"],
                "the condition that takes it down while it shows"),
        ]
    }

    private static var timing: [Key<PopupDraft>] {
        [
            Key(
                "delay", .duration(), { $0.rare.delay = $1 }, "how long it waits after its trigger"),
            Key(
                "grace", .duration(), { $0.rare.grace = $1 },
                "how long it stays chosen before anything is on screen"
            ).formerly("grace_time"),
            Key(
                "min_show", .duration(), { $0.rare.minShow = $1 }, alsoCalled: ["min_duration"],
                "how long it shows at least, unless a person closes it"
            ).formerly("min_show_time"),
            Key(
                "hide_after", .duration(atLeast: 1), { $0.rare.hideAfter = $1 },
                alsoCalled: [
                    "timeout", "duration", "ttl", "auto_dismiss", "dismiss_after", "show_for",
                ],
                "how long it shows at most"),
            Key(
                "max_wait", .duration(atLeast: 1), { $0.rare.maxWait = $1 },
                alsoCalled: ["wait", "expires_after"],
                "how long it waits at most"),
            Key(
                "schedule", .schedule, { $0.rare.schedule = $1 },
                alsoCalled: ["dates", "calendar", "time", "window", "active"],
                "the dates, days and hours in which it may show"),
        ]
    }

    private static var limits: [Key<PopupDraft>] {
        [
            Key(
                "cap", .cap, { $0.rare.cap = $1 },
                alsoCalled: ["caps", "frequency", "frequency_cap", "limit"],
                "how often it is shown"
            ).such(as: "{ windows: [{ max: 1, per: 1d }] }"),
            Key(
                "rollout", .rollout, { $0.rare.rollout = $1 },
                alsoCalled: ["percentage", "percent", "experiment"],
                "the part of the users that it is shown to"),
        ]
    }

    private static var payload: [Key<PopupDraft>] {
        [
            Key(
                "template", .reference(to: "template"), { $0.usual.template = $1 },
                alsoCalled: ["type", "kind", "layout", "style"],
                "what kind of popup it is, which says what its content must be"),
            Key(
                "content", .map(of: .any).orElse { $0 }, { $0.usual.content = $1 },
                alsoCalled: ["payload", "data", "params"],
                holds: ["title", "body", "text", "message", "button", "image"],
                "what the app is handed to show"),
            Key(
                "examples", .table(.examples, startingWith: ExamplesModel()),
                { $0.rare.examples = $1 },
                alsoCalled: ["example", "tests"],
                "contexts for which `when` must be true, and others for which it must not"),
        ]
    }
}

extension Table<ExamplesModel> {
    static let examples = Table(
        "examples",
        [
            Key(
                "match", .list(of: .map(of: .any, keys: .references("context key"))),
                { $0.match = $1 },
                alsoCalled: ["matches", "yes"],
                "contexts for which `when` must be true"),
            Key(
                "no_match", .list(of: .map(of: .any, keys: .references("context key"))),
                { $0.noMatch = $1 },
                alsoCalled: ["not_match", "no_matches", "no"],
                "contexts for which `when` must not be true"),
        ])
}

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
            guard let text = node.text else { return decoder.mismatch(schema, node) }
            if case .string? = node.coreValue, Int(text) == nil {
                return decoder.noSuchWord(
                    node, words: names.map(\.name),
                    help: ["any whole number works too; `normal` is 100, and higher goes first"])
            }
            return decoder.read(.integer(range), node)?.value
        }
    }
}
