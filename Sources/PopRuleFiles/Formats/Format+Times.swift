internal import PopCEL
public import PopScheduler
internal import PopSource
internal import PopYAML

extension Format<Duration> {
    /// A duration of at least that many milliseconds: `300ms`, `2s`, `10m`, `1h`, `1d`, `1h30m`.
    package static func duration(atLeast minimum: Int = 0) -> Self {
        let schema = Schema.duration(minimum: minimum)
        return Format(schema) { node, decoder in decoder.duration(node, atLeast: minimum) }
    }
}

extension Decoder {
    /// For a value that may also be something else, `schema` describes all that it may be.
    mutating func duration(
        _ node: YAMLNode, atLeast minimum: Int = 0, schema: Schema? = nil
    ) -> Duration? {
        let schema = schema ?? .duration(minimum: minimum)
        guard let scalar = node.scalar else {
            return mismatch(schema, at: node, help: node.items.count > 1 ? [oneLength] : [])
        }
        let text = scalar.text
        switch scalar.value {
        case .int, .unsigned, .hugeInteger, .float:
            return withoutUnit(text, at: node, schema: schema, atLeast: minimum)
        case .null, .bool, .string: break
        }
        guard let milliseconds = milliseconds(in: text) else {
            return mismatch(
                schema, at: node, readings: durationReadings(text),
                help: [helpWithDuration(text, of: subjectOfValue)])
        }
        guard milliseconds >= minimum, milliseconds <= limits.durationMilliseconds else {
            report(
                .durationOutside(
                    subjectOfValue, minimum: minimum, maximumDays: limits.durationDays, at: node))
            return nil
        }
        return .milliseconds(milliseconds)
    }
}

extension Decoder {
    private mutating func withoutUnit(
        _ number: String, at node: YAMLNode, schema: Schema, atLeast minimum: Int
    ) -> Duration? {
        if Double(number) == 0 {
            return minimum > 0
                ? mismatch(
                    schema, at: node,
                    help: ["remove \(subjectOfValue), because zero is not allowed here"])
                : mismatch(schema, at: node, readings: [Reading("0s")])
        }
        let readings = unitReadings(number)
        let help =
            readings.isEmpty
            ? helpWithDuration(number, of: subjectOfValue)
            : "add the unit; " + readings.help.joined(separator: "; ")
        return mismatch(schema, at: node, help: [help], fixes: readings.fixes(at: node.range))
    }
}

private let oneLength =
    "use one duration, because only `delay` and the `gap` of a scheduler accept a range"

private let noTime = ["none", "no", "nothing"]
private let endless = ["forever", "never", "infinite", "infinity", "unlimited", "always"]

/// Returns true if a string commonly means no time, or an endless time.
func isWordForNoTime(_ text: String) -> Bool {
    (noTime + endless).contains(text.lowercased())
}

private func helpWithDuration(_ text: String, of subject: String) -> String {
    if text == sessionWord, subject == "`every`" {
        return "to show the popup once per session, use `per_session: 1` in the `cap`"
    }
    if CalendarUnit(rawValue: text) != nil {
        return "use a calendar period only for `per` in a cap, such as"
            + " `{ max: 1, per: \(text) }`"
    }
    if text.hasPrefix("-") {
        let length = String(text.dropFirst())
        return "write the duration without a minus sign"
            + (milliseconds(in: length) == nil ? "" : ", such as `\(length)`")
    }
    if spanOfTimes(text) != nil { return oneLength }
    if noTime.contains(text.lowercased()) {
        return "to set no duration, remove \(subject)"
    }
    if endless.contains(text.lowercased()) {
        if subject == "`after_close`" || subject == "`close`" {
            return "to hide the popup permanently once it is closed, use `closes: 1` in the `cap`"
        }
        return "remove \(subject) if you do not want a limit"
    }
    return
        "use integers with the units `d`, `h`, `m`, `s` and `ms`, the longest unit first, such as"
        + " `1h30m`"
}

/// The length of a duration such as `1h30m` in milliseconds; nil if the string isn't a duration.
///
/// Units come in the order `d h m s ms`, each at most once. A length that does not fit in 64 bits
/// is `Int64.max`.
package func milliseconds(in text: String) -> Int64? {
    var total: Int64 = 0
    var units = durationUnits[...]
    var rest = Substring(text)
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest.dropFirst(digits.count)
        let unit = rest.prefix { $0.isASCII && $0.isLetter }
        rest = rest.dropFirst(unit.count)
        guard !digits.isEmpty, let index = units.firstIndex(where: { $0.name == unit }) else {
            return nil
        }
        let part = (Int64(digits) ?? .max).multipliedReportingOverflow(by: units[index].length)
        let sum = total.addingReportingOverflow(part.partialValue)
        total = part.overflow || sum.overflow ? .max : sum.partialValue
        units = units[(index + 1)...]
        if total == .max { return total }
    }
    return total
}

let durationUnits: [(name: String, length: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
]

/// A duration as an author would write it.
package func durationText(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    var rest = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    var text = ""
    for unit in durationUnits where rest >= unit.length {
        text += "\(rest / unit.length)\(unit.name)"
        rest %= unit.length
    }
    return text.isEmpty ? "0s" : text
}

extension Diagnostic {
    fileprivate static func durationOutside(
        _ subject: String, minimum: Int, maximumDays: Int, at node: YAMLNode
    ) -> Self {
        let length = milliseconds(in: node.scalar?.text ?? "") ?? 0
        let bound =
            length < minimum
            ? "at least `\(durationText(.milliseconds(minimum)))`" : "at most `\(maximumDays)d`"
        return Diagnostic(
            .schemaRange, message: "\(subject) must be \(bound), but is `\(node.nameForMessages)`",
            at: node.range, label: length < minimum ? "too short" : "too long")
    }
}

extension Format<ClosedRange<Duration>> {
    /// A duration, or a list of the shortest and the longest.
    package static var span: Self {
        let schema = Schema.either([
            .duration(minimum: 0), .list(.duration(minimum: 0), count: 2...2),
        ])
        return Format(schema) { node, decoder in
            guard node.kind == .sequence else {
                if let text = node.text, milliseconds(in: text) == nil,
                    let span = spanOfTimes(text)
                {
                    return decoder.mismatch(
                        schema, at: node,
                        readings: [Reading("[\(span.0), \(span.1)]", isExact: false)])
                }
                return decoder.duration(node).map { $0...$0 }
            }
            guard node.items.count == 2 else {
                decoder.report(.spanBounds(decoder.subjectOfValue, at: node))
                return nil
            }
            let bounds = decoder.read(.list(of: .duration()), at: node)?.value ?? []
            guard bounds.count == 2 else { return nil }
            guard bounds[0].value <= bounds[1].value else {
                decoder.report(.spanOrder(decoder.subjectOfValue, bounds[0], bounds[1]))
                return nil
            }
            return bounds[0].value...bounds[1].value
        }
    }
}

extension Diagnostic {
    fileprivate static func spanBounds(_ subject: String, at node: YAMLNode) -> Self {
        let count = node.items.count
        var diagnostic = Diagnostic(
            .schemaRange,
            message: "a list in \(subject) needs two durations, but has \(count)"
                + " \(count == 1 ? "item" : "items")",
            at: node.range, label: "not two durations",
            help: ["write the shorter and the longer duration, such as `[1s, 3s]`"])
        if node.items.count == 1, let text = node.items[0].text {
            diagnostic.help = ["write a single duration without brackets: `\(text)`"]
            diagnostic.fixes = [.rename(node.range, to: text)]
        }
        return diagnostic
    }

    fileprivate static func spanOrder(
        _ subject: String, _ shortest: Located<Duration>, _ longest: Located<Duration>
    ) -> Self {
        let text = "[\(durationText(longest.value)), \(durationText(shortest.value))]"
        let range = shortest.range.union(longest.range)
        return Diagnostic(
            .schemaRange, message: "the bounds of \(subject) are in the wrong order", at: range,
            label: "the shorter duration must come first", help: ["write `\(text)`"],
            fixes: [.rename(range, to: String(text.dropFirst().dropLast()))])
    }
}

/// The period that a cap counts in, as it is written.
public enum PeriodModel: Sendable, Hashable {
    /// The time that ends now and is this long.
    case rolling(Duration)
    /// The unit of the zone's calendar that it is now.
    case calendar(CalendarUnit)
    /// The time since the session began.
    case session
    /// All of the time, for each value of the context key of this name.
    case value(of: String)
}

extension Format<PeriodModel> {
    /// A duration, one of the calendar's periods, the session, or a context key.
    static var period: Self {
        // An editor cannot know that a word isn't a context key.
        let key = Schema.pattern(
            phrase: "the name of a context key",
            expression: "^[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*$")
        let schema = Schema.either([.duration(minimum: 1), .word(wordsOfPeriod), key])
        return Format(schema) { node, decoder in
            guard let text = node.scalar?.text else { return decoder.mismatch(schema, at: node) }
            if let unit = CalendarUnit(rawValue: text) { return .calendar(unit) }
            if text == sessionWord { return .session }
            // Whether a key has this name is known when all files are.
            if milliseconds(in: text) == nil, NameForm.dotted.fits(text.utf8) {
                return .value(of: text)
            }
            let readings = wordReadings(text)
            if !readings.isEmpty { return decoder.mismatch(schema, at: node, readings: readings) }
            if milliseconds(in: text) == nil,
                text.lowercased().wholeMatch(of: #/[0-9]+ *sessions?/#) != nil
            {
                return decoder.mismatch(
                    schema, at: node,
                    help: [
                        "use `per: session` for one session; a cap cannot count over several"
                            + " sessions",
                        "use a duration such as `per: 7d` for a longer time",
                    ])
            }
            return decoder.duration(node, atLeast: 1, schema: schema).map { .rolling($0) }
        }
    }
}

/// Returns the possible meanings of a period that isn't the name of a context key.
///
/// None of them is certain: the key may be declared in a file that is not read.
func periodReadings(_ text: String) -> [Reading] {
    // No word for a period has a point in it.
    if text.contains(".") { return [] }
    let words = wordReadings(text)
    return (words.isEmpty ? durationReadings(text) : words).map {
        Reading($0.text, meaning: $0.meaning, isExact: false)
    }
}

/// Returns the meanings of a string that is a word for a period, or nearly one.
private func wordReadings(_ text: String) -> [Reading] {
    let word = periodWord(text)
    if let unit = CalendarUnit(rawValue: word) { return [Reading(unit.rawValue)] }
    if word == sessionWord { return [Reading(sessionWord)] }
    if let length = calendarWords[word] { return periods(named: word, length: length) }
    if milliseconds(in: text) != nil { return [] }
    // A misspelled word begins as the right one does: `version` does not mean `session`.
    let similar = similarNames(to: word, among: wordsOfPeriod).filter { $0.first == word.first }
    // Several sessions together cannot be counted in.
    let isSeveral = similar == [sessionWord] && text.contains(where: \.isNumber)
    return similar.count == 1 && !isSeveral ? [Reading(similar[0])] : []
}

/// A period in the spelling of rule files: `Per Week` as `week`, `CALENDAR-DAYS` as `calendar_day`.
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
        length, meaning: "the last \(lengthInWords(length))" + noteOnCalendar(word),
        isExact: word == "hour")
    guard let unit = CalendarUnit.allCases.first(where: { calendarWords[$0.noun] == length }) else {
        return [rolling]
    }
    return [rolling, Reading(unit.rawValue, meaning: "a calendar \(unit.noun)")]
}

/// The forms of a period, as a part of a sentence.
let formsOfPeriod =
    "a duration such as `7d`, one of the words \(enumeration(wordsOfPeriod)), or a context key"
    + " to count separately for each value of the key"

let sessionWord = "session"

/// The periods that aren't durations.
let wordsOfPeriod = CalendarUnit.allCases.map(\.rawValue) + [sessionWord]

/// Returns a duration as words: `7d` as "7 days". One day is 24 hours, so that no one takes it for
/// a day of the calendar.
func lengthInWords(_ text: String) -> String {
    guard let match = text.wholeMatch(of: #/(\d+)(ms|s|m|h|d)/#) else { return "`\(text)`" }
    switch (match.output.1, match.output.2) {
    case ("1", "d"): return "24 hours"
    case ("1", "h"): return "60 minutes"
    case ("1", "m"): return "60 seconds"
    case (let number, let unit):
        let names = ["ms": "milliseconds", "s": "seconds", "m": "minutes", "h": "hours"]
        let name = names[String(unit), default: "days"]
        return "\(number) \(number == "1" ? String(name.dropLast()) : name)"
    }
}

/// Returns a note that there is no longer period of the calendar; empty for other words.
private func noteOnCalendar(_ word: String) -> String {
    for unit in ["month", "quarter", "year"]
    where word.contains(unit) && CalendarUnit(rawValue: "calendar_\(unit)") == nil {
        return " (a calendar \(unit) is not available)"
    }
    return ""
}

/// Common words for periods, and the durations that come near.
let calendarWords = [
    "hour": "1h", "day": "1d", "week": "7d", "month": "30d", "year": "365d", "daily": "1d",
    "weekly": "7d", "monthly": "30d", "hourly": "1h", "yearly": "365d", "calendar_month": "30d",
    "quarterly": "90d", "calendar_quarter": "90d", "calendar_year": "365d", "calendar_hour": "1h",
].filter { CalendarUnit(rawValue: $0.key) == nil }

extension Format<String> {
    /// A time zone that is known beforehand: an IANA name or an offset.
    package static var fixedZone: Self { fixedZone(orSay: nil) }

    /// One that is the same for all users: no context key names it.
    static var zoneOfAllUsers: Self {
        fixedZone(
            orSay: "use a zone such as `Europe/Berlin`; a context key is not allowed here")
    }

    /// `help` is added if the string may be the name of a context key.
    private static func fixedZone(orSay help: String?) -> Self {
        let schema = Schema.pattern(
            phrase: "a time zone such as `Europe/Berlin` or `+02:00`", expression: "^.+$")
        return Format(schema) { node, decoder in
            guard let text = node.scalar?.text else { return decoder.mismatch(schema, at: node) }
            if LocalCalendar(zone: text, zones: .system) != nil { return text }
            let mayBeKey = NameForm.dotted.fits(text.utf8)
            decoder.reportUnknownZone(text, help: mayBeKey ? help : nil, at: node.range)
            return nil
        }
    }
}

/// The zone in which a time is read, as it is written.
public enum ZoneModel: Sendable, Hashable {
    /// An IANA name or an offset.
    case named(String)
    /// The zone of the device.
    case local
    /// The name of the context key that names the zone.
    case key(String)
}

private let local = "local"

/// Other common words for the zone of the device.
private let wordsForLocal = ["local", "device", "host", "phone", "here", "system"]

/// Returns the possible meanings of a zone that isn't the name of a context key.
///
/// None of them is certain: the key may be declared in a file that is not read.
func readingsOfZoneWord(_ text: String) -> [Reading] {
    let readings =
        wordsForLocal.contains(text.lowercased()) ? [Reading(local)] : zoneReadings(text)
    return readings.map { Reading($0.text, meaning: $0.meaning, isExact: false) }
}

extension Format<ZoneModel> {
    /// A time zone, `local`, or a context key that names one.
    static var zone: Self {
        let schema = Schema.pattern(
            phrase:
                "a time zone such as `Europe/Berlin` or `+02:00`, `local`, or a context key such as"
                + " `user.zone`", expression: "^.+$")
        return Format(schema) { node, decoder in
            guard let text = node.scalar?.text else { return decoder.mismatch(schema, at: node) }
            if text == local { return .local }
            if LocalCalendar(zone: text, zones: .system) != nil { return .named(text) }
            // Whether a key has this name is known when all files are.
            if NameForm.dotted.fits(text.utf8) { return .key(text) }
            decoder.reportUnknownZone(text, at: node.range)
            return nil
        }
    }
}

extension Decoder {
    /// With `help`, the string may be meant as something else, so that nothing is certain. `help`
    /// is shown if no zone is similar.
    fileprivate mutating func reportUnknownZone(
        _ text: String, help: String? = nil, at range: SourceRange
    ) {
        let readings = zoneReadings(text).map {
            Reading($0.text, meaning: $0.meaning, isExact: help == nil && $0.isExact)
        }
        let similar =
            readings.isEmpty ? suggestions(for: text, among: TimeZones.systemNames) : []
        var finding = Diagnostic.unknownZone(
            text, readings: readings, similar: similar, at: range)
        if let help, readings.isEmpty, similar.isEmpty { finding.help = [help] }
        report(finding)
    }
}

extension Decoder {
    /// The zone that is written next to the time that is read, or the only zone that it can mean;
    /// also a context key that names a zone.
    var zoneOfSchedule: String? {
        let zone = schedule?.entries.first { $0.key.scalar?.hasText("zone") == true }
        guard let text = zone?.value.scalar?.text else { return nil }
        if text == local || LocalCalendar(zone: text, zones: .system) != nil { return text }
        let readings = zoneReadings(text)
        if readings.isEmpty, NameForm.dotted.fits(text.utf8) { return text }
        return readings.count == 1 ? readings[0].text : nil
    }
}

extension Diagnostic {
    static func unknownZone(
        _ name: String, readings: [Reading], similar: [String], at range: SourceRange
    ) -> Self {
        var help = readings.help
        if help.isEmpty {
            help = [
                similar.isEmpty
                    ? "use a continent and a city, such as `Europe/Berlin` or"
                        + " `America/New_York`, or an offset such as `+02:00`"
                    : "did you mean \(alternatives(similar))?"
            ]
        }
        let hasMinusSign = name.contains("\u{2212}") && writtenOffset(name) != nil
        return Diagnostic(
            .timeUnknownZone,
            message: hasMinusSign
                ? "the time zone `\(name.shortened)` contains a typographic minus sign, not a `-`"
                : "unknown time zone `\(name.shortened)`", at: range,
            label: hasMinusSign ? "`\u{2212}` is not the `-` on the keyboard" : "not a time zone",
            help: help,
            fixes: similar.count == 1
                ? [.rename(range, to: similar[0])] : readings.fixes(at: range))
    }
}
