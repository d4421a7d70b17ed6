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
                alsoCalled: ["summary", "comment", "purpose", "note", "notes", "doc"],
                "what the popup is for, for people"),
            Key(
                "owner", .text, { $0.rare.owner = $1 },
                alsoCalled: ["team", "author", "maintainer", "contact", "responsible"],
                "who answers for the popup"),
            Key(
                "tags", .list(of: .text), { $0.rare.tags = $1 },
                alsoCalled: ["labels", "keywords", "categories", "category"],
                "words to find it by"),
            Key(
                "enabled", .bool, { $0.rare.isEnabled = $1 },
                alsoCalled: [
                    "active", "is_enabled", "is_active", "published", "live", "disabled",
                    "is_disabled", "hidden", "paused",
                ],
                "whether the popup is on at all (default)"
            ).such(as: ["disabled": "!", "is_disabled": "!", "hidden": "!", "paused": "!"]),
        ]
    }

    private static var order: [Key<PopupDraft>] {
        [
            Key(
                "scheduler", .reference(to: "scheduler"), { $0.rare.scheduler = $1 },
                alsoCalled: ["lane", "queue", "surface", "channel", "slot"],
                "the scheduler that shows it, `main` when none is named"),
            Key(
                "group", .reference(to: "group"), { $0.rare.group = $1 },
                "the group whose condition and cap hold for it too"),
            Key(
                "priority", .priority, { $0.usual.priority = $1 },
                alsoCalled: [
                    "importance", "weight", "order", "rank", "urgency", "level", "position",
                    "index", "z_index", "score",
                ],
                "how urgent it is: a name or a whole number, higher goes first"
            ).such(as: ["order": "", "rank": "", "position": "", "index": "", "level": ""]),
            Key(
                "untriggered", .word(PopupRule.Untriggered.self), { $0.usual.untriggered = $1 },
                "what happens when it is passed over: it waits on (default) or is dropped"),
            Key(
                "switch", .word(PopupRule.Switch.self, help: wordsOfSwitch),
                { $0.usual.switch = $1 },
                alsoCalled: [
                    "on_preempt", "preempt", "when_preempted", "on_interrupt", "on_replaced",
                ],
                "what happens when a more urgent popup comes while it shows: that one waits (default),"
                    + " it gives way and comes back, or it is dropped"),
            Key(
                "after", .predecessors, { $0.rare.after = $1 },
                alsoCalled: [
                    "depends_on", "requires", "follows", "wait_for", "needs", "prerequisites",
                ],
                "the popups that must have been shown before, and be gone"),
        ]
    }

    private static var condition: [Key<PopupDraft>] {
        [
            Key(
                "trigger", .triggers, { $0.usual.trigger = $1 },
                alsoCalled: ["triggers", "on", "event", "events", "fires_on", "start_on"],
                holds: ["where", "nth"],
                "what puts it into the queue: `start` (default), `manual`, an event, a changed key, or"
                    + " a list of these"),
            Key(
                "when", .condition, { $0.usual.when = $1 },
                alsoCalled: [
                    "condition", "conditions", "if", "show_when", "show_if", "where", "visible",
                    "visible_if", "visible_when", "display_when", "filter", "audience", "target",
                    "targeting", "segment", "segments", "criteria", "eligibility", "rule", "rules",
                    "expression",
                ] + places.keys,
                "the condition under which it may show"
            ).such(as: places),
            Key(
                "dismiss_when", .condition, { $0.rare.dismissWhen = $1 },
                alsoCalled: ["hide_when", "close_when", "hide_if", "close_if", "dismiss_if"],
                "the condition under which it is taken down, and does not show"),
        ]
    }

    private static var timing: [Key<PopupDraft>] {
        [
            Key(
                "delay", .duration(), { $0.rare.delay = $1 },
                alsoCalled: ["show_after", "start_after", "initial_delay"],
                "how long it waits after its trigger"),
            Key(
                "grace", .duration(), { $0.rare.grace = $1 },
                alsoCalled: ["grace_period"],
                "how long it stays chosen before anything is on screen"
            ).formerly("grace_time"),
            Key(
                "min_show", .duration(), { $0.rare.minShow = $1 },
                alsoCalled: ["min_duration", "minimum_time", "min_display", "min_visible"],
                "how long it shows at least, unless a person closes it"
            ).formerly("min_show_time"),
            Key(
                "hide_after", .duration(atLeast: 1), { $0.rare.hideAfter = $1 },
                alsoCalled: [
                    "timeout", "duration", "ttl", "auto_dismiss", "dismiss_after", "show_for",
                    "auto_close", "auto_hide", "close_after", "display_time", "max_duration",
                    "max_show",
                ],
                "how long it shows at most"
            ).such(as: [
                "ttl": "\nhow long it shows at most is `hide_after: $`"
                    + "\nhow long it waits at most is `max_wait: $`"
            ]),
            Key(
                "max_wait", .duration(atLeast: 1), { $0.rare.maxWait = $1 },
                alsoCalled: ["wait", "expires_after", "give_up_after", "max_age"],
                "how long it waits at most"),
            Key(
                "schedule", .schedule, { $0.rare.schedule = $1 },
                alsoCalled: [
                    "dates", "calendar", "time", "window", "active", "availability", "period",
                    "validity",
                ] + ends.keys,
                holds: ["from", "until", "days", "hours", "zone"],
                "the dates, days and hours in which it may show"
            ).such(as: ends),
        ]
    }

    private static var limits: [Key<PopupDraft>] {
        [
            Key(
                "cap", .cap, { $0.rare.cap = $1 },
                alsoCalled: Array(counts.keys),
                holds: ["lifetime", "per_session", "every", "windows"],
                "how often it is shown"
            ).such(as: "{ windows: [{ max: 1, per: 1d }] }").such(as: counts),
            Key(
                "rollout", .rollout, { $0.rare.rollout = $1 },
                alsoCalled: [
                    "percentage", "percent", "experiment", "ab_test", "split", "sample", "ramp",
                ],
                "the part of the users that it is shown to"
            ).such(as: ["percentage": shares, "percent": shares, "sample": shares, "ramp": shares]),
        ]
    }

    private static var payload: [Key<PopupDraft>] {
        [
            Key(
                "template", .reference(to: "template"), { $0.usual.template = $1 },
                alsoCalled: ["type", "kind", "layout", "style", "component", "view", "design"],
                "what kind of popup it is, which says what its content must be"),
            Key(
                "content", .map(of: .any).orElse { $0 }, { $0.usual.content = $1 },
                alsoCalled: ["payload", "data", "params", "props", "parameters"],
                holds: [
                    "title", "subtitle", "headline", "body", "text", "message", "button",
                    "buttons", "cta", "image", "icon", "link", "url",
                ],
                "what the app is handed to show"),
            Key(
                "examples", .table(.examples, startingWith: ExamplesModel()),
                { $0.rare.examples = $1 },
                alsoCalled: ["example", "tests"],
                "contexts for which `when` must be true, and others for which it must not"),
        ]
    }
}

private let wordsOfSwitch = [
    "it stands in the popup that gives way: with `latent` it comes back, with `discard` it is"
        + " dropped, and with `await` it stays until it is over"
]

/// How a share of the users is written.
private let shares = "{ percent: #, by: user.id }"

/// What people write beside the rules of a popup, such as a screen, that belongs into a
/// condition.
private let places: [String: String] = {
    let names = ["screen", "screens", "page", "pages", "route", "path", "view_controller"]
    var places = Dictionary(uniqueKeysWithValues: names.map { ($0, "app.screen == \"$\"") })
    for name in ["else", "otherwise", "fallback"] {
        places[name] = "\nwhat shows otherwise is a popup of its own, whose `when` is the opposite"
    }
    for name in ["variant", "variants"] {
        places[name] =
            "\na variant is a popup of its own, whose `when` asks which one a user has;"
            + " what differs stands in `content`"
    }
    return places
}()

/// Ends of a time as people name them, as they are written here; `$` is what was written there.
private let ends: [String: String] = {
    var ends: [String: String] = [:]
    for name in ["start", "starts", "start_date", "start_at", "starts_at", "valid_from", "begin"] {
        ends[name] = "{ from: $ }"
    }
    for name in [
        "end", "ends", "end_date", "end_at", "ends_at", "valid_until", "expires", "expires_at",
        "expiry", "expiration",
    ] {
        ends[name] = "{ until: $ }"
    }
    return ends
}()

/// Numbers and times of impressions as people name them.
private let counts: [String: String] = {
    var counts = [
        "cooldown": "{ every: $ }", "limit": "{ lifetime: $ }",
    ]
    for name in ["once", "show_once", "only_once", "once_only", "one_time", "single_use"] {
        counts[name] = "{ lifetime: 1 }"
    }
    // What these say stands in their value.
    for name in ["frequency", "frequency_cap", "caps", "limits"] { counts[name] = "" }
    for name in ["max_shows", "max_times", "times", "impressions", "max_impressions", "max_views"] {
        counts[name] = "{ lifetime: $ }"
    }
    for (name, period) in periods { counts[name] = "{ windows: [{ max: #, per: \(period) }] }" }
    return counts
}()

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
