public import PopScheduler
internal import PopSource
internal import PopYAML

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
        length, meaning: "a sliding window that ends now" + noteOnCalendar(word),
        isExact: word == "hour")
    guard let unit = CalendarUnit.allCases.first(where: { calendarWords[$0.noun] == length }) else {
        return [rolling]
    }
    return [rolling, Reading(unit.rawValue, meaning: "a calendar \(unit.noun)")]
}

/// The forms of a period, as a part of a sentence.
let formsOfPeriod =
    "a duration, \(alternatives(wordsOfPeriod)), or a context key to count for each of its values"

let sessionWord = "session"

/// The periods that aren't durations.
let wordsOfPeriod = CalendarUnit.allCases.map(\.rawValue) + [sessionWord]

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
