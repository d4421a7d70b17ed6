internal import PopCEL
public import PopScheduler
public import PopSource
package import PopYAML

extension PopupModel {
    /// The times in which the popup shows and is dismissed.
    public struct Timing: Defaultable {
        /// The least and the longest wait after its trigger; equal when one duration is written,
        /// nil for none.
        public var delay: Located<ClosedRange<Duration>>?
        /// The time for which it stays chosen before anything is on the screen; nil is zero.
        public var grace: Located<Duration>?
        /// The least time on the screen, unless a user closes it; nil is zero.
        public var minShow: Located<Duration>?
        /// The longest time on the screen; nil is without end.
        public var hideAfter: Located<Duration>?
        /// The longest wait; nil is without end.
        public var maxWait: Located<Duration>?
        /// The dates, days and hours in which it may show: while one of them is open.
        public var schedule: Located<[Located<ScheduleModel>]>?

        @usableFromInline package init() {}
    }
}

extension PopupRule.Timing {
    /// Without the schedule, since its zones must be known first.
    init(_ model: PopupModel.Timing) {
        self.init()
        delay = model.delay?.value ?? .zero ... .zero
        grace = model.grace?.value ?? .zero
        minShow = model.minShow?.value ?? .zero
        hideAfter = model.hideAfter?.value
        maxWait = model.maxWait?.value
    }
}

extension Table<PopupModel> {
    static var timing: [Key<PopupModel>] {
        [
            Key(
                "delay", format: .span, default: "0s", store: { $0.timing.delay = $1 },
                alsoCalled: ["show_after", "start_after", "initial_delay"],
                summary:
                    "how long the popup waits after its trigger; a list has the two bounds of a"
                    + " random time, such as `[1s, 4s]`"),
            Key(
                "grace", format: .duration(), default: "0s", store: { $0.timing.grace = $1 },
                alsoCalled: ["grace_period"],
                summary:
                    "how long the popup must be ready to show, without interruption, before it"
                    + " appears"
            ).formerly("grace_time").comes { .duration($0.timing.grace) },
            Key(
                "min_show", format: .duration(), default: "0s",
                store: { $0.timing.minShow = $1 },
                alsoCalled: ["min_duration", "minimum_time", "min_display", "min_visible"],
                summary: "the minimum time on screen, unless the user closes the popup"
            ).formerly("min_show_time").comes { .duration($0.timing.minShow) },
            Key(
                "hide_after", format: .duration(atLeast: 1), store: { $0.timing.hideAfter = $1 },
                alsoCalled: [
                    "timeout", "duration", "ttl", "auto_dismiss", "dismiss_after", "show_for",
                    "auto_close", "auto_hide", "close_after", "display_time", "max_duration",
                    "max_show",
                ],
                summary: "the maximum time on screen"
            ).such(as: [
                "ttl": "\nto limit the time on screen, use `hide_after: $`"
                    + "\nto limit how long the popup waits in the queue, use `max_wait: $`"
            ]).comes { $0.timing.hideAfter.map { .duration($0) } },
            Key(
                "max_wait", format: .duration(atLeast: 1), store: { $0.timing.maxWait = $1 },
                alsoCalled: ["wait", "expires_after", "give_up_after", "max_age"],
                summary: "the maximum time in the queue"
            ).such(as: [
                "wait": "\nto wait at least this time after the trigger, use `delay: $`"
                    + "\nto limit how long the popup waits in the queue, use `max_wait: $`"
            ]).comes { $0.timing.maxWait.map { .duration($0) } },
            Key(
                "schedule", format: .schedules, store: { $0.timing.schedule = $1 },
                alsoCalled: [
                    "dates", "calendar", "time", "window", "active", "availability", "period",
                    "validity",
                ] + ends.keys,
                holds: ["from", "until", "days", "hours", "zone"],
                summary:
                    "the dates, days and hours at which the popup may show, or a list of several"
                    + " such schedules"
            ).such(as: ends),
        ]
    }
}

/// Common names for the recurrence of a schedule.
private let recurrences = Dictionary(
    uniqueKeysWithValues: ["cron", "crontab", "rrule", "recurrence", "repeat"].map {
        (
            $0,
            "\nuse `days` and `hours` instead, such as"
                + " `{ days: [mon], hours: 08:00-12:00, zone: local }`"
        )
    })

/// Common names for the ends of a time, with their form in rule files; `$` is the written value.
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
            "{ until: $ }\nto also show the popup on the last day, set `until` to the day after it,"
            + " because a schedule ends when the `until` day starts"
    }
    for name in ["timezone", "time_zone", "tz"] {
        ends[name] =
            "\nuse `zone` inside of `schedule`, such as"
            + " `schedule: { from: 2027-03-22, until: 2027-03-30, zone: $ }`"
    }
    return ends
}()

/// When a popup may show, by the calendar.
public struct ScheduleModel: Sendable {
    /// When it begins; nil for no beginning.
    public var from: Located<Schedule.Bound>?
    /// When it is over; nil for no end.
    public var until: Located<Schedule.Bound>?
    /// The days of the week, each entry one day or a span of days; nil for all.
    public var days: Located<[Located<Set<Schedule.Weekday>>]>?
    /// The part of the day; nil for all of it.
    public var hours: Located<Schedule.Hours>?
    /// The time zone of days, hours and times without an offset; nil is UTC.
    public var zone: Located<ZoneModel>?
    /// A further condition that must hold; nil for none.
    public var when: Located<ConditionModel>?
}

extension Table<ScheduleModel> {
    static let schedule = Table(
        "a schedule",
        keys: [
            Key(
                "from", format: .bound, store: { $0.from = $1 },
                alsoCalled: ["start", "begin", "starts", "since"],
                summary: "the time from which the popup may show"),
            Key(
                "until", format: .bound, store: { $0.until = $1 },
                alsoCalled: ["to", "end", "ends", "expires"],
                summary: "the time from which the popup no longer shows"),
            Key(
                "days", format: .dayList, store: { $0.days = $1 }, alsoCalled: ["day", "weekdays"],
                summary: "the days of the week on which the popup may show"),
            Key(
                "hours", format: .hours, store: { $0.hours = $1 },
                alsoCalled: ["hour", "times", "cron", "crontab", "rrule", "recurrence", "repeat"],
                summary: "the part of the day in which the popup may show"
            ).such(as: recurrences),
            Key(
                "zone", format: .zone, store: { $0.zone = $1 },
                alsoCalled: ["timezone", "time_zone", "tz"],
                summary: "the time zone of the schedule; `local` is the time zone of the device"),
            Key(
                "when", format: .condition, store: { $0.when = $1 },
                alsoCalled: ["if", "condition", "where"],
                summary: "the condition under which the schedule applies"),
        ], rules: [.anyOf(["from", "until", "days", "hours", "when"])])
}

extension Format<[Located<ScheduleModel>]> {
    /// One schedule or a list of them.
    static var schedules: Self {
        let one = Format<ScheduleModel>.schedule
        return Format(.either([one.schema, .list(one.schema, count: 1...Int.max)])) {
            node, decoder in
            if node.kind == .sequence {
                return decoder.read(.list(of: one, minimum: 1), at: node)?.value
            }
            return decoder.read(one, at: node).map { [$0] }
        }
    }
}

extension Format<ScheduleModel> {
    static var schedule: Self {
        let table = Self.table(.schedule, startingWith: ScheduleModel(), mayBeEmpty: false)
        return Format(table.schema) { node, decoder in
            if let zone = node.entries.first?.key, node.entries.count == 1,
                zone.scalar?.hasText("zone") == true
            {
                decoder.report(.onlyZone(at: zone.range))
            }
            if let text = node.scalar?.text {
                return decoder.mismatch(table.schema, at: node, readings: scheduleReadings(text))
            }
            decoder.schedule = node
            defer { decoder.schedule = nil }
            return table.read(node, &decoder)
        }
    }
}

/// Returns the meanings of a schedule that is only a date, days or hours.
private func scheduleReadings(_ text: String) -> [Reading] {
    let isTime = daysSince1970(text) != nil || Timestamp(parsing: text) != nil
    let times = isTime ? [Reading(text)] : timeReadings(text)
    if !times.isEmpty {
        return times.flatMap { time in
            [
                Reading(
                    "{ from: \(time.text) }",
                    meaning: "if the popup should show from that time on"),
                Reading(
                    "{ until: \(time.text) }", meaning: "if the popup should show until that time"),
            ]
        }
    }
    let spans = spanReadings(text)
    if !spans.isEmpty { return spans }
    let hours = hoursReadings(text)
    if !hours.isEmpty { return hours.map { Reading("{ hours: \($0.text) }", meaning: $0.meaning) } }
    return dayListReadings(text).map { Reading("{ days: \($0.text) }", meaning: $0.meaning) }
}

/// Returns the meanings of two dates or times such as `2027-01-01 - 2027-02-01`; none for other
/// texts.
private func spanReadings(_ text: String) -> [Reading] {
    for separator in [" - ", " to ", " until ", " – ", "..", "/"] {
        let ends = text.split(separator: separator).map {
            $0.split(separator: " ").joined(separator: " ")
        }
        guard ends.count == 2,
            ends.allSatisfy({ daysSince1970($0) != nil || Timestamp(parsing: $0) != nil })
        else { continue }
        return Reading(ends[1]).asEnd.map {
            Reading("{ from: \(ends[0]), until: \($0.text) }", meaning: $0.meaning)
        }
    }
    return []
}

extension Diagnostic {
    fileprivate static func onlyZone(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaMissingKey, message: "the schedule has a `zone` but no times", at: range,
            label: "has no effect without times",
            help: ["add `from`, `until`, `days` or `hours`, or remove the schedule"])
    }
}

extension Format<Schedule.Bound> {
    /// A date such as `2026-11-01`, or a time by RFC 3339, without an offset only next to a zone.
    static var bound: Self {
        let schema = Schema.pattern(
            phrase: "a date such as `2026-11-01` or a time such as `2026-11-01T09:00:00+01:00`",
            expression:
                #"^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}((:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2}))|(:\d{2})?))?$"#
        )
        return Format(schema) { node, decoder in
            guard let text = node.scalar?.text else { return decoder.mismatch(schema, at: node) }
            if let day = daysSince1970(text) { return .day(day) }
            if let moment = Timestamp(parsing: text) { return .moment(moment) }
            let zone = decoder.zoneOfSchedule
            if zone != nil, let seconds = readingSince1970(text) { return .reading(seconds) }
            return decoder.mismatch(schema, at: node, time: text, zone: zone)
        }
    }
}

extension Decoder {
    /// Reports a string that isn't a time, with what it may mean, and returns nil.
    package mutating func mismatch<Value>(
        _ schema: Schema, at node: YAMLNode, time text: String, zone: String? = nil,
        check: Check = .schemaType, takesDates: Bool = true
    ) -> Value? {
        var readings = timeReadings(text, zone: zone, takesDates: takesDates)
        var reason: [String] = []
        if namedKey?.value == "until" {
            if takesDates, readings.isEmpty, let last = lastDayInstead(of: text) {
                readings = [last]
                reason = [helpOnLastDay(text)].compactMap(\.self)
            }
            readings = readings.flatMap(\.asEnd)
        }
        let help =
            reason
            + helpWithTime(
                text, readings: readings, zone: zone, mayNameZone: schedule != nil,
                takesDates: takesDates)
        return mismatch(
            schema, at: node, check: check, help: help, fixes: readings.fixes(at: node.range))
    }
}

extension Reading {
    /// Two readings: a day at whose start something ends, and the next day, so that the first is
    /// the last day.
    fileprivate var asEnd: [Reading] {
        guard let day = daysSince1970(text), meaning.first?.isNumber ?? true else {
            return [self]
        }
        let next = "\(Timestamp(seconds: Int64(day + 1) * 86_400))".prefix(10)
        let words = meaning.isEmpty ? text : meaning
        return [
            Reading(text, meaning: "until the start of \(words) (the day before is the last day)"),
            Reading(String(next), meaning: "until the end of \(words) (this is the last day)"),
        ]
    }
}

/// The day that a date such as `2026-11-01` names; nil if the string isn't a date or no such day
/// exists.
func daysSince1970(_ text: String) -> Int? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
        let moment = Timestamp(parsing: text + "T00:00:00Z")
    else { return nil }
    return Int(moment.seconds / 86_400) - (moment.seconds % 86_400 < 0 ? 1 : 0)
}

/// Returns the clock reading of a time without an offset, such as `2026-11-01T09:00`, in seconds
/// since 1970-01-01T00:00:00 on the same clock; nil if the string isn't such a time.
func readingSince1970(_ text: String) -> Int64? {
    let hasSeconds = text.utf8.count == 19
    guard hasSeconds || text.utf8.count == 16, text.dropFirst(10).first == "T" else { return nil }
    return Timestamp(parsing: text + (hasSeconds ? "Z" : ":00Z"))?.seconds
}

extension Schedule.Bound: Comparable {
    /// By the instants in UTC, as though its clocks were read.
    public static func < (left: Self, right: Self) -> Bool { left.seconds < right.seconds }

    private var seconds: Int64 {
        switch self {
        case .day(let day): Int64(day) * 86_400
        case .moment(let moment): moment.seconds
        case .reading(let seconds): seconds
        }
    }
}

extension Format<Set<Schedule.Weekday>> {
    /// One day or a span of days, such as `mon` or `fri-sun`.
    static var days: Self {
        let names = weekdayNames
        let schema = Schema.pattern(
            phrase: "a day such as `sat` or days such as `mon-fri`",
            expression: "^(mon|tue|wed|thu|fri|sat|sun)(-(mon|tue|wed|thu|fri|sat|sun))?$")
        return Format(schema) { node, decoder in
            guard let text = node.scalar?.text else { return decoder.mismatch(schema, at: node) }
            let ends = text.split(separator: "-", omittingEmptySubsequences: false)
                .map { names.firstIndex(of: String($0)) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2 else {
                return decoder.mismatch(
                    schema, at: node, readings: dayReadings(text),
                    help: ["use the days \(enumeration(names))"])
            }
            let count = (last - first + 7) % 7 + 1
            return Set((0..<count).map { Schedule.Weekday.allCases[(first + $0) % 7] })
        }
    }
}

extension Format<[Located<Set<Schedule.Weekday>>]> {
    /// A list of days and spans of days.
    static var dayList: Self {
        let list = Self.list(of: .days, minimum: 1)
        return Format(list.schema) { node, decoder in
            guard let text = node.scalar?.text else { return list.read(node, &decoder) }
            return decoder.mismatch(
                list.schema, at: node, readings: dayListReadings(text),
                help: [
                    text.hasPrefix("[")
                        ? "remove the quotes around the list"
                        : "write days in a list, such as `[mon-fri]`"
                ])
        }
    }
}

extension Format<Schedule.Hours> {
    /// A part of the day such as `09:00-21:00`; `22:00-06:00` spans midnight.
    static var hours: Self {
        let schema = Schema.pattern(
            phrase: "two times of day such as `09:00-21:00`",
            expression:
                #"^ *([01]?\d|2[0-3]):[0-5]\d *- *(([01]?\d|2[0-3]):[0-5]\d|24:00) *$"#)
        return Format(schema) { node, decoder in
            let ends = node.scalar?.text.split(separator: "-").map(minutes) ?? []
            guard ends.count == 2, let from = ends[0], let until = ends[1], from < 1440 else {
                return decoder.mismatch(
                    schema, at: node, readings: hoursReadings(node.textOfHours),
                    help: [helpWithHours(node)])
            }
            return Schedule.Hours(from: from, until: until == 0 ? 1440 : until)
        }
    }
}

private func helpWithHours(_ node: YAMLNode) -> String {
    let text = node.scalar?.text.lowercased() ?? ""
    if ["24h", "24/7", "all day", "always", "whole day", "daily", "any"].contains(text) {
        return "if you mean the whole day, remove `hours`, or use `00:00-24:00`"
    }
    let parts = text.split { ",;&".contains($0) }
    if parts.count > 1, parts.allSatisfy({ $0.contains("-") }) {
        return
            severalParts
    }
    if node.items.count > 1, node.items.allSatisfy({ $0.scalar?.text.contains("-") == true }) {
        return
            severalParts
    }
    return "write hours and minutes from `00:00` to `24:00`, such as `09:00-21:00`"
}

extension YAMLNode {
    /// The value as one text: a list of two times, and a map of two, as from one to the other.
    fileprivate var textOfHours: String {
        let times = kind == .mapping ? entries.map(\.value) : items.map { $0 }
        guard times.count == 2 else { return scalar?.text ?? "" }
        return times.map { $0.scalar?.text ?? "" }.joined(separator: "-")
    }
}

/// Minutes since midnight of a time such as `9:00` or `24:00`.
private func minutes(_ text: Substring) -> Int? {
    let parts = text.filter { $0 != " " }.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
        parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
        let hour = Int(parts[0]), let minute = Int(parts[1]), minute < 60
    else { return nil }
    let total = hour * 60 + minute
    return total <= 1440 ? total : nil
}

private let severalParts =
    "use a list of schedules for several parts of the day, such as"
    + " `schedule: [{ hours: 09:00-12:00, zone: local },"
    + " { hours: 14:00-18:00, zone: local }]`"
