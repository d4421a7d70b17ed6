/// The value of a scalar in the core schema of YAML 1.2 (section 10.3 of the specification).
public enum CoreValue: Sendable, Hashable {
    /// An empty scalar, `null` or `~`.
    case null
    /// `true` or `false`; words such as `yes` are strings.
    case bool(Bool)
    /// An integer that fits into 64 bits with a sign.
    case int(Int64)
    /// An integer above `Int64.max` that fits into 64 bits.
    case unsigned(UInt64)
    /// An integer that doesn't fit into 64 bits.
    case hugeInteger
    /// A number with a fraction or an exponent, including `.inf` and `.nan`.
    case float(Double)
    /// A string, which is the text of the scalar itself.
    case string
}

/// Returns the value of a scalar with its style and tag.
func coreValue(_ record: NodeRecord, in bytes: [UInt8], decoded: [UInt8]) -> CoreValue {
    guard record.tag != .string, record.style == .plain || record.tag != .none else {
        return .string
    }
    let range = Int(record.first)..<Int(record.first + record.count)
    let isDecoded = record.flags.contains(.isDecoded)
    let text = isDecoded ? decoded.span.extracting(range) : bytes.span.extracting(range)
    let value = coreValue(text)
    if record.tag == .float, case .int(let number) = value { return .float(Double(number)) }
    return value
}

/// Returns the value of a plain scalar with that text.
func coreValue(_ text: Span<UInt8>) -> CoreValue {
    guard let first = text.isEmpty ? nil : text[0] else { return .null }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."):
        return number(text)
    case UInt8(ascii: "~") where text.count == 1: return .null
    case UInt8(ascii: "n"), UInt8(ascii: "N"):
        return text.count == 4 && isWord(text, words: "null", "Null", "NULL") ? .null : .string
    case UInt8(ascii: "t"), UInt8(ascii: "T"):
        return text.count == 4 && isWord(text, words: "true", "True", "TRUE")
            ? .bool(true) : .string
    case UInt8(ascii: "f"), UInt8(ascii: "F"):
        return text.count == 5 && isWord(text, words: "false", "False", "FALSE")
            ? .bool(false) : .string
    default: return .string
    }
}

private func isWord(_ text: Span<UInt8>, words: String...) -> Bool {
    words.contains { word in
        var index = 0
        // Byte by byte, because otherwise a string would have to be created from the text.
        for byte in word.utf8 {
            if index == text.count || text[index] != byte { return false }
            index += 1
        }
        return index == text.count
    }
}

private func string(_ text: Span<UInt8>, from start: Int) -> String {
    var bytes: [UInt8] = []
    for index in start..<text.count { bytes.append(text[index]) }
    return String(decoding: bytes, as: UTF8.self)
}

private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

private func number(_ text: Span<UInt8>) -> CoreValue {
    if text.count > 2, text[0] == UInt8(ascii: "0") {
        if text[1] == UInt8(ascii: "o") {
            return integer(text, from: 2, radix: 8, isNegative: false)
        }
        if text[1] == UInt8(ascii: "x") {
            return integer(text, from: 2, radix: 16, isNegative: false)
        }
    }
    let isSigned = text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+")
    let start = isSigned ? 1 : 0
    guard start < text.count else { return .string }
    var index = start
    while index < text.count, isDigit(text[index]) { index += 1 }
    if index == text.count {
        return integer(text, from: start, radix: 10, isNegative: text[0] == UInt8(ascii: "-"))
    }
    return float(text, from: start, wholeDigits: index - start)
}

private func integer(
    _ text: Span<UInt8>, from start: Int, radix: UInt64, isNegative: Bool
) -> CoreValue {
    var magnitude: UInt64 = 0
    var overflows = false
    for index in start..<text.count {
        guard let digit = hexDigit(text[index]), digit < radix else { return .string }
        let (product, tooBig) = magnitude.multipliedReportingOverflow(by: radix)
        let (sum, carries) = product.addingReportingOverflow(digit)
        overflows = overflows || tooBig || carries
        magnitude = sum
    }
    if overflows { return .hugeInteger }
    if isNegative {
        return magnitude <= UInt64(Int64.max) + 1
            ? .int(Int64(truncatingIfNeeded: 0 &- magnitude)) : .hugeInteger
    }
    return Int64(exactly: magnitude).map { .int($0) } ?? .unsigned(magnitude)
}

/// Returns the value of a hexadecimal digit.
func hexDigit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
}

/// Returns a number with a point or an exponent, or one of the words for infinity and "not a
/// number".
private func float(_ text: Span<UInt8>, from start: Int, wholeDigits: Int) -> CoreValue {
    var index = start + wholeDigits
    var fractionDigits = 0
    if text[index] == UInt8(ascii: ".") {
        index += 1
        if wholeDigits == 0, let special = specialFloat(text, from: index, start: start) {
            return special
        }
        while index < text.count, isDigit(text[index]) {
            index += 1
            fractionDigits += 1
        }
    }
    guard wholeDigits + fractionDigits > 0, let end = exponentEnd(text, from: index),
        end == text.count
    else { return .string }
    // The standard library accepts neither a point without digits before it nor one without digits
    // after it.
    var digits = string(text, from: 0)
    if wholeDigits == 0 || fractionDigits == 0, let point = digits.firstIndex(of: ".") {
        digits.replaceSubrange(
            point...point,
            with: (wholeDigits == 0 ? "0." : ".") + (fractionDigits == 0 ? "0" : ""))
    }
    return Double(digits).map { .float($0) } ?? .string
}

private func exponentEnd(_ text: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    guard index < text.count else { return index }
    guard text[index] | 0x20 == UInt8(ascii: "e") else { return nil }
    index += 1
    if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") {
        index += 1
    }
    let digits = index
    while index < text.count, isDigit(text[index]) { index += 1 }
    return index > digits ? index : nil
}

private func specialFloat(_ text: Span<UInt8>, from index: Int, start: Int) -> CoreValue? {
    guard text.count - index == 3 else { return nil }
    switch string(text, from: index) {
    case "inf", "Inf", "INF":
        return .float(text[0] == UInt8(ascii: "-") ? -Double.infinity : .infinity)
    case "nan", "NaN", "NAN": return start == 0 ? .float(.nan) : nil
    default: return nil
    }
}

/// The type that an unquoted scalar seems to have to a reader, although YAML 1.2 reads it
/// differently.
///
/// The parser doesn't report resemblances; code that knows the type of the key can.
public enum Resemblance: Sendable, Hashable {
    /// `yes`, `no`, `on`, `off`: Boolean values in YAML 1.1, strings in 1.2.
    case truthValue(Bool)
    /// `1_000`: a number in YAML 1.1, a string in 1.2.
    case groupedNumber
    /// `1:30`: a number of base 60 in YAML 1.1, a string in 1.2.
    case base60Number
    /// `1.10`: a number that loses its last zero, as a version would.
    case trailingZero
    /// `2026-11-01`: a date to many readers of YAML, a string in the core schema.
    case date
}

extension YAMLScalar {
    /// The type that an unquoted scalar may be mistaken for; nil for quoted scalars and for those
    /// that are what they seem to be.
    public var resemblance: Resemblance? {
        guard style == .plain, utf8Count <= 40, let first = utf8.first else { return nil }
        let text = text
        switch text.lowercased() {
        case "yes", "on": return .truthValue(true)
        case "no", "off": return .truthValue(false)
        default: break
        }
        guard first.isDigit || first == UInt8(ascii: "-") || first == UInt8(ascii: "+") else {
            return nil
        }
        if case .float = value {
            let fraction = text.split(separator: ".").dropFirst().first
            return fraction.map { $0.utf8.count > 1 && $0.hasSuffix("0") } == true
                ? .trailingZero : nil
        }
        guard case .string = value else { return nil }
        let shape = text.utf8.map { $0.isDigit ? UInt8(ascii: "0") : $0 }
        if shape.elementsEqual("0000-00-00".utf8) { return .date }
        return number(shape)
    }

    /// Returns the resemblance of a text with digits and one kind of separator.
    private func number(_ shape: [UInt8]) -> Resemblance? {
        let digits = shape.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        let separators = Set(digits).subtracting([UInt8(ascii: "0")])
        guard digits.first == UInt8(ascii: "0"), digits.last == UInt8(ascii: "0") else {
            return nil
        }
        return switch separators {
        case [UInt8(ascii: "_")]: .groupedNumber
        case [UInt8(ascii: ":")]: .base60Number
        default: nil
        }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}
