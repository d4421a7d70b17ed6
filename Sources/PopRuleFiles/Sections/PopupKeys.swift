internal import PopScheduler
internal import PopSource
internal import PopYAML

extension Table<PopupModel> {
    static let popup = Table("a popup", about + order + condition + timing + limits + payload)

    private static let about: [Key<PopupModel>] = [
        Key("description", .text, \.description, "what the popup is for, for people"),
        Key("owner", .text, \.owner, alsoCalled: ["team"], "who answers for the popup"),
        Key("tags", .list(of: .text), \.tags, alsoCalled: ["labels"], "words to find it by"),
        Key(
            "enabled", .bool, \.isEnabled, alsoCalled: ["disabled", "active", "is_enabled"],
            "whether the popup is on at all (default)"),
    ]

    private static let order: [Key<PopupModel>] = [
        Key(
            "scheduler", .reference(to: "scheduler"), \.scheduler,
            alsoCalled: ["lane", "queue", "surface"],
            "the scheduler that shows it, `main` when none is named"),
        Key(
            "group", .reference(to: "group"), \.group,
            "the group whose condition and cap hold for it too"),
        Key(
            "priority", .priority, \.priority, alsoCalled: ["importance", "weight"],
            "how urgent it is: a name or a whole number, higher goes first"),
        Key(
            "untriggered", .word(PopupRule.Untriggered.self), \.untriggered,
            "what happens when it is passed over: it waits on (default) or is dropped"),
        Key(
            "switch", .word(PopupRule.Switch.self), \.switch,
            alsoCalled: ["on_preempt", "preempt"],
            "what happens when a more urgent popup comes while it shows: that one waits (default),"
                + " it gives way and comes back, or it is dropped"),
        Key(
            "after", .list(of: .reference(to: "popup")), \.after,
            alsoCalled: ["depends_on", "requires", "follows"],
            "the popups that must have been dismissed at least once before"),
    ]

    private static let condition: [Key<PopupModel>] = [
        Key(
            "trigger", .triggers, \.trigger, alsoCalled: ["triggers", "on", "event"],
            holds: ["where", "nth"],
            "what puts it into the queue: `start` (default), `manual`, an event, a changed key, or"
                + " a list of these"),
        Key(
            "when", .condition, \.when,
            alsoCalled: ["condition", "conditions", "if", "show_when", "show_if", "where"],
            "the condition under which it may show"),
        Key(
            "dismiss_when", .condition, \.dismissWhen, alsoCalled: ["hide_when", "close_when"],
            "the condition that takes it down while it shows"),
    ]

    private static let timing: [Key<PopupModel>] = [
        Key("delay", .duration(), \.delay, "how long it waits after its trigger"),
        Key(
            "grace", .duration(), \.grace,
            "how long it stays chosen before anything is on screen"
        ).formerly("grace_time"),
        Key(
            "min_show", .duration(), \.minShow, alsoCalled: ["min_duration"],
            "how long it shows at least, unless a person closes it"
        ).formerly("min_show_time"),
        Key(
            "hide_after", .duration(atLeast: 1), \.hideAfter,
            alsoCalled: [
                "timeout", "duration", "ttl", "auto_dismiss", "dismiss_after", "show_for",
            ],
            "how long it shows at most"),
        Key(
            "max_wait", .duration(atLeast: 1), \.maxWait, alsoCalled: ["wait", "expires_after"],
            "how long it waits at most"),
        Key(
            "schedule", .schedule, \.schedule,
            alsoCalled: ["dates", "calendar", "time", "window", "active"],
            "the dates, days and hours in which it may show"),
    ]

    private static let limits: [Key<PopupModel>] = [
        Key(
            "cap", .cap, \.cap, alsoCalled: ["caps", "frequency", "frequency_cap", "limit"],
            "how often it is shown"
        ).such(as: "{ windows: [{ max: 1, per: 1d }] }"),
        Key(
            "rollout", .rollout, \.rollout, alsoCalled: ["percentage", "percent", "experiment"],
            "the part of the users that it is shown to"),
    ]

    private static let payload: [Key<PopupModel>] = [
        Key(
            "template", .reference(to: "template"), \.template,
            alsoCalled: ["type", "kind", "layout", "style"],
            "what kind of popup it is, which says what its content must be"),
        Key(
            "content", .map(of: .any).orElse { $0 }, \.content,
            alsoCalled: ["payload", "data", "params"],
            holds: ["title", "body", "text", "message", "button", "image"],
            "what the app is handed to show"),
        Key(
            "examples", .table(.examples, startingWith: ExamplesModel()), \.examples,
            alsoCalled: ["example", "tests"],
            "contexts for which `when` must be true, and others for which it must not"),
    ]
}

extension Table<ExamplesModel> {
    static let examples = Table(
        "examples",
        [
            Key(
                "match", .list(of: .map(of: .any, keys: .references("context key"))), \.match,
                alsoCalled: ["matches", "yes"],
                "contexts for which `when` must be true"),
            Key(
                "no_match", .list(of: .map(of: .any, keys: .references("context key"))), \.noMatch,
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
        return Format(schema) { node, decoder in
            guard let scalar = node.scalar else { return decoder.mismatch(schema, node) }
            if let index = list.index(of: scalar) { return names[index].value }
            if case .string = scalar.value, Int(scalar.text) == nil {
                return decoder.noSuchWord(
                    node, words: names.map(\.name),
                    help: ["any whole number works too; `normal` is 100, and higher goes first"])
            }
            return decoder.read(.integer(range), node)?.value
        }
    }
}
