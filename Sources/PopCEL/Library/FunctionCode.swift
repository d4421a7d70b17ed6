/// A function of the library, by what it does; operators have codes of their own.
enum FunctionCode: UInt8, Sendable, CaseIterable {
    // Everything that has a size, and strings.
    case size, contains, startsWith, endsWith, matches
    // Types and conversions.
    case type, dyn, bool, int, uint, double, string, bytes, timestamp, duration
    // Timestamps and durations.
    case getDate, getDayOfMonth, getDayOfWeek, getDayOfYear, getFullYear, getHours
    case getMilliseconds, getMinutes, getMonth, getSeconds
    // Optional values.
    case optionalOf, optionalOfNonZeroValue, optionalNone, optionalUnwrap, unwrapOpt
    case hasValue, value, or, orValue, first, last
    // The strings extension.
    case charAt, indexOf, lastIndexOf, lowerASCII, upperASCII, replace, split, substring, trim, join
    case format, quote, reverse
    // The math extension.
    case greatest, least, ceil, floor, round, trunc, abs, sign, isNaN, isInf, isFinite, sqrt
    case bitAnd, bitOr, bitXor, bitNot, bitShiftLeft, bitShiftRight
    // The encoders extension.
    case base64Encode, base64Decode

    /// As expressions call it.
    var name: String {
        switch self {
        case .optionalOf: "optional.of"
        case .optionalOfNonZeroValue: "optional.ofNonZeroValue"
        case .optionalNone: "optional.none"
        case .optionalUnwrap: "optional.unwrap"
        case .lowerASCII: "lowerAscii"
        case .upperASCII: "upperAscii"
        case .quote: "strings.quote"
        case .greatest, .least, .ceil, .floor, .round, .trunc, .abs, .sign, .isNaN, .isInf,
            .isFinite, .sqrt, .bitAnd, .bitOr, .bitXor, .bitNot, .bitShiftLeft, .bitShiftRight:
            "math.\(self)"
        case .base64Encode: "base64.encode"
        case .base64Decode: "base64.decode"
        default: "\(self)"
        }
    }
}
