/// Returns the possible meanings of a duration in words, with decimals, by ISO 8601 or as on a
/// clock; empty if no duration can be made out.
package func durationReadings(_ text: String) -> [Reading] {
    guard text.utf8.count <= longestReading, spanOfTimes(text) == nil else { return [] }
    let lengths =
        clockLengths(text) ?? isoLengths(text) ?? thousandsLengths(text)
        ?? wordLengths(text) ?? []
    var seen: Set<Double> = []
    return lengths.filter { seen.insert($0.milliseconds).inserted }.compactMap { length in
        let rounded = length.milliseconds.rounded()
        guard rounded >= 1, rounded < 1e12 else { return nil }
        let duration = Duration.milliseconds(Int64(rounded))
        return Reading(
            durationText(duration),
            meaning: lengths.count > 1 && length.note.isEmpty
                ? durationInWords(duration) : length.note,
            isExact: length.note.isEmpty && rounded == length.milliseconds)
    }
}

/// The two ends of a span such as `1s-3s`, `1 - 3 seconds` or `1s..3s`; nil for other strings.
///
/// With a comma it is a span only if the second isn't a part of the first: `1h, 30m` isn't a span.
func spanOfTimes(_ text: String) -> (String, String)? {
    guard text.utf8.count <= longestReading,
        let match = span.wholeMatch(of: text.lowercased()),
        let second = lengthWithUnit(match.4, unit: match.5),
        let first = lengthWithUnit(match.1, unit: match.2.isEmpty ? match.5 : match.2),
        first < second
            || match.3 != ","
    else { return nil }
    // Without a unit of its own, `1,5h` is one number.
    if match.3 == ",", match.2.isEmpty || first > second { return nil }
    return (durationText(min(first, second)), durationText(max(first, second)))
}

private func lengthWithUnit(_ number: Substring, unit: Substring) -> Duration? {
    guard let number = Double(number), let unit = unitWords[String(unit)],
        number * unit.milliseconds < 1e12
    else { return nil }
    return .milliseconds(Int64((number * unit.milliseconds).rounded()))
}

/// Returns the possible meanings of a number without a unit.
func unitReadings(_ number: String) -> [Reading] {
    guard let value = Double(number), value > 0, value < 1e9 else { return [] }
    let units =
        value < 50
        ? ["s", "m", "h", "d"] : value < 1_000 ? ["ms", "s", "m", "d"] : ["ms", "s", "m"]
    return units.compactMap { unit in
        guard let length = durationUnits.first(where: { $0.name == unit })?.length else {
            return nil
        }
        let milliseconds = value * Double(length)
        guard milliseconds >= 1, milliseconds < 1e12 else { return nil }
        let text =
            Int(number) == nil
            ? durationText(.milliseconds(Int64(milliseconds.rounded()))) : number + unit
        return Reading(text, meaning: "\(number) \(unitNames[unit] ?? "")\(value == 1 ? "" : "s")")
    }
}

/// A duration in words: `1 hour 30 minutes`.
func durationInWords(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    var rest = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    var parts: [String] = []
    for unit in durationUnits where rest >= unit.length {
        let count = rest / unit.length
        parts.append("\(count) \(unitNames[unit.name] ?? "")\(count == 1 ? "" : "s")")
        rest %= unit.length
    }
    return parts.joined(separator: " ")
}

private let unitNames = [
    "ms": "millisecond", "s": "second", "m": "minute", "h": "hour", "d": "day",
]

private struct Length {
    var milliseconds: Double
    /// The assumption in this length, such as the days of a month; empty without an assumption.
    var note = ""
}

private let month = Length(milliseconds: 30 * 86_400_000, note: "a month of 30 days")
private let year = Length(milliseconds: 365 * 86_400_000, note: "a year of 365 days")

/// `1:30` and `00:01:30`.
private func clockLengths(_ text: String) -> [Length]? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard (2...3).contains(parts.count), !parts.contains(nil) else { return nil }
    let numbers = parts.compactMap(\.self)
    guard numbers.allSatisfy({ $0 >= 0 && $0 < 100_000 }),
        numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    let total = Double(numbers.reduce(0) { $0 * 60 + $1 }) * 1_000
    return numbers.count == 3
        ? [Length(milliseconds: total)]
        : [Length(milliseconds: total), Length(milliseconds: total * 60)]
}

/// `PT5S`, `P1DT12H`, `P2W`.
private func isoLengths(_ text: String) -> [Length]? {
    let letters = text.uppercased()
    guard letters.hasPrefix("P"), letters.count > 2 else { return nil }
    var total = 0.0
    var note = ""
    var number = ""
    var isTime = false
    for letter in letters.dropFirst() {
        if letter.isNumber || letter == "." || letter == "," {
            number += letter == "," ? "." : String(letter)
            continue
        }
        if letter == "T", number.isEmpty, !isTime {
            isTime = true
            continue
        }
        guard let length = isoUnit(letter, isTime: isTime), let value = Double(number) else {
            return nil
        }
        total += value * length.milliseconds
        if !length.note.isEmpty { note = length.note }
        number = ""
    }
    return number.isEmpty ? [Length(milliseconds: total, note: note)] : nil
}

private func isoUnit(_ letter: Character, isTime: Bool) -> Length? {
    switch (letter, isTime) {
    case ("Y", false): year
    case ("M", false): month
    case ("W", false): Length(milliseconds: 604_800_000)
    case ("D", false): Length(milliseconds: 86_400_000)
    case ("H", true): Length(milliseconds: 3_600_000)
    case ("M", true): Length(milliseconds: 60_000)
    case ("S", true): Length(milliseconds: 1_000)
    default: nil
    }
}

/// `1,500 ms` and `1.500 ms`: thousands to one reader, decimals to another.
private func thousandsLengths(_ text: String) -> [Length]? {
    guard let match = groupedNumber.wholeMatch(of: text),
        let unit = unitWords[match.output.3.lowercased()],
        let thousands = Double(match.output.1 + match.output.2)
    else { return nil }
    let name = durationUnits.first { Double($0.length) == unit.milliseconds }
        .flatMap { unitNames[$0.name] }.map { "\($0)s" }
    let whole = "\(match.output.1)\(match.output.2) \(name ?? String(match.output.3))"
    return [
        Length(milliseconds: thousands * unit.milliseconds, note: whole),
        Length(milliseconds: thousands / 1_000 * unit.milliseconds),
    ]
}

/// `5 seconds`, `1.5h`, `an hour and a half`, `1h30`, `daily`.
private func wordLengths(_ text: String) -> [Length]? {
    // A small `m` is a minute; a large one may be a month.
    if let match = minutesOrMonths.wholeMatch(of: text), let number = Double(match.output.1) {
        return [
            Length(milliseconds: number * 60_000),
            Length(milliseconds: number * month.milliseconds),
        ]
    }
    var reader = DurationWords(text)
    return reader.total().map { [$0] }
}

/// Reads numbers and units one after the other.
private struct DurationWords {
    private var words: ArraySlice<Substring>
    private var sum = 0.0
    private var note = ""
    /// The unit before.
    private var last: Length?

    init(_ text: String) {
        // A comma between digits is a decimal comma.
        let points = decimalComma.replaced(in: text.lowercased()) { "\($0.output.1)." }
        let units = unitAfterNumber.replaced(in: points) { "\($0.output.1) \($0.output.2)" }
        let text = numberAfterUnit.replaced(in: units) { "\($0.output.1) \($0.output.2)" }
        let isNegative = text.hasPrefix("-")
        words = isNegative ? [] : text.split { " ,-+".contains($0) }[...]
        while let first = words.first,
            ["every", "each", "once", "per", "after", "for", "in"].contains(first)
        {
            words.removeFirst()
        }
        if words.first == "the" { words.removeFirst() }
    }

    mutating func total() -> Length? {
        if words.count == 1, let first = words.first, let length = adverbs[String(first)] {
            return length
        }
        guard !words.isEmpty else { return nil }
        while !words.isEmpty {
            if words.first == "and", last != nil { words.removeFirst() }
            guard readPart() else { return nil }
        }
        return Length(milliseconds: sum, note: note)
    }

    /// A number and its unit, `half an hour`, or `a half` after an hour.
    private mutating func readPart() -> Bool {
        let number = readNumber()
        guard let word = words.popFirst() else {
            // `1h30`: the unit below the one before.
            guard let number, let last,
                let below = durationUnits.first(where: {
                    Double($0.length) < last.milliseconds
                })
            else { return false }
            sum += number * Double(below.length)
            return true
        }
        if word == "half", number != nil, let last, words.isEmpty {
            sum += last.milliseconds / 2
            return true
        }
        guard let unit = unitWords[String(word)], number != nil || sum == 0 && words.isEmpty else {
            return false
        }
        // Two lengths of one unit are the ends of a span, or a slip.
        if let last, last.milliseconds == unit.milliseconds { return false }
        sum += (number ?? 1) * unit.milliseconds
        if !unit.note.isEmpty { note = unit.note }
        last = unit
        return true
    }

    private mutating func readNumber() -> Double? {
        guard let first = words.first else { return nil }
        if first == "half", words.count > 1 {
            words.removeFirst()
            if words.first == "a" || words.first == "an" { words.removeFirst() }
            return 0.5
        }
        guard let number = numberWords[String(first)] ?? Double(first), number >= 0 else {
            return nil
        }
        words.removeFirst()
        return number
    }
}

/// Common words for units.
private let unitWords: [String: Length] = {
    let units: [(words: String, thing: Length)] = [
        ("ms msec msecs milli millis millisecond milliseconds", Length(milliseconds: 1)),
        ("s sec secs second seconds sekunde sekunden", Length(milliseconds: 1_000)),
        ("m min mins minute minutes minuten", Length(milliseconds: 60_000)),
        ("h hr hrs hour hours std stunde stunden", Length(milliseconds: 3_600_000)),
        ("d day days tag tage", Length(milliseconds: 86_400_000)),
        ("w wk wks week weeks woche wochen", Length(milliseconds: 604_800_000)),
        ("fortnight fortnights", Length(milliseconds: 14 * 86_400_000)),
        ("mo mon month months monat monate", month),
        ("y yr yrs year years jahr jahre", year),
    ]
    return wordTable(units)
}()

private let adverbs: [String: Length] = [
    "hourly": Length(milliseconds: 3_600_000), "daily": Length(milliseconds: 86_400_000),
    "weekly": Length(milliseconds: 604_800_000), "monthly": month, "yearly": year,
]

private let numberWords: [String: Double] = {
    let names = "one two three four five six seven eight nine ten eleven twelve"
    var numbers = ["a": 1.0, "an": 1.0]
    for (index, name) in names.split(separator: " ").enumerated() {
        numbers[String(name)] = Double(index + 1)
    }
    return numbers
}()

private let span = SharedRegex(
    #/ *([0-9.]+) *([a-z]*) *(-|–|\.{2,3}|to|bis|,) *([0-9.]+) *([a-z]+) */#)
private let groupedNumber = SharedRegex(#/([1-9][0-9]{0,2})[.,]([0-9]{3}) *([A-Za-z]+)/#)
private let minutesOrMonths = SharedRegex(#/([0-9]+) *M/#)
private let decimalComma = SharedRegex(#/([0-9]),(?=[0-9])/#)
private let unitAfterNumber = SharedRegex(#/([0-9.])([a-z])/#)
private let numberAfterUnit = SharedRegex(#/([a-z])([0-9.])/#)
