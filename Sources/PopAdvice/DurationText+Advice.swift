internal import PopCEL

extension DurationText {
    /// Returns a duration for text such as `7d`, `3 weeks` or `90min`; nil for other text. If
    /// durations have no days, the result is in hours.
    static func advice(on text: String, knowsDays: Bool = false) -> String? {
        let digits = text.utf8.prefix(while: isDigit)
        guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        let word = String(decoding: text.utf8.dropFirst(digits.count), as: UTF8.self)
            .drop { $0 == " " }
        // A small letter means a minute; a capital one may mean a month.
        guard let unit = units[word.lowercased()], word != "M" else { return nil }
        guard unit.hasSuffix("d") else { return "\(number)\(unit)" }
        let days = number.multipliedReportingOverflow(by: Int(unit.dropLast()) ?? 1)
        let hours = days.partialValue.multipliedReportingOverflow(by: 24)
        if days.overflow || hours.overflow { return nil }
        return knowsDays ? "\(days.partialValue)d" : "\(hours.partialValue)h"
    }

    static func isUnit(_ word: String) -> Bool { units[word.lowercased()] != nil }

    /// Returns the possible meanings of a string, each with its description: `1M` can be a month or
    /// a minute.
    static func readings(
        of text: String, knowsDays: Bool
    ) -> [(meaning: String, length: String)] {
        if let length = advice(on: text, knowsDays: knowsDays) { return [("", length)] }
        guard text.hasSuffix("M"), let number = Int(text.dropLast().filter { $0 != " " }) else {
            return []
        }
        let (days, isTooLong) = number.multipliedReportingOverflow(by: 30)
        let month = isTooLong ? nil : advice(on: "\(days)d", knowsDays: knowsDays)
        return [("months of 30 days", month), ("minutes", advice(on: "\(number)m"))]
            .compactMap { meaning, length in length.map { (meaning, $0) } }
    }

    /// Returns the help for a string that isn't a duration.
    static func help(on text: String, knowsDays: Bool) -> String {
        knowsDays
            ? "use the units `d`, `h`, `m` and `s` in a duration"
            : "use the units `h`, `m` and `s` in a duration"
    }

    /// Common spellings of units.
    private static let units: [String: String] = {
        let words = [
            "1d": "d day days", "7d": "w wk week weeks", "h": "h hr hrs hour hours std",
            "m": "m min mins minute minutes", "s": "s sec secs second seconds",
            "ms": "ms msec milliseconds millisecond",
        ]
        var units: [String: String] = [:]
        for (unit, names) in words {
            for name in names.split(separator: " ") { units[String(name)] = unit }
        }
        return units
    }()
}
