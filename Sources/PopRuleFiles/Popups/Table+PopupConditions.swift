internal import PopScheduler
internal import PopSource
internal import PopYAML

extension Table<PopupModel> {
    static var conditions: [Key<PopupModel>] {
        [
            Key(
                "trigger", format: .triggers, default: "start", store: { $0.trigger = $1 },
                alsoCalled: ["triggers", "on", "event", "events", "fires_on", "start_on"],
                holds: ["where", "nth"],
                summary: "when it enters the queue: on `start` (default), `session`, `manual`, an"
                    + " event, a changed key, a user's action on another popup, or a list of"
                    + " these"),
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
                summary: "the condition under which it is dismissed, or not shown at all"),
        ]
    }
}

/// Common keys of popups, such as a screen, that belong in a condition.
private let places: [String: String] = {
    let names = ["screen", "screens", "page", "pages", "route", "path", "view_controller"]
    var places = Dictionary(uniqueKeysWithValues: names.map { ($0, "app.screen == \"$\"") })
    for name in ["platform", "os", "device", "country", "language", "region", "city", "plan"] {
        places[name] =
            "\nuse a condition on a context key, such as"
            + " `when: user.\(name) == \"$\"`"
    }
    for name in ["else", "otherwise", "fallback"] {
        places[name] = "\nwrite a separate popup whose `when` is the opposite"
    }
    return places
}()
