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
