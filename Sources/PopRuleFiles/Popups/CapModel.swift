internal import PopCEL
internal import PopScheduler
public import PopSource
internal import PopYAML

/// The frequency caps of a popup.
public struct CapModel: Sendable {
    /// The most impressions for one user in all.
    public var lifetime: Located<Int>?
    /// The most impressions from one start of the app to the next.
    public var perSession: Located<Int>?
    /// The time in which it is shown once at most.
    public var every: Located<Duration>?
    /// The cap on how often users may close or refuse it.
    public var closes: Located<ClosesModel>?
    /// The pause after a user closed or refused it.
    public var afterClose: Located<PauseAfterCloseModel>?
    /// Caps per period, all of which hold.
    public var windows: Located<[Located<WindowCapModel>]>?
}

extension Table<CapModel> {
    static let cap = Table(
        "a popup's cap",
        keys: [
            Key(
                "lifetime", format: .integer(RuleBounds.counts), store: { $0.lifetime = $1 },
                alsoCalled: Array(countsInTotal.keys),
                summary: "the maximum number of impressions in total"
            ).such(as: "1").such(as: countsInTotal),
            Key(
                "per_session", format: .integer(RuleBounds.counts), store: { $0.perSession = $1 },
                alsoCalled: ["session"],
                summary: "the maximum number of impressions per session"),
            Key(
                "every", format: .duration(atLeast: 1), store: { $0.every = $1 },
                alsoCalled: ["cooldown", "interval", "gap"],
                summary: "the minimum time between two impressions"),
            Key(
                "windows", format: .windowCaps, store: { $0.windows = $1 },
                alsoCalled: ["window"] + periods.keys,
                holds: ["max", "per"],
                summary:
                    "the maximum number of impressions per period, such as `[{ max: 2, per: 7d }]`"
            ).such(as: "[{ max: 1, per: 1d }]")
                .such(as: periods.mapValues { "[{ max: #, per: \($0) }]" + noteOnPeriod($0) }),
            Key(
                "closes", format: .closes, store: { $0.closes = $1 },
                alsoCalled: [
                    "max_closes", "dismissals", "max_dismissals", "refusals", "max_refusals",
                ],
                summary:
                    "the number of closes or refusals after which the popup never shows again; if"
                    + " `per` names a context key, the popup shows again when the key has another"
                    + " value"),
            Key(
                "after_close", format: .pauseAfterClose, store: { $0.afterClose = $1 },
                alsoCalled: [
                    "after_dismiss", "after_closing", "after_refusal", "snooze", "on_close",
                    "pause",
                ],
                summary:
                    "how long the popup is not shown after the user closed or refused the popup; a"
                    + " map sets a time for each action, such as `{ close: 14d, later: 1d }`"
            ).such(as: "14d"),
        ],
        rules: [
            .anyOf(["lifetime", "per_session", "every", "windows", "closes", "after_close"])
        ])
}

/// Common names of the number of impressions in total, with its value.
private let countsInTotal = [
    "total": "#", "ever": "#", "max_shows": "#", "times": "#", "impressions": "#",
    "once": "1", "show_once": "1", "only_once": "1", "one_time": "1",
]

/// Common names of periods, with their form in rule files.
let periods = [
    "per_hour": "1h", "per_day": "1d", "per_week": "7d", "per_month": "30d",
    "hourly": "1h", "daily": "1d", "weekly": "7d", "monthly": "30d",
]

/// Returns a note, on a line of its own, on a period that is named like one of the calendar; empty
/// for others.
func noteOnPeriod(_ period: String) -> String {
    guard let length = lengths[period] else { return "" }
    guard let unit = calendarUnit(near: period) else {
        return "\nuse `per: \(period)` for the last \(length.text); there is no period for a"
            + " calendar \(length.noun)"
    }
    return "\nuse `per: \(period)` to count impressions in the last \(length.text), or"
        + " `per: \(unit.rawValue), zone: local` to count impressions in the calendar"
        + " \(unit.noun), in the time zone of the device"
}

/// The durations that may be meant as a unit of the calendar.
private let lengths: [String: (text: String, noun: String)] = [
    "1d": ("24 hours", "day"), "7d": ("7 days", "week"), "30d": ("30 days", "month"),
]

/// The unit of the calendar that a duration comes near.
private func calendarUnit(near period: String) -> CalendarUnit? {
    CalendarUnit.allCases.first { calendarWords[$0.noun] == period }
}

extension Format<[Located<WindowCapModel>]> {
    /// A list; for a map of periods, such as `{ day: 1, week: 3 }`, help shows the list form.
    static var windowCaps: Self {
        let list = Self.list(of: .windowCap, minimum: 1, maximum: RuleBounds.caps)
        return Format(list.schema) { node, decoder in
            let readings = capReadings(node)
            guard !readings.isEmpty else { return list.read(node, &decoder) }
            return decoder.mismatch(list.schema, at: node, readings: readings)
        }
    }
}

/// The lists of caps that a map of periods may mean; none for other values.
func capReadings(_ node: YAMLNode) -> [Reading] {
    let session = ["session": sessionWord, "per_session": sessionWord]
    let times = periods.merging(calendarWords) { $1 }.merging(session) { $1 }
    guard let rolling = windows(node, periods: times) else { return [] }
    let units = CalendarUnit.allCases
    var calendar = session
    for unit in units {
        calendar[unit.noun] = unit.rawValue
        calendar["per_\(unit.noun)"] = unit.rawValue
    }
    calendar["daily"] = CalendarUnit(rawValue: "calendar_day")?.rawValue
    calendar["weekly"] = CalendarUnit(rawValue: "calendar_week")?.rawValue
    guard let other = windows(node, periods: calendar), other != rolling else {
        return [Reading(rolling, isExact: false)]
    }
    let names = node.entries.map { $0.key.nameForMessages }.filter { times[$0] != calendar[$0] }
    let rollingParts = names.compactMap { times[$0] }.map {
        "the last \(lengthInWords($0))"
    }
    let calendarParts = names.compactMap { calendar[$0] }.map {
        $0.replacing("_", with: " ") + "s"
    }
    return [
        Reading(rolling, meaning: rollingParts.joined(separator: " and "), isExact: false),
        Reading(other, meaning: calendarParts.joined(separator: " and ")),
    ]
}

/// The list that is meant by a map of periods and numbers; nil for another map.
private func windows(_ node: YAMLNode, periods: [String: String]) -> String? {
    let items = node.entries.map { entry -> String? in
        let name = entry.key.nameForMessages
        let isPeriod = name.hasPrefix("calendar_") || milliseconds(in: name) != nil
        guard let number = entry.value.scalar.flatMap({ Int($0.text) }),
            RuleBounds.counts.contains(number),
            let period = periods[name] ?? (isPeriod ? name : nil)
        else { return nil }
        return "{ max: \(number), per: \(period) }"
    }
    return items.isEmpty || items.contains(nil)
        ? nil : "[\(items.compactMap(\.self).joined(separator: ", "))]"
}

extension Format<CapModel> {
    static var cap: Self {
        let table = Self.table(.cap, startingWith: CapModel(), mayBeEmpty: false)
        return Format(table.schema) { node, decoder in
            guard let text = node.scalar?.text else { return table.read(node, &decoder) }
            if ["unlimited", "none", "never", "no", "infinite"].contains(text.lowercased()) {
                return decoder.mismatch(
                    table.schema, at: node,
                    help: ["remove `cap`: a popup without `cap` has no limit of its own"])
            }
            return decoder.mismatch(table.schema, at: node, readings: capReadings(text))
        }
    }
}

/// Returns the meanings of a number, of a number with a period such as `2 per week`, or of a time
/// between two impressions.
func capReadings(_ text: String) -> [Reading] {
    if milliseconds(in: text) != nil { return [Reading("{ every: \(text) }", isExact: false)] }
    let words = text.lowercased().split { " /-_".contains($0) }.map { String($0) }
    let counts = ["once": 1, "one": 1, "twice": 2, "two": 2, "thrice": 3, "three": 3]
    let first = words.first.flatMap { counts[$0] ?? Int($0) }
    let number = first ?? 1
    guard RuleBounds.counts.contains(number), let last = words.last else { return [] }
    if let period = calendarWords[last] ?? periods["per_" + last], first != nil || words.count == 1
    {
        return windowReadings(number, per: period)
    }
    if last == "session", first != nil { return [Reading("{ per_session: \(number) }")] }
    if ["ever", "lifetime", "total"].contains(last), first != nil {
        return [Reading("{ lifetime: \(number) }")]
    }
    guard first != nil, words.count == 1 || ["times", "time", "x"].contains(last) else {
        let spans = durationReadings(text)
        return spans.count == 1 ? [Reading("{ every: \(spans[0].text) }", isExact: false)] : []
    }
    let times = number == 1 ? "once" : "\(number) times"
    return [
        Reading("{ lifetime: \(number) }", meaning: "\(times) in total"),
        Reading("{ per_session: \(number) }", meaning: "\(times) per session"),
        Reading(
            "{ windows: [{ max: \(number), per: 1d }] }", meaning: "\(times) in the last 24 hours"),
    ]
}

/// So often in a period that ends now, or in one of the calendar.
private func windowReadings(_ number: Int, per period: String) -> [Reading] {
    let rolling = "{ windows: [{ max: \(number), per: \(period) }] }"
    let times = number == 1 ? "once" : "\(number) times"
    let meaning = lengths[period].map { "\(times) in the last \($0.text)" } ?? ""
    guard let unit = calendarUnit(near: period) else {
        return [Reading(rolling, meaning: meaning, isExact: false)]
    }
    return [
        Reading(rolling, meaning: meaning),
        Reading(
            "{ windows: [{ max: \(number), per: \(unit.rawValue) }] }",
            meaning: "\(times) per calendar \(unit.noun)"),
    ]
}

/// The cap on how often users may close or refuse a popup.
public struct ClosesModel: Sendable {
    /// The most closings; nil if the value cannot be read.
    public var max: Located<Int>?
    /// The context key for each of whose values closings are counted; nil for none.
    public var per: Located<String>?
}

extension Table<ClosesModel> {
    fileprivate static let closes = Table(
        "`closes`",
        keys: [
            Key(
                "max", format: .closings, store: { $0.max = $1 },
                alsoCalled: ["count", "limit", "times"],
                summary: "the maximum number of times that the user may close or refuse the popup"
            ).required,
            Key(
                "per", format: .keyOfClosings, store: { $0.per = $1 },
                alsoCalled: ["key", "for", "each"],
                summary:
                    "a context key such as `status.incident`; for each value of this key, closings"
                    + " and refusals are counted separately"
            ).required,
        ])
}

extension Format<Int> {
    fileprivate static var closings: Self { .integer(RuleBounds.counts) }
}

extension Format<ClosesModel> {
    /// A number, or one for each value of a context key.
    static var closes: Self {
        let table = Self.table(.closes, startingWith: ClosesModel())
        let schema = Schema.either([Format<Int>.closings.schema, table.schema])
        return Format(schema) { node, decoder in
            if node.kind == .mapping { return table.read(node, &decoder) }
            if node.scalar == nil {
                return decoder.mismatch(
                    schema, at: node,
                    help: [
                        "use an integer such as `closes: 2`, or one map without brackets, such as"
                            + " `closes: { max: 1, per: status.incident }`"
                    ])
            }
            return decoder.read(.closings, at: node).map { ClosesModel(max: $0) }
        }
    }
}

extension Format<String> {
    /// The names of context keys, and no other periods.
    fileprivate static var keyOfClosings: Self {
        let schema = Schema.reference("context key")
        return Format(schema) { node, decoder in
            guard let text = node.scalar?.text else { return decoder.mismatch(schema, at: node) }
            let time = milliseconds(in: text) ?? CalendarUnit(rawValue: text).map { _ in 0 }
            guard time != nil || text == sessionWord else {
                return NameForm.dotted.fits(text.utf8)
                    ? text : decoder.mismatch(schema, at: node)
            }
            let pause = milliseconds(in: text) == nil ? "1d" : text
            return decoder.mismatch(
                schema, at: node,
                help: [
                    "to suppress the popup for a time after the user closed it, use `after_close`"
                        + " instead of `closes`, such as `cap: { after_close: \(pause) }`, because"
                        + " `closes` cannot count per period"
                ])
        }
    }
}

/// The pause of a popup after a user closed it, refused it or used an action of it.
public struct PauseAfterCloseModel: Sendable {
    /// After it was closed or refused in any way; nil if each action has its own pause.
    public var all: Located<Duration>?
    /// After actions of its template, and after `close`, which is for all other ways to close and
    /// refuse it.
    public var actions: [(name: Located<String>, pause: Located<Duration>)] = []
}

extension PauseAfterClose {
    init(_ model: PauseAfterCloseModel) {
        self.init(model.all?.value ?? .zero)
        for (name, pause) in model.actions {
            if name.value == TemplateRule.Action.close {
                close = pause.value
            } else {
                actions[name.value] = pause.value
            }
        }
    }
}

extension Format<PauseAfterCloseModel> {
    /// A duration, or a map of actions to durations.
    static var pauseAfterClose: Self {
        let pause = Format<Duration>.duration(atLeast: 1)
        let schema = Schema.either([pause.schema, .map(pause.schema)])
        return Format(schema) { node, decoder in
            guard node.kind == .mapping else {
                let all = decoder.duration(node, atLeast: 1, schema: schema)
                return all.map { PauseAfterCloseModel(all: Located($0, at: node.range)) }
            }
            if node.entries.isEmpty { decoder.report(.noPauses(at: node.range)) }
            var model = PauseAfterCloseModel()
            for entry in node.entries {
                guard let name = decoder.read(.text, at: entry.key) else { continue }
                let length = decoder.inside(key: entry.key) { $0.read(pause, at: entry.value) }
                if let length { model.actions.append((name, length)) }
            }
            return model
        }
    }
}

extension Diagnostic {
    fileprivate static func noPauses(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaMissingKey, message: "`after_close` is empty", at: range, label: "no keys",
            help: [
                "add a duration, such as `after_close: { close: 14d }`, or remove `after_close`"
            ])
    }
}

/// An item of `limits`: how many popups are shown across all schedulers, or across some.
public struct SharedLimitModel: Sendable {
    /// The cap and its period.
    public var window = WindowCapModel()
    /// The popups that count.
    public var popups = PopupSelectionModel()
}

extension Table<SharedLimitModel> {
    static let sharedLimit = Table(
        "a limit",
        keys: windowCapKeys { $1(&$0.window) }
            + selectionKeys(that: "count") { $1(&$0.popups) })
}

extension Format<[Located<SharedLimitModel>]> {
    /// A list of limits.
    static var sharedLimits: Self {
        let list = Self.list(
            of: .table(.sharedLimit, startingWith: SharedLimitModel()), minimum: 1,
            maximum: RuleBounds.caps)
        return Format(list.schema) { node, decoder in
            let readings = capReadings(node).map {
                Reading("limits: \($0.text)", meaning: $0.meaning, isExact: false)
            }
            guard !readings.isEmpty else {
                let limits = list.read(node, &decoder)
                // Help on a limit in other words, such as `2/week`.
                decoder.reviseFindings { finding in
                    let item = node.items.first {
                        $0.kind == .scalar && $0.range.lower == finding.range.lower
                    }
                    guard let text = item.flatMap({ windowText($0) }) else { return }
                    finding.help = ["write a limit as a map, such as `\(text)`"]
                }
                return limits
            }
            return decoder.mismatch(list.schema, at: node, help: readings.help)
        }
    }
}
