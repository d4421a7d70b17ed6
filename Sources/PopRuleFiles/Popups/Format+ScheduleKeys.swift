internal import PopCEL
public import PopScheduler
public import PopSource
internal import PopYAML

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
                summary: "the time from which it may show"),
            Key(
                "until", format: .bound, store: { $0.until = $1 },
                alsoCalled: ["to", "end", "ends", "expires"],
                summary: "the time from which it may no longer show"),
            Key(
                "days", format: .dayList, store: { $0.days = $1 }, alsoCalled: ["day", "weekdays"],
                summary: "the days of the week"),
            Key(
                "hours", format: .hours, store: { $0.hours = $1 }, alsoCalled: ["hour", "times"],
                summary: "the part of the day"),
            Key(
                "zone", format: .zone, store: { $0.zone = $1 },
                alsoCalled: ["timezone", "time_zone", "tz"],
                summary: "the time zone of these times; `local` is the time zone of the device"),
            Key(
                "when", format: .condition, store: { $0.when = $1 },
                alsoCalled: ["if", "condition", "where"],
                summary: "the condition under which these times apply"),
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
                Reading("{ from: \(time.text) }", meaning: "from that time on"),
                Reading("{ until: \(time.text) }", meaning: "until that time"),
            ]
        }
    }
    let hours = hoursReadings(text)
    if !hours.isEmpty { return hours.map { Reading("{ hours: \($0.text) }", meaning: $0.meaning) } }
    return dayListReadings(text).map { Reading("{ days: \($0.text) }", meaning: $0.meaning) }
}

extension Diagnostic {
    fileprivate static func onlyZone(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaMissingKey, message: "the schedule has a `zone` but no times", at: range,
            label: "has no effect without times",
            help: ["add `from`, `until`, `days` or `hours`, or remove the schedule"])
    }
}
