/// Conversions between strings and numbers or Boolean values, in both directions, as CEL's type
/// conversions define them.
///
/// Rules: CEL specification, "Functions: bool, double, int, string, uint".
enum NumberText {
    /// Reads a decimal number, with or without an exponent, or `Infinity`, `Inf` or `NaN` in any
    /// case.
    ///
    /// Returns nil for other strings, and for a number too large for a double.
    static func double(_ text: String) -> Double? {
        var digits = text.utf8[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
        switch Substring(digits).lowercased() {
        case "inf", "infinity": return isNegative ? -.infinity : .infinity
        case "nan": return .nan
        default: break
        }
        guard isDecimal(digits), let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// Reads decimal digits after an optional sign; nil for other strings and out of range.
    static func int(_ text: String) -> Int64? { Int64(text) }

    /// Reads decimal digits; nil for other strings and out of range.
    static func uint(_ text: String) -> UInt64? {
        text.utf8.allSatisfy(isDigit) ? UInt64(text) : nil
    }

    /// Reads `true`, `t`, `1`, `false`, `f` or `0`, the words also as `True` and `TRUE`; nil for
    /// other strings.
    static func bool(_ text: String) -> Bool? {
        switch text {
        case "1", "t", "T", "true", "True", "TRUE": true
        case "0", "f", "F", "false", "False", "FALSE": false
        default: nil
        }
    }

    /// Returns the shortest digits that are parsed as the same double, with an exponent if the
    /// number is 1,000,000 or more or less than 0.0001: `0.5`, `100`, `1.5e+06`.
    static func string(_ number: Double) -> String {
        nonFinite(number) ?? DecimalDigits(shortest: number).general
    }

    /// Returns `NaN`, `Infinity` or `-Infinity`; nil for a finite number.
    static func nonFinite(_ number: Double) -> String? {
        if number.isNaN { return "NaN" }
        guard number.isInfinite else { return nil }
        return number < 0 ? "-Infinity" : "Infinity"
    }

    /// Returns the integer part of a double; nil if it is NaN or not strictly between the bounds of
    /// int.
    static func int(truncating number: Double) -> Int64? {
        guard number > -0x1p63, number < 0x1p63 else { return nil }
        return Int64(number)
    }

    /// Returns the integer part of a double; nil if it is NaN, negative or too large for uint.
    static func uint(truncating number: Double) -> UInt64? {
        guard number >= 0, number < 0x1p64 else { return nil }
        return UInt64(number)
    }

    private static func isDecimal(_ text: Substring.UTF8View) -> Bool {
        var rest = text
        let whole = skipDigits(&rest)
        var fraction = 0
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = skipDigits(&rest)
        }
        guard whole + fraction > 0 else { return false }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") {
                rest.removeFirst()
            }
            guard skipDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func skipDigits(_ rest: inout Substring.UTF8View) -> Int {
        let digits = rest.prefix(while: isDigit)
        rest = rest[digits.endIndex...]
        return digits.count
    }
}

/// Returns true if a byte is an ASCII decimal digit.
package func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
}

extension Int64 {
    /// Creates the number with this magnitude; nil if it doesn't fit.
    init?(_ magnitude: UInt64, isNegative: Bool) {
        guard magnitude <= Int64.max.magnitude + (isNegative ? 1 : 0) else { return nil }
        self.init(truncatingIfNeeded: isNegative ? 0 &- magnitude : magnitude)
    }
}
