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
