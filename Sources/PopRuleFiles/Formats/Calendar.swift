public import PopCEL
internal import PopScheduler
internal import PopSource
internal import PopYAML

/// One end of a schedule as it is written.
public enum ScheduleBound: Sendable, Hashable {
    /// The midnight that begins a day on the clocks of the schedule's zone, in days since
    /// 1970-01-01.
    case day(Int)
    case moment(Timestamp)
}

extension Format<ScheduleBound> {
    /// A date such as `2026-11-01`, or a time by RFC 3339.
    static var bound: Self {
        let schema = Schema.pattern(
            phrase: "a date such as `2026-11-01` or a time such as `2026-11-01T09:00:00+01:00`",
            expression: #"^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2}))?$"#)
        return Format(schema) { node, decoder in
            guard let text = node.scalar?.text else { return decoder.mismatch(schema, node) }
            if let day = daysSince1970(text) { return .day(day) }
            if let moment = Timestamp(parsing: text) { return .moment(moment) }
            return decoder.mismatch(schema, node, help: helpWithTime(text))
        }
    }
}

/// What may be wrong with a text that is almost a time.
func helpWithTime(_ text: String) -> [String] {
    let spaced = text.replacing(" ", with: "T")
    if Timestamp(parsing: spaced) != nil {
        return ["write a `T` between date and time: `\(spaced)`"]
    }
    for candidate in [spaced, spaced + ":00"] where Timestamp(parsing: candidate + "Z") != nil {
        return ["a time needs its offset from UTC: `\(candidate)Z`, or `\(candidate)+01:00`"]
    }
    let parts = text.split(separator: "-")
    if parts.count == 3, parts.allSatisfy({ Int($0) != nil }) {
        return ["a date is written year-month-day, and the day must exist in the calendar"]
    }
    return ["a date is written year-month-day, a time behind it as `T09:00:00Z`"]
}

/// The day that a date such as `2026-11-01` names; nil when the text is no date or no such day
/// exists.
func daysSince1970(_ text: String) -> Int? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
        let moment = Timestamp(parsing: text + "T00:00:00Z")
    else { return nil }
    return Int(moment.seconds) / 86_400 - (moment.seconds % 86_400 < 0 ? 1 : 0)
}

extension Format<Set<Schedule.Weekday>> {
    /// One day or a span of days, such as `mon` or `fri-sun`.
    static var days: Self {
        let names = weekdayNames
        let schema = Schema.pattern(
            phrase: "a day such as `sat` or days such as `mon-fri`",
            expression: "^(mon|tue|wed|thu|fri|sat|sun)(-(mon|tue|wed|thu|fri|sat|sun))?$")
        return Format(schema) { node, decoder in
            guard let text = node.scalar?.text else { return decoder.mismatch(schema, node) }
            let ends = text.split(separator: "-", omittingEmptySubsequences: false)
                .map { names.firstIndex(of: String($0)) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2 else {
                guard let meant = repairedDays(text) else {
                    return decoder.mismatch(
                        schema, node,
                        help: helpWithDash(node) ?? ["the days are \(enumeration(names))"])
                }
                return decoder.mismatch(
                    schema, node, help: ["write `\(meant)`"],
                    fixes: [.rename(node.range, to: meant)])
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
            let days = text.split(separator: ",").map { repairedDays(String($0)) }
            guard !days.isEmpty, !days.contains(nil) else {
                return decoder.mismatch(
                    list.schema, node, help: ["days are written such as `[mon-fri]`"])
            }
            let meant = "[\(days.compactMap(\.self).joined(separator: ", "))]"
            return decoder.mismatch(
                list.schema, node, help: ["a list is written `\(meant)`"],
                fixes: [
                    Diagnostic.Fix(
                        "make it a list", edits: [.init(node.range, replacement: meant)],
                        isSafe: true)
                ])
        }
    }
}

private let weekdayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

private let longWeekdayNames = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
]

/// A day or a span of days in English words, in full or cut to at least two letters, as it must be
/// written; nil when no days can be made out.
private func repairedDays(_ text: String) -> String? {
    guard text.utf8.count <= 64 else { return nil }
    let ends = text.lowercased().replacing(#/ +to +/#, with: "-")
        .split(omittingEmptySubsequences: false) { "-\u{2010}\u{2011}\u{2012}–—−".contains($0) }
        .map { part in
            let name = part.filter { $0 != " " }
            let day = longWeekdayNames.first { $0.hasPrefix(name) }
            return name.count >= 2 ? day.map { $0.prefix(3) } : nil
        }
    guard ends.count <= 2, !ends.contains(nil) else { return nil }
    return ends.compactMap(\.self).joined(separator: "-")
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
                    schema, node,
                    help: helpWithDash(node)
                        ?? ["times go from `00:00` to `24:00`, in hours and minutes"])
            }
            return Schedule.Hours(from: from, until: until == 0 ? 1440 : until)
        }
    }
}

/// What is wrong with a span whose dash is longer than the one of the keyboard.
private func helpWithDash(_ node: YAMLNode) -> [String]? {
    let text = node.scalar?.text ?? ""
    guard let dash = text.first(where: { "\u{2010}\u{2011}\u{2012}–—−".contains($0) }) else {
        return nil
    }
    return ["write a plain `-` instead of `\(dash)`: `\(text.replacing(String(dash), with: "-"))`"]
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

extension Format<String> {
    /// A time zone: an IANA name or an offset.
    static var zone: Self {
        let schema = Schema.pattern(
            phrase: "a time zone such as `Europe/Berlin` or `+02:00`", expression: "^.+$")
        return Format(schema) { node, decoder in
            guard let text = node.scalar?.text else { return decoder.mismatch(schema, node) }
            guard LocalCalendar(zone: text, zones: SystemTimeZones()) != nil else {
                let similar = decoder.suggestions(for: text, among: SystemTimeZones.names)
                decoder.report(.unknownZone(text, similar: similar, at: node.range))
                return nil
            }
            return text
        }
    }
}

extension Diagnostic {
    fileprivate static func unknownZone(
        _ name: String, similar: [String], at range: SourceRange
    ) -> Self {
        Diagnostic(
            .timeUnknownZone, "there is no time zone `\(name.shortened)`", at: range,
            label: "not a zone",
            help: [
                similar.isEmpty
                    ? "zones are named after a continent and a city, such as `Europe/Berlin` or"
                        + " `America/New_York`; an offset such as `+02:00` works too"
                    : "a zone with a similar name exists: \(alternatives(similar))"
            ],
            fixes: similar.count == 1 ? [.rename(range, to: similar[0])] : [])
    }
}
