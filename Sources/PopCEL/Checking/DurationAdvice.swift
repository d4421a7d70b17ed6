extension DurationText {
    /// A span of days or weeks, such as `7d`, in the units that durations have; one in those units as it is.
    ///
    /// Nil when the text is neither.
    static func advice(on text: String) -> String? {
        let digits = text.utf8.prefix(while: isDigit)
        guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        let unit = text.utf8.dropFirst(digits.count)
        let hours: Int
        switch String(decoding: unit, as: UTF8.self).lowercased() {
        case "d", "day", "days": hours = 24
        case "w", "week", "weeks": hours = 168
        case "h", "m", "s", "ms": return text.lowercased()
        default: return nil
        }
        let product = number.multipliedReportingOverflow(by: hours)
        return product.overflow ? nil : "\(product.partialValue)h"
    }

    /// What to write instead of a text that is not a duration.
    static func help(on text: String) -> [String] {
        let units = "the units of a duration are `h`, `m` and `s`"
        guard let written = advice(on: text), written != text else { return [units] }
        return ["\(units): write `\(written)`"]
    }
}
