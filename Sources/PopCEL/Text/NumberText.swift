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

/// A finite number as decimal digits and the place of the point: the basis of the number formats.
struct DecimalDigits {
    private let isNegative: Bool
    /// 0 to 9, neither the first nor the last is 0; empty for zero.
    private let digits: [UInt8]
    /// The number of digits before the point; negative if zeros follow the point first.
    private let point: Int

    /// Creates the fewest digits that distinguish the number from every other double.
    init(shortest number: Double) {
        var digits: [UInt8] = []
        var point: Int?
        let parts = number.magnitude.description.split(separator: "e")
        for byte in (parts.first ?? "").utf8 {
            if isDigit(byte) {
                digits.append(byte - UInt8(ascii: "0"))
            } else {
                point = digits.count
            }
        }
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        self.init(number.sign == .minus, digits: digits, point: (point ?? digits.count) + exponent)
    }

    /// Creates all digits of the number: as many as 1,074 after the point.
    init(exact number: Double) {
        let isSubnormal = number.exponentBitPattern == 0
        let significand = number.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
        let exponent = Int(max(number.exponentBitPattern, 1)) - 1075
        var integer = WideInteger(significand)
        // m / 2^k has the digits of m * 5^k, and k of them after the point.
        integer.multiply(byPower: exponent.magnitude, of: exponent < 0 ? 5 : 2)
        let digits = integer.digits
        self.init(number.sign == .minus, digits: digits, point: digits.count + min(exponent, 0))
    }

    /// Creates the digits of an integer, given by its sign and absolute value.
    init(isNegative: Bool, magnitude: UInt64) {
        let digits = WideInteger(magnitude).digits
        self.init(isNegative, digits: digits, point: digits.count)
    }

    private init(_ isNegative: Bool, digits: [UInt8], point: Int) {
        let leadingZeros = digits.prefix { $0 == 0 }.count
        let significant = digits.dropFirst(leadingZeros)
        let end = significant.lastIndex { $0 != 0 }.map { $0 + 1 } ?? leadingZeros
        self.isNegative = isNegative
        self.digits = Array(digits[leadingZeros..<end])
        self.point = self.digits.isEmpty ? 0 : point - leadingZeros
    }
}

extension DecimalDigits {
    /// The number with an exponent only if it has many digits or begins with many zeros: C's `%g`.
    var general: String {
        let exponent = digits.isEmpty ? 0 : point - 1
        return (-4..<6).contains(exponent) || digits.isEmpty
            ? positional : scientific(precision: digits.count - 1)
    }

    /// All digits, without an exponent: `1200`, `0.0012`.
    var positional: String { fixed(precision: max(0, digits.count - point)) }

    /// Returns the number with that many digits after the point, rounded half to even: C's `%.Nf`.
    func fixed(precision: Int) -> String {
        let rounded = rounded(toCount: point + precision)
        let whole = rounded.point > 0 ? rounded.text(from: 0, to: rounded.point) : "0"
        let fraction = rounded.text(from: rounded.point, to: rounded.point + precision)
        return rounded.sign + whole + (precision > 0 ? "." + fraction : "")
    }

    /// Returns the number with one digit before the point and that many after it, rounded half to
    /// even: C's `%.Ne`.
    func scientific(precision: Int) -> String {
        let rounded = rounded(toCount: 1 + precision)
        let exponent = rounded.digits.isEmpty ? 0 : rounded.point - 1
        let fraction = precision > 0 ? "." + rounded.text(from: 1, to: 1 + precision) : ""
        let width = exponent.magnitude < 10 ? "0" : ""
        return "\(rounded.sign)\(rounded.text(from: 0, to: 1))\(fraction)"
            + "e\(exponent < 0 ? "-" : "+")\(width)\(exponent.magnitude)"
    }

    private var sign: String { isNegative ? "-" : "" }

    /// Returns the digits at places counted from the first digit, padded with zeros on both sides.
    private func text(from start: Int, to end: Int) -> String {
        String(
            decoding: (start..<end).map { place in
                UInt8(ascii: "0") + (digits.indices.contains(place) ? digits[place] : 0)
            }, as: UTF8.self)
    }

    /// Returns the number rounded to the given number of digits, half to even.
    private func rounded(toCount count: Int) -> DecimalDigits {
        guard count < digits.count else { return self }
        guard count >= 0 else { return DecimalDigits(isNegative, digits: [], point: 0) }
        var kept = Array(digits[..<count])
        let isOdd = !(kept.last ?? 0).isMultiple(of: 2)
        // The last digit is never 0, so a 5 with digits after it is more than a half.
        let isHalf = digits[count] == 5 && count + 1 == digits.count
        guard isHalf ? isOdd : digits[count] >= 5 else {
            return DecimalDigits(isNegative, digits: kept, point: point)
        }
        var place = count - 1
        while place >= 0, kept[place] == 9 {
            kept[place] = 0
            place -= 1
        }
        if place >= 0 {
            kept[place] += 1
            return DecimalDigits(isNegative, digits: kept, point: point)
        }
        return DecimalDigits(isNegative, digits: [1], point: point + 1)
    }
}

/// A non-negative integer of any size, in base 1,000,000,000 so that its decimal digits are easy to
/// compute.
private struct WideInteger {
    private static let base: UInt64 = 1_000_000_000
    /// The limbs, the least significant first.
    private var limbs: [UInt64]

    init(_ value: UInt64) {
        limbs = [value % Self.base, value / Self.base % Self.base, value / Self.base / Self.base]
    }

    /// Multiplies by a power, in one step as many factors as fit into 32 bits.
    mutating func multiply(byPower exponent: UInt, of factor: UInt64) {
        var rest = exponent
        while rest > 0 {
            var product: UInt64 = 1
            while rest > 0, product * factor <= UInt64(UInt32.max) {
                product *= factor
                rest -= 1
            }
            multiply(by: product)
        }
    }

    private mutating func multiply(by factor: UInt64) {
        var carry: UInt64 = 0
        for index in limbs.indices {
            let product = limbs[index] * factor + carry
            limbs[index] = product % Self.base
            carry = product / Self.base
        }
        while carry > 0 {
            limbs.append(carry % Self.base)
            carry /= Self.base
        }
    }

    /// The digits, the most significant first, after leading zeros.
    var digits: [UInt8] {
        limbs.reversed().flatMap { limb in
            var rest = limb
            var digits = [UInt8](repeating: 0, count: 9)
            for place in digits.indices.reversed() {
                digits[place] = UInt8(rest % 10)
                rest /= 10
            }
            return digits
        }
    }
}
