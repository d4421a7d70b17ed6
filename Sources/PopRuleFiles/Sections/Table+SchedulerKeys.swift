internal import PopScheduler
internal import PopSource
internal import PopYAML

extension Table<SchedulerModel> {
    static let scheduler = Table(
        "a scheduler",
        keys: [
            Key(
                "strategy", format: .word(SchedulerRule.Strategy.self), store: { $0.strategy = $1 },
                alsoCalled: ["order", "type"],
                summary:
                    "the order of waiting popups: first in, last in, or the highest priority first (default)"
            ),
            Key(
                "tie_break", format: .word(SchedulerRule.TieBreak.self),
                store: { $0.tieBreak = $1 },
                summary: "the order among equal priorities: first in (default) or last in first"),
            Key(
                "gap", format: .span, store: { $0.gap = $1 },
                alsoCalled: ["interval", "delay", "pause"],
                summary: "how long the scheduler rests after a popup, or bounds for a random time"),
            Key(
                "max_waiting", format: .integer(RuleBounds.counts), store: { $0.maxWaiting = $1 },
                alsoCalled: ["max", "limit", "max_queue", "queue"],
                summary: "how many popups may wait; the last in order is dropped"),
            Key(
                "cap", format: .windowCap, store: { $0.cap = $1 },
                alsoCalled: ["caps", "frequency"],
                summary: "how many popups the scheduler shows per period"),
        ],
        rules: [.apartFrom("tie_break", key: "strategy", words: ["fifo", "lifo"])])
}

extension Table<GroupModel> {
    static let group = Table(
        "a group",
        keys: [
            Key(
                "when", format: .condition, store: { $0.when = $1 },
                alsoCalled: ["condition", "if", "conditions"],
                summary:
                    "the condition that popups of the group must meet in addition to their own"),
            Key(
                "cap", format: .windowCap, store: { $0.caps = Located([$1], at: $1.range) },
                alsoCalled: ["frequency"],
                summary: "how many popups of the group are shown per period"),
            Key(
                "caps", format: .list(of: .windowCap, minimum: 1, maximum: RuleBounds.caps),
                store: { $0.caps = $1 },
                alsoCalled: ["windows"],
                summary: "several caps, each with its period"
            ).such(as: "[{ max: 1, per: 1d }, { max: 3, per: 7d }]"),
            Key(
                "defaults", format: .defaults(.groupDefaults), store: { $0.defaults = $1 },
                summary: "the values of keys that its popups don't set"
            ).such(as: "{ priority: low }"),
        ], rules: [.atMostOneOf(["cap", "caps"])])
}

extension Table<WindowCapModel> {
    static let windowCap = Table("a cap per period", keys: windowCapKeys { $1(&$0) })
}

/// Common names of caps that contain the period, with their form in rule files.
private let capsByPeriod: [String: String] = {
    var caps = periods.mapValues { "\n\nwrite `{ max: #, per: \($0) }`" + noteOnPeriod($0) }
    caps["per_session"] = "\n\nwrite `{ max: #, per: session }`"
    caps["session"] = caps["per_session"]
    return caps
}()

/// The keys of a cap per period, which may be among others.
func windowCapKeys<Target>(
    _ change: @escaping @Sendable (inout Target, (inout WindowCapModel) -> Void) -> Void
) -> [Key<Target>] {
    [
        Key(
            "max", format: .integer(RuleBounds.counts),
            store: { target, max in change(&target) { $0.max = max } },
            alsoCalled: ["count", "limit", "times"] + capsByPeriod.keys,
            summary: "how often something is shown in the period"
        ).required.such(as: capsByPeriod),
        Key(
            "per", format: .period, store: { target, per in change(&target) { $0.per = per } },
            alsoCalled: ["every", "period", "window"],
            summary: "the period: \(formsOfPeriod)"
        ).required,
        Key(
            "zone", format: .zone, store: { target, zone in change(&target) { $0.zone = zone } },
            alsoCalled: ["timezone", "time_zone", "tz"],
            summary: "the time zone of the calendar; `local` is the time zone of the device"),
    ]
}

extension Format<WindowCapModel> {
    static var windowCap: Self { .table(.windowCap, startingWith: WindowCapModel()) }
}
