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
                    "the order of waiting popups: first in, last in, or the most urgent first (default)"
            ),
            Key(
                "tie_break", format: .word(SchedulerRule.TieBreak.self),
                store: { $0.tieBreak = $1 },
                summary: "the order among equal priorities: first in (default) or last in first"),
            Key(
                "gap", format: .span, store: { $0.gap = $1 },
                alsoCalled: ["interval", "delay", "pause"],
                summary:
                    "how long the scheduler rests after a popup, or the bounds to draw that from"),
            Key(
                "max_waiting", format: .integer(1...1_000_000), store: { $0.maxWaiting = $1 },
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
                summary: "the condition that all popups of the group need besides their own"),
            Key(
                "cap", format: .windowCap, store: { $0.caps = Located([$1], at: $1.range) },
                alsoCalled: ["frequency"],
                summary: "how many popups of the group are shown per period"),
            Key(
                "caps", format: .list(of: .windowCap, minimum: 1), store: { $0.caps = $1 },
                alsoCalled: ["windows"],
                summary: "the same in several periods at once"
            ).such(as: "[{ max: 1, per: 1d }, { max: 3, per: 7d }]"),
            Key(
                "defaults", format: .defaults(.groupDefaults), store: { $0.defaults = $1 },
                summary: "what its popups say that do not say otherwise"
            ).such(as: "{ priority: low }"),
        ], rules: [.atMostOneOf(["cap", "caps"])])
}

extension Table<WindowCapModel> {
    static let windowCap = Table("a cap per period", keys: windowCapKeys { $1(&$0) })
}

/// The keys of a cap per period, which may stand among others.
func windowCapKeys<Target>(
    _ change: @escaping @Sendable (inout Target, (inout WindowCapModel) -> Void) -> Void
) -> [Key<Target>] {
    [
        Key(
            "max", format: .integer(1...1_000_000),
            store: { target, max in change(&target) { $0.max = max } },
            alsoCalled: ["count", "limit", "times"],
            summary: "how often something is shown in the period"
        ).required,
        Key(
            "per", format: .period, store: { target, per in change(&target) { $0.per = per } },
            alsoCalled: ["every", "period", "window"],
            summary: "the period: \(formsOfPeriod)"
        ).required,
        Key(
            "zone", format: .zone, store: { target, zone in change(&target) { $0.zone = zone } },
            alsoCalled: ["timezone", "time_zone", "tz"],
            summary: "whose calendar it is; `local` is that of the device"),
    ]
}

extension Format<WindowCapModel> {
    static var windowCap: Self { .table(.windowCap, startingWith: WindowCapModel()) }
}

extension Format<WindowCap.Period> {
    /// A duration, or one of the calendar's periods.
    static var period: Self {
        let schema = Schema.either([.duration(minimum: 1), .word(wordsOfPeriod)])
        return Format(schema) { node, decoder in
            guard let text = node.scalar?.text else { return decoder.mismatch(schema, at: node) }
            if let unit = CalendarUnit(rawValue: text) { return .calendar(unit) }
            if text == sessionWord { return .session }
            let word = periodWord(text)
            if let unit = CalendarUnit(rawValue: word) {
                return decoder.mismatch(schema, at: node, readings: [Reading(unit.rawValue)])
            }
            if word == sessionWord {
                return decoder.mismatch(schema, at: node, readings: [Reading(sessionWord)])
            }
            if let length = calendarWords[word] {
                return decoder.mismatch(
                    schema, at: node, readings: periods(named: word, length: length))
            }
            let similar = similarNames(to: word, among: wordsOfPeriod)
            // Several sessions together cannot be counted in.
            let isSeveral = similar == [sessionWord] && text.contains(where: \.isNumber)
            if similar.count == 1, !isSeveral, milliseconds(in: text) == nil {
                return decoder.mismatch(schema, at: node, readings: [Reading(similar[0])])
            }
            return decoder.duration(node, atLeast: 1, schema: schema).map { .rolling($0) }
        }
    }
}

/// A period as it is written here: `Per Week` as `week`, `CALENDAR-DAYS` as `calendar_day`.
private func periodWord(_ text: String) -> String {
    let isLoud = text == text.uppercased()
    var word = (isLoud ? text.lowercased() : text).foldedForNames.replacing(".", with: "_")
    for beginning in ["per_", "each_", "every_", "a_", "one_"] where word.hasPrefix(beginning) {
        word.removeFirst(beginning.count)
        break
    }
    let single = String(word.dropLast())
    let isKnown = calendarWords[single] != nil || CalendarUnit(rawValue: single) != nil
    return word.hasSuffix("s") && isKnown ? single : word
}

/// The time that a word such as `month` names, and the period of the calendar if there is one.
private func periods(named word: String, length: String) -> [Reading] {
    // Only an hour is hardly one of the clock.
    let rolling = Reading(
        length, meaning: "a time that ends now" + noteOnCalendar(word), isExact: word == "hour")
    guard let unit = CalendarUnit.allCases.first(where: { calendarWords[$0.noun] == length }) else {
        return [rolling]
    }
    return [rolling, Reading(unit.rawValue, meaning: "a \(unit.noun) of the calendar")]
}

/// What a period is, as a part of a sentence.
private let formsOfPeriod =
    "a duration, " + alternatives(wordsOfPeriod)

private let sessionWord = "session"

/// The periods that are no duration.
private let wordsOfPeriod = CalendarUnit.allCases.map(\.rawValue) + [sessionWord]

/// That a longer period of the calendar cannot be asked for.
private func noteOnCalendar(_ word: String) -> String {
    for unit in ["month", "quarter", "year"]
    where word.contains(unit) && CalendarUnit(rawValue: "calendar_\(unit)") == nil {
        return ", since there is no period for a \(unit) of the calendar"
    }
    return ""
}

/// Words that people write for periods, and the durations that come near.
let calendarWords = [
    "hour": "1h", "day": "1d", "week": "7d", "month": "30d", "year": "365d", "daily": "1d",
    "weekly": "7d", "monthly": "30d", "hourly": "1h", "yearly": "365d", "calendar_month": "30d",
    "quarterly": "90d", "calendar_quarter": "90d", "calendar_year": "365d", "calendar_hour": "1h",
].filter { CalendarUnit(rawValue: $0.key) == nil }
