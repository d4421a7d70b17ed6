internal import PopCEL

/// A date, with or without a time of day and an offset, as someone wrote it.
struct WrittenTime: Hashable {
    var year: Int
    var month: Int
    var day: Int
    /// Seconds since midnight; nil without a time of day.
    var second: Int?
    /// With the point, such as `.250`.
    var fraction = ""
    /// Seconds from UTC; nil when none is written.
    var offset: Int?
    /// Letters that abbreviate a zone, if these are written instead.
    var abbreviation: String?
    /// True if no other day can be meant.
    var isCertain = true

    /// True if the calendar has such a day.
    var exists: Bool { Timestamp(parsing: "\(date)T00:00:00Z") != nil }

    /// Such as `2026-01-05`.
    var date: String { "\(padded(year, to: 4))-\(padded(month))-\(padded(day))" }

    /// Such as `5 January 2026`.
    var dateInWords: String {
        let name = monthNames.indices.contains(month - 1) ? monthNames[month - 1] : "\(month)"
        return "\(day) \(name.capitalizedFirst) \(year)"
    }

    /// Such as `18:00` or `18:00:30`; nothing without a time of day.
    var clock: String {
        guard let second else { return "" }
        let text = "\(padded(second / 3600)):\(padded(second / 60 % 60))"
        return second % 60 == 0 && fraction.isEmpty
            ? text : "\(text):\(padded(second % 60))\(fraction)"
    }

    /// By RFC 3339 with an offset in seconds, at midnight when there is no time of day.
    func text(offset: Int) -> String {
        let second = second ?? 0
        let clock = [second / 3600, second / 60 % 60, second % 60].map { padded($0) }
        return "\(date)T\(clock.joined(separator: ":"))\(fraction)\(offsetText(offset))"
    }

    /// The instant, read with an offset in seconds.
    func instant(offset: Int) -> Timestamp? { Timestamp(parsing: text(offset: offset)) }
}

/// `Z`, or such as `+01:00`.
func offsetText(_ seconds: Int) -> String {
    if seconds == 0 { return "Z" }
    let minutes = abs(seconds) / 60
    return "\(seconds < 0 ? "-" : "+")\(padded(minutes / 60)):\(padded(minutes % 60))"
}

func padded(_ number: Int, to length: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, length - digits.count)) + digits
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

/// German, French and Spanish.
private let otherMonths: [String: Int] = wordTable([
    ("januar janvier enero ene", 1), ("februar février fevrier febrero", 2),
    ("märz mrz maerz mars marzo", 3), ("avril abril abr", 4), ("mai mayo", 5), ("juin junio", 6),
    ("juillet julio", 7), ("août aout agosto ago", 8), ("septembre septiembre", 9),
    ("okt oktober octobre octubre", 10), ("novembre noviembre", 11),
    ("dez dezember décembre decembre diciembre dic", 12),
])

private let monthNames = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
]

extension WrittenTime {
    /// Returns the meanings of a string that is a date in another notation; several if day and
    /// month may be swapped.
    static func readings(of text: String) -> [WrittenTime] {
        guard text.utf8.count <= longestReading else { return [] }
        if let moment = sinceEpoch(text) { return [moment] }
        var rest = timeAfterLetter.replaced(in: text.lowercased()) {
            "\($0.output.1) \($0.output.2)"
        }
        var time: TimeBehind?
        if let match = timePattern.firstMatch(in: rest), let found = TimeBehind(match.output) {
            time = found
            rest = String(rest[..<match.range.lowerBound])
        }
        var seen: Set<WrittenTime> = []
        return dates(in: plain(rest)).filter { $0.exists && seen.insert($0).inserted }
            .map { time?.added(to: $0) ?? $0 }
    }

    /// Seconds or milliseconds since 1970, or a date without separators.
    private static func sinceEpoch(_ text: String) -> WrittenTime? {
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int64(text) else {
            return nil
        }
        switch text.count {
        case 8:
            let date = WrittenTime(
                year: Int(number / 10_000), month: Int(number / 100 % 100), day: Int(number % 100))
            return date.exists && (1970...2200).contains(date.year) ? date : nil
        case 10, 13:
            let civil = LocalCalendar.utc.civil(
                at: Timestamp(seconds: text.count == 10 ? number : number / 1_000))
            return WrittenTime(
                year: civil.year, month: civil.month, day: civil.day,
                second: civil.hour * 3600 + civil.minute * 60 + civil.second,
                fraction: text.count == 10 || number % 1_000 == 0
                    ? "" : ".\(padded(Int(number % 1_000), to: 3))", offset: 0)
        default: return nil
        }
    }

    /// Without the day of the week, and without the English words and endings around the numbers of
    /// a date.
    private static func plain(_ text: String) -> String {
        let words = ordinal.replaced(in: text) { "\($0.output.1)" }
            .split { " ,".contains($0) }
            .filter { word in
                word != "of" && word != "the" && word != "at"
                    && weekday(ofWord: word.replacing(".", with: "")) == nil
            }
        return words.joined(separator: " ")
    }

    private static func dates(in text: String) -> [WrittenTime] {
        if let match = yearLeading.wholeMatch(of: text) {
            let (year, a, b) = (
                number(match.output.1), number(match.output.2), number(match.output.3)
            )
            let usual = WrittenTime(year: year, month: a, day: b)
            return usual.exists
                ? [usual] : [WrittenTime(year: year, month: b, day: a, isCertain: false)]
        }
        if let match = yearLast.wholeMatch(of: text) {
            let (a, b) = (number(match.output.1), number(match.output.3))
            let isShort = match.output.4.count == 2
            let last = number(match.output.4)
            let year = last + (isShort ? 2000 : 0)
            let dayFirst = WrittenTime(year: year, month: b, day: a, isCertain: !isShort)
            // With points the day comes first, wherever dates are written so.
            if match.output.2 == ".", dayFirst.exists { return [dayFirst] }
            let others = [WrittenTime(year: year, month: a, day: b, isCertain: !isShort)]
            let yearFirst = WrittenTime(year: a + 2000, month: b, day: last, isCertain: false)
            return [dayFirst] + others + (isShort && a > 12 ? [yearFirst] : [])
        }
        return namedMonth(in: text)
    }

    /// The year and month of a string that names no day.
    static func monthAlone(_ text: String) -> (year: Int, month: Int)? {
        let parts = plain(text.lowercased()).split { "-/. ".contains($0) }
        guard parts.count == 2, let year = parts.first(where: { $0.count == 4 && Int($0) != nil }),
            let other = parts.first(where: { $0 != year }),
            let month = Int(other) ?? month(other), (1...12).contains(month)
        else { return nil }
        return (number(year), month)
    }

    private static func namedMonth(in text: String) -> [WrittenTime] {
        let parts = text.split { "-/. ".contains($0) }
        guard parts.count == 3,
            let position = parts.firstIndex(where: { $0.first?.isLetter == true }),
            let month = month(parts[position])
        else { return [] }
        let others = parts.indices.filter { $0 != position }.map { parts[$0] }
        guard others.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }) else { return [] }
        guard let year = others.first(where: { $0.count == 4 }),
            let day = others.first(where: { $0.count <= 2 })
        else { return [] }
        return [WrittenTime(year: number(year), month: month, day: number(day))]
    }

    /// A string such as `Dec 24` or `24.12.`, which names a day without a year: as `12-24`.
    static func dayWithoutYear(_ text: String) -> String? {
        let parts = plain(text.lowercased()).split { "-/. ".contains($0) }
        guard parts.count == 2 else { return nil }
        let months = parts.map { month($0) }
        let numbers = parts.map { Int($0) }
        // With points the day comes first, wherever dates are written so.
        let isDayFirst = text.contains(".")
        let named = months[0] ?? months[1] ?? (isDayFirst ? numbers[1] : nil)
        let day = months[0] != nil ? numbers[1] : numbers[0]
        guard let number = named, let day,
            WrittenTime(year: 2000, month: number, day: day).exists
        else { return nil }
        return "\(padded(number))-\(padded(day))"
    }

    /// English, and other languages where that is another word.
    private static func month(_ word: Substring) -> Int? {
        guard word.count >= 3 else { return nil }
        if let number = otherMonths[String(word)] { return number }
        if word == "sept" { return 9 }
        return monthNames.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
    }
}

func number(_ digits: Substring) -> Int { Int(digits) ?? 0 }

private let timeAfterLetter = SharedRegex(#/([0-9])t([0-9])/#)
private let ordinal = SharedRegex(#/([0-9])(st|nd|rd|th)\b/#)
private let yearLeading = SharedRegex(#/([0-9]{4})[-/. ]([0-9]{1,2})[-/. ]([0-9]{1,2})/#)
private let yearLast = SharedRegex(#/([0-9]{1,2})([-/. ])([0-9]{1,2})[-/. ]([0-9]{4}|[0-9]{2})/#)
