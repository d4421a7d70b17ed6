public import PopScheduler
public import PopSource
internal import PopYAML

extension Table<SchedulerModel> {
    static let scheduler = Table(
        "a scheduler",
        keys: [
            Key(
                "strategy", format: .word(SchedulerRule.Strategy.self, meaning: wordsOfOrder),
                store: { $0.strategy = $1 },
                alsoCalled: ["order", "type"],
                summary:
                    "the order in which waiting popups show: oldest first (`fifo`), newest first"
                    + " (`lifo`), or highest priority first (`priority`, the default)"
            ),
            Key(
                "tie_break", format: .word(SchedulerRule.TieBreak.self, meaning: wordsOfOrder),
                store: { $0.tieBreak = $1 },
                summary:
                    "the order of popups with equal priority: oldest first (`fifo`, the default),"
                    + " or newest first (`lifo`)"
            ),
            Key(
                "gap", format: .span, store: { $0.gap = $1 },
                alsoCalled: ["interval", "delay", "pause"],
                summary:
                    "how long the scheduler shows nothing after a popup; a list has the two bounds"
                    + " of a random time, such as `[1s, 3s]`"),
            Key(
                "max_waiting", format: .integer(RuleBounds.counts), store: { $0.maxWaiting = $1 },
                alsoCalled: ["max", "limit", "max_queue", "queue"],
                summary:
                    "the maximum number of waiting popups; if more popups wait, the last popup in"
                    + " the order is dropped"),
            Key(
                "cap", format: .windowCap, store: { $0.cap = $1 },
                alsoCalled: ["caps", "frequency"],
                summary: "the maximum number of impressions of the scheduler per period"),
        ],
        rules: [.apartFrom("tie_break", key: "strategy", words: ["fifo", "lifo"])])
}

/// Common words for orders in which waiting popups show.
private let wordsOfOrder = wordTable([
    ("oldest oldest_first first first_in first_come queue asc age", "fifo"),
    ("newest newest_first latest last last_in recent most_recent stack desc", "lifo"),
    ("priorities by_priority highest highest_first importance important", "priority"),
])

extension Table<GroupModel> {
    static let group = Table(
        "a group",
        keys: [
            Key(
                "when", format: .condition, store: { $0.when = $1 },
                alsoCalled: ["condition", "if", "conditions"],
                summary:
                    "the condition that popups of the group must meet in addition to their own"
                    + " `when`"),
            Key(
                "cap", format: .capOfGroup, store: { $0.caps = Located([$1], at: $1.range) },
                alsoCalled: ["frequency"],
                summary: "the maximum number of impressions of the group per period"),
            Key(
                "caps", format: .list(of: .windowCap, minimum: 1, maximum: RuleBounds.caps),
                store: { $0.caps = $1 },
                alsoCalled: ["windows"],
                summary: "several caps with different periods; a group has either `cap` or `caps`"
            ).such(as: "[{ max: 1, per: 1d }, { max: 3, per: 7d }]"),
            Key(
                "defaults", format: .defaults(.groupDefaults), store: { $0.defaults = $1 },
                summary: "default values of keys, for all popups of the group"
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
            summary: "the maximum number of impressions in the period"
        ).required.such(as: capsByPeriod),
        Key(
            "per", format: .period, store: { target, per in change(&target) { $0.per = per } },
            alsoCalled: ["every", "period", "window"],
            summary: "the period, as \(formsOfPeriod)"
        ).required,
        Key(
            "zone", format: .zone, store: { target, zone in change(&target) { $0.zone = zone } },
            alsoCalled: ["timezone", "time_zone", "tz"],
            summary:
                "the time zone of `calendar_day` and the other calendar periods; `local` is the"
                + " time zone of the device"),
    ]
}

extension Format<WindowCapModel> {
    static var windowCap: Self { .table(.windowCap, startingWith: WindowCapModel()) }

    /// The cap of a group, which may have several.
    static var capOfGroup: Self {
        let cap = windowCap
        return Format(cap.schema) { node, decoder in
            if node.kind == .sequence {
                return decoder.mismatch(
                    cap.schema, at: node,
                    help: ["rename `cap` to `caps`, which is the key for a list of caps"])
            }
            return decoder.read(cap, at: node)?.value
        }
    }
}

/// The popups that a section is about.
public struct PopupSelectionModel: Sendable {
    /// The names of the schedulers whose popups are meant; nil for all.
    public var schedulers: Located<[Located<String>]>?
    /// Popups with one of these tags are meant; nil for all.
    public var tags: Located<[Located<String>]>?
}

/// The keys that name popups. `that` is the predicate in their summaries; `change` reaches them in
/// the model.
func selectionKeys<Model>(
    that predicate: String,
    change: @escaping @Sendable (inout Model, (inout PopupSelectionModel) -> Void) -> Void
) -> [Key<Model>] {
    [
        Key(
            "schedulers", format: .list(of: .reference(to: "scheduler"), minimum: 1),
            store: { model, names in change(&model) { $0.schedulers = names } },
            alsoCalled: ["scheduler", "lanes"],
            summary: "the schedulers whose popups \(predicate), by default all schedulers"
        ).such(as: ["scheduler": "[$]"]),
        Key(
            "tags", format: .list(of: .text, minimum: 1),
            store: { model, tags in change(&model) { $0.tags = tags } },
            alsoCalled: ["tag", "labels"],
            summary:
                "the tags of popups that \(predicate), by default all popups; a popup needs only"
                + " one of the tags"
        ).such(as: ["tag": "[$]"]),
    ]
}

/// Which users see essential popups only.
public struct HoldoutModel: Sendable {
    /// The percentage of users, 0 to 100.
    public var percent: Located<Double>?
    /// The name of the context key that identifies users.
    public var by: Located<String>?
    /// A word that decides which users are held out; nil is the usual one.
    public var salt: Located<String>?
}

extension Table<HoldoutModel> {
    static let holdout = Table(
        "`holdout`",
        keys: [
            Key(
                "percent", format: .number(0...100), store: { $0.percent = $1 },
                alsoCalled: ["percentage", "share", "part", "size"],
                summary: "the percentage of users who see only popups that are `essential`"
            ).such(as: "5").required,
            Key(
                "by", format: .reference(to: "context key"), store: { $0.by = $1 },
                alsoCalled: ["key", "user", "on"],
                summary: "the context key that identifies users"
            ).such(as: "user.id").required,
            Key(
                "salt", format: .nameOrWord, store: { $0.salt = $1 }, alsoCalled: ["seed"],
                summary:
                    "a word for the random selection, by default `holdout`; if you change the"
                    + " word, other users are selected"),
        ])
}

/// The section `quiet`: a part of each day in which popups are not shown.
public struct QuietModel: Sendable {
    /// The part of the day.
    public var hours: Located<Schedule.Hours>?
    /// The zone in which it is read; nil for the zone of the device.
    public var zone: Located<ZoneModel>?
    /// The popups that are not shown.
    public var popups = PopupSelectionModel()
}

/// Common names of the ends of quiet hours.
private let ends = Dictionary(
    uniqueKeysWithValues: ["from", "until", "to", "start", "end", "starts", "ends"].map {
        (
            $0,
            "\nreplace `from` and `until` with one key, such as `hours: 22:00-08:00`, with your own"
                + " times"
        )
    })

extension Table<QuietModel> {
    static let quiet = Table(
        "`quiet`",
        keys: [
            Key(
                "hours", format: .hours, store: { $0.hours = $1 },
                alsoCalled: ["hour", "times", "between", "time"] + ends.keys,
                summary:
                    "the part of the day in which popups are not shown, except essential popups"
            ).such(as: "22:00-08:00").such(as: ends).required,
            Key(
                "zone", format: .zone, store: { $0.zone = $1 },
                alsoCalled: ["timezone", "time_zone", "tz"],
                summary:
                    "the time zone of the hours, by default the time zone of the device"),
        ] + selectionKeys(that: "are not shown in these hours") { $1(&$0.popups) })
}

extension Format<QuietModel> {
    /// One part of each day; several are schedules of popups.
    static var quiet: Self {
        let table = Self.table(.quiet, startingWith: QuietModel())
        return Format(table.schema) { node, decoder in
            guard node.items.count > 1 else { return decoder.read(table, at: node)?.value }
            let first = decoder.onOneLine(node.items[0]) ?? "{ hours: 22:00-08:00 }"
            return decoder.mismatch(
                table.schema, at: node,
                help: [
                    "write only one map: `quiet: \(first)`",
                    "if you need several quiet periods, set the hours in which each popup may show,"
                        + " such as `schedule: [{ hours: 08:00-12:00, zone: local },"
                        + " { hours: 13:00-22:00, zone: local }]`",
                ])
        }
    }
}

/// The section `session`: when a session begins.
public struct SessionModel: Sendable {
    /// After how long in the background.
    public var timeout: Located<Duration>?
}

extension Table<SessionModel> {
    static let session = Table(
        "`session`",
        keys: [
            Key(
                "timeout", format: .duration(atLeast: 1), store: { $0.timeout = $1 },
                alsoCalled: [
                    "time_out", "after", "background", "duration", "length", "expires", "minutes",
                ],
                summary: "the time in the background after which a new session starts"
            ).such(as: "30m").required
        ])
}
