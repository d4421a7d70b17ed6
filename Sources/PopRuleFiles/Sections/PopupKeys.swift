internal import PopScheduler
internal import PopSource
internal import PopYAML

extension Table<PopupModel> {
    static let popup = Table(
        "a popup", keys: about + order + condition + timing + limits + payload)

    private static var about: [Key<PopupModel>] {
        [
            Key(
                "description", format: .text, store: { $0.texts.description = $1 },
                alsoCalled: ["summary", "comment", "purpose", "note", "notes", "doc"],
                summary: "what the popup is for, for people"),
            Key(
                "owner", format: .text, store: { $0.texts.owner = $1 },
                alsoCalled: ["team", "author", "maintainer", "contact", "responsible"],
                summary: "who answers for the popup"),
            Key(
                "tags", format: .list(of: .text), store: { $0.texts.tags = $1 },
                alsoCalled: ["labels", "keywords", "categories", "category"],
                summary: "words to find it by"),
            Key(
                "enabled", format: .bool, store: { $0.isEnabled = $1 },
                alsoCalled: [
                    "active", "is_enabled", "is_active", "published", "live", "disabled",
                    "is_disabled", "hidden", "paused",
                ],
                summary: "whether the popup is on at all (default)"
            ).such(as: ["disabled": "!", "is_disabled": "!", "hidden": "!", "paused": "!"]),
        ]
    }

    private static var order: [Key<PopupModel>] {
        [
            Key(
                "scheduler", format: .reference(to: "scheduler"),
                store: { $0.place.scheduler = $1 },
                alsoCalled: ["lane", "queue", "surface", "channel", "slot"],
                summary: "the scheduler that shows it, `main` when none is named"),
            Key(
                "group", format: .reference(to: "group"), store: { $0.place.group = $1 },
                summary: "the group whose condition and cap hold for it too"),
            Key(
                "priority", format: .priority, store: { $0.priority = $1 },
                alsoCalled: [
                    "importance", "weight", "order", "rank", "urgency", "level", "position",
                    "index", "z_index", "score",
                ],
                summary: "how urgent it is: a name or a whole number, higher goes first"
            ).such(as: ["order": "", "rank": "", "position": "", "index": "", "level": ""]),
            Key(
                "untriggered", format: .word(PopupRule.Untriggered.self),
                store: { $0.untriggered = $1 },
                summary: "what happens when it is passed over: it waits on (default) or is dropped"),
            Key(
                "switch", format: .word(PopupRule.Switch.self, help: wordsOfSwitch),
                store: { $0.switch = $1 },
                alsoCalled: [
                    "on_preempt", "preempt", "when_preempted", "on_interrupt", "on_replaced",
                ],
                summary:
                    "what happens when a more urgent popup comes while it shows: that one waits (default),"
                    + " it gives way and comes back, or it is dropped"),
            Key(
                "after", format: .predecessors, store: { $0.place.after = $1 },
                alsoCalled: [
                    "depends_on", "requires", "follows", "wait_for", "needs", "prerequisites",
                ],
                summary: "the popups that must have been shown before, and be gone"),
        ]
    }

    private static var condition: [Key<PopupModel>] {
        [
            Key(
                "trigger", format: .triggers, store: { $0.trigger = $1 },
                alsoCalled: ["triggers", "on", "event", "events", "fires_on", "start_on"],
                holds: ["where", "nth"],
                summary:
                    "what puts it into the queue: `start` (default), `manual`, an event, a changed key, or"
                    + " a list of these"),
            Key(
                "when", format: .condition, store: { $0.when = $1 },
                alsoCalled: [
                    "condition", "conditions", "if", "show_when", "show_if", "where", "visible",
                    "visible_if", "visible_when", "display_when", "filter", "audience", "target",
                    "targeting", "segment", "segments", "criteria", "eligibility", "rule", "rules",
                    "expression",
                ] + places.keys,
                summary: "the condition under which it may show"
            ).such(as: places),
            Key(
                "dismiss_when", format: .condition, store: { $0.dismissWhen = $1 },
                alsoCalled: ["hide_when", "close_when", "hide_if", "close_if", "dismiss_if"],
                summary: "the condition under which it is taken down, and does not show"),
        ]
    }

    private static var timing: [Key<PopupModel>] {
        [
            Key(
                "delay", format: .duration(), store: { $0.timing.delay = $1 },
                alsoCalled: ["show_after", "start_after", "initial_delay"],
                summary: "how long it waits after its trigger"),
            Key(
                "grace", format: .duration(), store: { $0.timing.grace = $1 },
                alsoCalled: ["grace_period"],
                summary: "how long it stays chosen before anything is on screen"
            ).formerly("grace_time"),
            Key(
                "min_show", format: .duration(), store: { $0.timing.minShow = $1 },
                alsoCalled: ["min_duration", "minimum_time", "min_display", "min_visible"],
                summary: "how long it shows at least, unless a person closes it"
            ).formerly("min_show_time"),
            Key(
                "hide_after", format: .duration(atLeast: 1), store: { $0.timing.hideAfter = $1 },
                alsoCalled: [
                    "timeout", "duration", "ttl", "auto_dismiss", "dismiss_after", "show_for",
                    "auto_close", "auto_hide", "close_after", "display_time", "max_duration",
                    "max_show",
                ],
                summary: "how long it shows at most"
            ).such(as: [
                "ttl": "\nhow long it shows at most is `hide_after: $`"
                    + "\nhow long it waits at most is `max_wait: $`"
            ]),
            Key(
                "max_wait", format: .duration(atLeast: 1), store: { $0.timing.maxWait = $1 },
                alsoCalled: ["wait", "expires_after", "give_up_after", "max_age"],
                summary: "how long it waits at most"
            ).such(as: [
                "wait": "\nhow long it waits at least, after its trigger, is `delay: $`"
                    + "\nhow long it waits at most is `max_wait: $`"
            ]),
            Key(
                "schedule", format: .schedule, store: { $0.timing.schedule = $1 },
                alsoCalled: [
                    "dates", "calendar", "time", "window", "active", "availability", "period",
                    "validity",
                ] + ends.keys,
                holds: ["from", "until", "days", "hours", "zone"],
                summary: "the dates, days and hours in which it may show"
            ).such(as: ends),
        ]
    }

    private static var limits: [Key<PopupModel>] {
        [
            Key(
                "cap", format: .cap, store: { $0.limits.cap = $1 },
                alsoCalled: Array(counts.keys),
                holds: ["lifetime", "per_session", "every", "windows"],
                summary: "how often it is shown"
            ).such(as: "{ windows: [{ max: 1, per: 1d }] }").such(as: counts),
            Key(
                "rollout", format: .rollout, store: { $0.limits.rollout = $1 },
                alsoCalled: [
                    "experiment", "ab_test", "split",
                ] + shares.keys,
                summary: "the part of the users that it is shown to"
            ).such(as: shares),
        ]
    }

    private static var payload: [Key<PopupModel>] {
        [
            Key(
                "template", format: .reference(to: "template"), store: { $0.template = $1 },
                alsoCalled: ["type", "kind", "layout", "style", "component", "view", "design"],
                summary: "what kind of popup it is, which says what its content must be"),
            Key(
                "content", format: .map(of: .any).orElse { $0 }, store: { $0.content = $1 },
                alsoCalled: ["payload", "data", "params", "props", "parameters"],
                holds: [
                    "title", "subtitle", "headline", "body", "text", "message", "button",
                    "buttons", "cta", "image", "icon", "link", "url",
                ],
                summary: "what the app is handed to show"),
            Key(
                "examples", format: .table(.examples, startingWith: ExamplesModel()),
                store: { $0.checks.examples = $1 },
                alsoCalled: ["example", "tests"],
                summary: "contexts for which `when` must be true, and others for which it must not"),
        ]
    }
}

private let wordsOfSwitch = [
    "it stands in the popup that gives way: with `latent` it comes back, with `discard` it is"
        + " dropped, and with `await` it stays until it is over"
]

/// Shares of the users as people name them, and those that are left out.
private let shares: [String: String] = {
    var shares: [String: String] = [:]
    for name in ["percentage", "percent", "sample", "ramp"] {
        shares[name] = "{ percent: #, by: user.id }"
    }
    for name in ["holdout", "hold_out", "holdback", "control_group"] {
        shares[name] =
            "\nthe `percent` of `rollout` is the part of the users that it is shown to: what those"
            + " who are left out leave of 100"
    }
    return shares
}()

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
        ends[name] =
            "{ until: $ }\nfrom `until` on it does not show any more: a day that stands there is not"
            + " one of its days"
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
    for (name, period) in periods {
        counts[name] = "{ windows: [{ max: #, per: \(period) }] }" + noteOnPeriod(period)
    }
    return counts
}()

extension Table<ExamplesModel> {
    static let examples = Table(
        "examples",
        keys: [
            Key(
                "match", format: .list(of: .map(of: .any, keys: .references("context key"))),
                store: { $0.match = $1 },
                alsoCalled: ["matches", "yes"],
                summary: "contexts for which `when` must be true"),
            Key(
                "no_match", format: .list(of: .map(of: .any, keys: .references("context key"))),
                store: { $0.noMatch = $1 },
                alsoCalled: ["not_match", "no_matches", "no"],
                summary: "contexts for which `when` must not be true"),
        ])
}
