/// A duration as CEL writes it: `1h30m`, `1.5s`, `-2us`.
///
/// Rules: CEL specification, "duration".
package enum DurationText {
    private static let units: [(name: String, nanoseconds: UInt64)] = [
        ("h", 3_600_000_000_000), ("ms", 1_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
        ("us", 1000), ("\u{B5}s", 1000), ("\u{3BC}s", 1000), ("ns", 1),
    ]

    private static let day = (name: "d", nanoseconds: UInt64(86_400_000_000_000))

    /// One more than the largest number of nanoseconds, for the lower bound.
    private static let limit = Int64.min.magnitude

    /// Returns the duration that a string denotes; nil for other strings and out of CEL's range.
    ///
    /// The string is a sign, then numbers with units in any order; the units may only be left out
    /// for zero. Fractions of a nanosecond are dropped. Days are 24 hours, and are only known to
    /// rules, not to the language.
    package static func parse(_ text: String, knowsDays: Bool = false) -> Duration? {
        var rest = Substring(text).utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        if rest.elementsEqual("0".utf8) { return .zero }
        guard !rest.isEmpty else { return nil }
        var total: UInt64 = 0
        while !rest.isEmpty {
            guard let part = readPart(&rest, knowsDays: knowsDays), part <= limit,
                total <= limit - part
            else { return nil }
            total += part
        }
        return Int64(total, isNegative: isNegative).map { .nanoseconds($0) }
    }

    /// Returns the duration in seconds, with as many fraction digits as it needs: `5400s`, `-0.5s`.
    package static func format(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = Int(attoseconds / Duration.attosecondsPerNanosecond)
        let sign = seconds < 0 || nanoseconds < 0 ? "-" : ""
        return "\(sign)\(seconds.magnitude)\(decimalFraction(ofNanoseconds: abs(nanoseconds)))s"
    }

    /// Returns the duration as rules write it, in the longest unit of which it is an integer
    /// multiple: `21d`.
    static func inLongestUnit(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        guard attoseconds == 0, seconds != 0 else { return format(duration) }
        for (name, length) in [("d", 86_400), ("h", 3_600), ("m", 60)] as [(String, Int64)]
        where seconds.isMultiple(of: length) {
            return "\(seconds / length)\(name)"
        }
        return format(duration)
    }

    /// Reads a number with its unit, in nanoseconds; nil also if that is larger than any duration.
    private static func readPart(
        _ rest: inout Substring.UTF8View, knowsDays: Bool
    ) -> UInt64? {
        let whole = rest.prefix(while: isDigit)
        rest = rest[whole.endIndex...]
        var fraction = Substring("").utf8[...]
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = rest.prefix(while: isDigit)
            rest = rest[fraction.endIndex...]
        }
        guard !whole.isEmpty || !fraction.isEmpty,
            let unit = units.first(where: { rest.starts(with: $0.name.utf8) })
                ?? (knowsDays && rest.first == UInt8(ascii: "d") ? day : nil),
            let count = number(whole)
        else { return nil }
        rest = rest.dropFirst(unit.name.utf8.count)
        let (product, overflow) = count.multipliedReportingOverflow(by: unit.nanoseconds)
        guard !overflow, product <= limit else { return nil }
        return product + part(of: unit.nanoseconds, fraction)
    }

    /// Returns the digits as a number; nil if it is larger than any duration.
    private static func number(_ digits: Substring.UTF8View) -> UInt64? {
        var value: UInt64 = 0
        for digit in digits {
            guard value <= limit / 10 else { return nil }
            value = value * 10 + UInt64(digit - UInt8(ascii: "0"))
        }
        return value
    }

    /// Returns the decimal fraction of a unit, rounded down to nanoseconds.
    private static func part(of unit: UInt64, _ digits: Substring.UTF8View) -> UInt64 {
        // The 18th digit of an hour's fraction is worth less than a nanosecond.
        var value: UInt64 = 0
        var scale: UInt64 = 1
        for digit in digits.prefix(18) {
            value = value * 10 + UInt64(digit - UInt8(ascii: "0"))
            scale *= 10
        }
        // Less than a unit, so that the quotient fits.
        return scale.dividingFullWidth(value.multipliedFullWidth(by: unit)).quotient
    }
}
