package import PopSource
package import PopYAML

/// A possible meaning of a value that is written in another form, in the form in which it must be
/// written.
package struct Reading: Hashable, Sendable {
    package var text: String
    /// The meaning in words, for an author who must choose, or a condition that begins with `if`;
    /// empty if no words are needed.
    package var meaning: String
    /// True if it means exactly what was written, and not something near it.
    package var isExact: Bool

    package init(_ text: String, meaning: String = "", isExact: Bool = true) {
        self.text = text
        self.meaning = meaning
        self.isExact = isExact
    }
}

extension Decoder {
    /// Reports that a node isn't a valid value of the current key, with its possible meanings, and
    /// returns nil.
    ///
    /// Without readings, `help` is reported.
    package mutating func mismatch<Value>(
        _ schema: Schema, at node: YAMLNode, readings: [Reading], help: [String] = []
    ) -> Value? {
        report(readings, of: schema, at: node, help: help)
        return nil
    }

    private mutating func report(
        _ readings: [Reading], of schema: Schema, at node: YAMLNode, help: [String]
    ) {
        guard let key = namedKey, readings.first?.text.hasPrefix("{") == true else {
            return reportMismatch(
                schema, at: node, help: readings.isEmpty ? help : readings.help,
                fixes: readings.fixes(at: node.range))
        }
        // A map is shown with its key: its entries may begin on a line of their own.
        let maps = readings.map {
            Reading("\(key.value): \($0.text)", meaning: $0.meaning, isExact: $0.isExact)
        }
        reportMismatch(
            schema, at: node, help: maps.help, fixes: maps.fixes(at: key.range.union(node.range)))
    }
}

extension [Reading] {
    /// Help with the one reading, or with all of them and their meanings.
    package var help: [String] {
        map { reading in
            let meaning = reading.meaning
            if meaning.hasPrefix("if ") { return "\(meaning): `\(reading.text)`" }
            if count > 1 { return "if you mean \(meaning): `\(reading.text)`" }
            return "write `\(reading.text)`" + (meaning.isEmpty ? "" : " for \(meaning)")
        }
    }

    /// The same for values of a key.
    func help(behind key: String) -> [String] {
        map { Reading("\(key): \($0.text)", meaning: $0.meaning, isExact: $0.isExact) }.help
    }

    /// A fix for each reading; it is safe if it is the only one and means exactly what was written.
    package func fixes(at range: SourceRange) -> [Diagnostic.Fix] {
        map { reading in
            Diagnostic.Fix(
                "write `\(reading.text)`", edits: [.init(range, replacement: reading.text)],
                isSafe: count == 1 && reading.isExact)
        }
    }
}

/// A list of words by which something is known, as a table from word to thing.
func wordTable<Thing>(_ entries: [(words: String, thing: Thing)]) -> [String: Thing] {
    var table: [String: Thing] = [:]
    for entry in entries {
        for word in entry.words.split(separator: " ") { table[String(word)] = entry.thing }
    }
    return table
}

/// Longer strings aren't values that someone wrote by hand.
let longestReading = 64

// Common notations of caps: `2 per week`, `{ limit: 2, period: week }`.

let namesOfCounts: Set<String> = [
    "max", "limit", "count", "times", "impressions", "amount", "maximum", "max_impressions",
    "max_shows", "max_times", "max_count", "max_views", "frequency",
]

let namesOfPeriods: Set<String> = [
    "per", "period", "window", "interval", "within", "every", "in", "duration", "time_window",
    "timeframe", "time_frame",
]

/// Returns a count and its period, such as `2 per week` and `{ limit: 2, period: week }`, in the
/// form of an entry of `windows`; nil for a value without both.
func windowText(_ value: YAMLNode) -> String? {
    if value.kind == .mapping { return windowText(Array(value.entries)) }
    guard let text = value.scalar?.text.lowercased(), text.utf8.count <= longestReading,
        let match = countPerPeriod.wholeMatch(of: text)
    else { return nil }
    let number = match.output.1.map(String.init) ?? (match.output.2 == "once" ? "1" : "2")
    return windowText(number, per: String(match.output.3))
}

func windowText(_ entries: [YAMLEntry]) -> String? { windowReadings(entries).first?.text }

private func windowText(_ number: String, per period: String) -> String? {
    windowReadings(number, per: period).first?.text
}

/// Returns the possible meanings of a map with a count and a period.
func windowReadings(_ entries: [YAMLEntry]) -> [Reading] {
    func text(_ names: Set<String>) -> String? {
        entries.first { names.contains($0.key.nameForMessages.foldedForNames) }?.value.scalar?.text
    }
    guard let number = text(namesOfCounts), let period = text(namesOfPeriods) else { return [] }
    return windowReadings(number, per: period)
}

private func windowReadings(_ number: String, per period: String) -> [Reading] {
    guard let number = Int(number), number > 0 else { return [] }
    let isTime = milliseconds(in: period) != nil || wordsOfPeriod.contains(period)
    let times = isTime ? [Reading(period)] : periodReadings(period)
    return times.map { Reading("{ max: \(number), per: \($0.text) }", meaning: $0.meaning) }
}

private let countPerPeriod = SharedRegex(
    #/(?:(\d+) *(?:x|×|times?)?|(once|twice)) *(?:per|an?|in|every|each|\/) *(.+)/#)

/// Returns the possible meanings of a part of the day in another form than `09:00-21:00`.
func hoursReadings(_ text: String) -> [Reading] {
    guard text.utf8.count <= longestReading else { return [] }
    let plain = halfWithPoints.replaced(in: text.lowercased()) { "\($0.output.1)m" }
    let text = dashes.replaced(in: leadingWord.replaced(in: plain) { _ in "" }) { _ in "-" }
    let open = openSpans(text)
    if !open.isEmpty { return open }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let from = TimeOfDay(ends[0]), let until = TimeOfDay(ends[1]) else {
        return []
    }
    let spans = from.spans(to: until)
    guard spans.count == 1 else { return spans }
    // `8-8` may be half a day or all of it.
    let isOpen = ends[0].filter { $0 != " " } == ends[1].filter { $0 != " " }
    return isOpen
        ? spans + [Reading("00:00-24:00", meaning: "the whole day")]
        : [Reading(spans[0].text)]
}

/// `after 18:00`, `before 9`: an hour that may be of either half of the day is both.
private func openSpans(_ text: String) -> [Reading] {
    guard let match = openSpan.wholeMatch(of: text),
        let time = TimeOfDay(match.output.2)
    else { return [] }
    let isBeginning = ["after", "since", "from"].contains(match.output.1)
    let spans = time.clockTimes.map { minutes in
        let text = isBeginning ? "\(clock(minutes))-24:00" : "00:00-\(clock(minutes))"
        return Reading(text, meaning: "\(match.output.1) \(clock(minutes))")
    }
    return spans.count == 1 ? [Reading(spans[0].text)] : spans
}

private func clock(_ minutes: Int) -> String { "\(padded(minutes / 60)):\(padded(minutes % 60))" }

/// A time of day in common notation.
private struct TimeOfDay {
    private var number: Int
    private var minute: Int
    /// `am` or `pm`; nil on a clock of 24 hours, or if neither is written.
    private(set) var half: String?
    /// True if the notation is only used on a clock of 24 hours.
    private var has24Hours: Bool

    init?(_ text: Substring) {
        let text = text.filter { $0 != " " }
        if let word = ["noon": 12, "midday": 12, "midnight": 24, "mittag": 12][text] {
            (number, minute, half, has24Hours) = (word, 0, nil, true)
            return
        }
        guard let match = timeOfDay.wholeMatch(of: text), let number = Int(match.output.1) else {
            return nil
        }
        self.number = number
        minute = match.output.2.flatMap { Int($0) } ?? 0
        let mark = match.output.3.map { String($0) }
        half = mark.flatMap { ["am": "am", "a": "am", "pm": "pm", "p": "pm"][$0] }
        has24Hours =
            half == nil
            && (mark != nil && mark != "o'clock" || match.output.2 != nil || text.hasPrefix("0")
                || number > 12 || number == 0)
        guard minute < 60, number <= 24, number < 24 || minute == 0 else { return nil }
    }

    /// Minutes since midnight.
    func minutes(half: String?) -> Int? {
        hour(number, half: half).map { $0 * 60 + minute }
    }

    /// The minutes since midnight that it may mean, without midnight itself.
    var clockTimes: [Int] {
        let isOpen = half == nil && !has24Hours
        let halves: [String?] = isOpen ? ["am", "pm"] : [half]
        return halves.compactMap { minutes(half: $0) }.filter { $0 > 0 && $0 < 1440 }
    }

    /// The parts of the day from this time to another.
    func spans(to end: TimeOfDay) -> [Reading] {
        // `9-5pm`: the half of the day that is written once also holds for the other time if that
        // can only be earlier.
        let first = half ?? (has24Hours || end.half == nil ? nil : "am")
        let plain = span(from: first, to: end.half, of: end)
        if end.half == "pm", half == nil, !has24Hours {
            return sameHalf(end, spans: [span(from: "pm", to: "pm", of: end), plain])
        }
        if half == "pm", end.half == nil, !end.has24Hours {
            return sameHalf(end, spans: [span(from: "pm", to: "pm", of: end), plain])
        }
        if end.half != nil || end.has24Hours || number > 12 { return [plain].compactMap(\.self) }
        // `9-5` may end in the afternoon.
        let afternoon = span(from: first, to: "pm", of: end)
        let isBackwards =
            (minutes(half: first) ?? 0) >= (end.minutes(half: nil) ?? 0) && end.number <= 12
        let isEarly = !has24Hours && half == nil && number <= 6 && end.number <= 12
        if isBackwards { return [afternoon, plain].compactMap(\.self) }
        if isEarly { return [plain, span(from: "pm", to: "pm", of: end)].compactMap(\.self) }
        return [plain].compactMap(\.self)
    }

    /// `1-5pm`: `pm` that is written once may hold for both, where the end is the later one then.
    private func sameHalf(_ end: TimeOfDay, spans: [Reading?]) -> [Reading] {
        let isLater = (minutes(half: "pm") ?? 0) < (end.minutes(half: "pm") ?? 0)
        return (isLater ? spans : Array(spans.dropFirst())).compactMap(\.self)
    }

    private func span(from first: String?, to last: String?, of end: TimeOfDay) -> Reading? {
        guard let from = minutes(half: first).map({ $0 % 1440 }),
            let until = end.minutes(half: last), from != until
        else { return nil }
        let over = until < from && until > 0 ? ", past midnight" : ""
        let text = "\(clock(from))-\(clock(until == 0 ? 1440 : until))"
        return Reading(
            text, meaning: "\(clock(from)) to \(clock(until == 0 ? 1440 : until))\(over)")
    }
}

private let halfWithPoints = SharedRegex(#/([ap])\. ?m\.?/#)
private let leadingWord = SharedRegex(#/^(from|between|von) +/#)
private let dashes = SharedRegex(
    #/ *([\-\u2010\u2011\u2012–—−]|\.\.+| (to|till|until|and|bis|und) ) */#)
private let openSpan = SharedRegex(#/(after|since|from|before|until|till) *(.+)/#)
private let timeOfDay = SharedRegex(
    #/([0-9]{1,2})(?:[:.h]?([0-9]{2}))?(?:[:.]00)?(am|pm|h|uhr|a|p|o'clock)?/#)

/// The days of the week as rules name them, from Monday.
package let weekdayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

private let longWeekdayNames = [
    ["monday", "montag"], ["tuesday", "dienstag"], ["wednesday", "mittwoch"],
    ["thursday", "donnerstag"], ["friday", "freitag"], ["saturday", "samstag"],
    ["sunday", "sonntag"],
]

/// French and Spanish, in full or cut to three letters that name no other day.
private let otherWeekdays: [String: Int] = wordTable([
    ("lundi lun lunes", 0), ("mardi mar martes", 1), ("mercredi mer miércoles miercoles mié", 2),
    ("jeudi jeu jueves jue", 3), ("vendredi ven viernes vie", 4),
    ("samedi sam sábado sabado sáb", 5), ("dimanche dim domingo dom", 6),
])

/// The day that a word names, in English or German, in full or cut to at least two letters.
func weekday(ofWord word: some StringProtocol) -> Int? {
    guard word.count >= 2 else { return nil }
    if let day = otherWeekdays[String(word)] { return day }
    return longWeekdayNames.firstIndex { names in names.contains { $0.hasPrefix(word) } }
}

/// Returns the meanings of one day or span of days in other words.
func dayReadings(_ text: String) -> [Reading] {
    guard text.utf8.count <= longestReading else { return [] }
    let text = dashInWords.replaced(in: text.lowercased()) { _ in "-" }
    if let span = daysByName[text.filter { !" -_".contains($0) }] { return [Reading(span)] }
    let ends = text.split(omittingEmptySubsequences: false) { isDash($0) }
        .map { $0.filter { $0 != " " && $0 != "." } }
    guard ends.count <= 2 else { return [] }
    let days = ends.map { weekday(ofWord: $0) }
    if !days.contains(nil) {
        return [Reading(days.compactMap { $0.map { weekdayNames[$0] } }.joined(separator: "-"))]
    }
    return numberReadings(ends.map { Int($0) })
}

/// Returns the meanings of a list of days in one string, such as `Mon, Wed to Fri`.
func dayListReadings(_ text: String) -> [Reading] {
    guard text.utf8.count <= longestReading else { return [] }
    let whole = dayReadings(text)
    if !whole.isEmpty { return whole.map { $0.inList } }
    let items = separator.replaced(in: text.lowercased()) { _ in "," }
        .split(separator: ",").map { dayReadings(String($0)) }
    let words =
        items.contains(where: \.isEmpty)
        ? text.split(separator: " ").map { dayReadings(String($0)) } : items
    // Days are counted from the same end in all items: next to a 0, 1 is not Sunday.
    let hasZero = words.contains { $0.first?.meaning == zeroIsSunday }
    let readings = hasZero ? words.map { $0.filter { $0.meaning != oneIsSunday } } : words
    guard !readings.isEmpty, !readings.contains(where: \.isEmpty) else { return [] }
    let counts = readings.filter { $0[0].meaning != "" }.map(\.count)
    return (0..<(counts.min() ?? 1)).map { way in
        let parts = readings.map { $0[min(way, $0.count - 1)] }
        let meaning = parts.first { !$0.meaning.isEmpty }?.meaning ?? ""
        return Reading(parts.map(\.text).joined(separator: ", "), meaning: meaning).inList
    }
}

private let zeroIsSunday = "if 0 means Sunday"
private let oneIsSunday = "if 1 means Sunday"

/// Days that are counted: from Monday, from Sunday, or from 0.
private func numberReadings(_ numbers: [Int?]) -> [Reading] {
    let days = numbers.compactMap(\.self)
    guard days.count == numbers.count, days.allSatisfy({ (0...7).contains($0) }) else { return [] }
    func named(_ shift: Int) -> String {
        days.map { weekdayNames[($0 + shift) % 7] }.joined(separator: "-")
    }
    let zeroIsMonday =
        days.contains(0) ? "if 0 means Monday" : "if 1 means Tuesday (and 0 means Monday)"
    let fromMonday = days.contains(7) ? [] : [Reading(named(0), meaning: zeroIsMonday)]
    if days.contains(0) { return [Reading(named(6), meaning: zeroIsSunday)] + fromMonday }
    return [
        Reading(named(6), meaning: "if 1 means Monday"), Reading(named(5), meaning: oneIsSunday),
    ] + fromMonday
}

private func isDash(_ character: Character) -> Bool {
    "-\u{2010}\u{2011}\u{2012}–—−".contains(character)
}

extension Reading {
    fileprivate var inList: Reading {
        Reading("[\(text)]", meaning: meaning, isExact: isExact)
    }
}

private let daysByName: [String: String] = {
    let spans: [(words: String, thing: String)] = [
        ("weekdays weekday workdays workday workingdays businessdays werktags", "mon-fri"),
        ("weekend weekends wochenende", "sat-sun"),
        ("daily everyday alldays always any all", "mon-sun"),
    ]
    return wordTable(spans)
}()

private let dashInWords = SharedRegex(#/ +(to|bis|through|thru|until) +| *\.\.+ */#)
private let separator = SharedRegex(#/ *(,|;|&|\/|\+| and | und ) */#)
