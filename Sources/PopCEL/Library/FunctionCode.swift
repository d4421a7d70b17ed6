/// A function of the library; operators have codes of their own.
///
/// The raw value is the name by which expressions call it. It is written out, since the name of a
/// case is found by reflection, which took four fifths of the time of setting the library up.
package enum FunctionCode: String, Sendable, CaseIterable {
    // Functions of types with a size, and of strings.
    case size, contains, startsWith, endsWith, matches
    // Types and conversions.
    case type, dyn, bool, int, uint, double, string, bytes, timestamp, duration
    // Functions of rules, not of the language.
    case version
    // Timestamps and durations.
    case getDate, getDayOfMonth, getDayOfWeek, getDayOfYear, getFullYear, getHours
    case getMilliseconds, getMinutes, getMonth, getSeconds
    // Optional values.
    case optionalOf = "optional.of"
    case optionalOfNonZeroValue = "optional.ofNonZeroValue"
    case optionalNone = "optional.none"
    case optionalUnwrap = "optional.unwrap"
    case unwrapOpt, hasValue, value, or, orValue, first, last
    // The strings extension.
    case charAt, indexOf, lastIndexOf
    case lowerASCII = "lowerAscii"
    case upperASCII = "upperAscii"
    case replace, split, substring, trim, join, format
    case quote = "strings.quote"
    case reverse
    // The math extension.
    case greatest = "math.greatest"
    case least = "math.least"
    case ceil = "math.ceil"
    case floor = "math.floor"
    case round = "math.round"
    case trunc = "math.trunc"
    case abs = "math.abs"
    case sign = "math.sign"
    case isNaN = "math.isNaN"
    case isInf = "math.isInf"
    case isFinite = "math.isFinite"
    case sqrt = "math.sqrt"
    case bitAnd = "math.bitAnd"
    case bitOr = "math.bitOr"
    case bitXor = "math.bitXor"
    case bitNot = "math.bitNot"
    case bitShiftLeft = "math.bitShiftLeft"
    case bitShiftRight = "math.bitShiftRight"
    // The encoders extension.
    case base64Encode = "base64.encode"
    case base64Decode = "base64.decode"

    var name: String { rawValue }
}

extension FunctionCode {
    /// The way a call is evaluated: inline, or by the library, which has a file for each kind.
    enum Kind {
        /// Evaluated inline.
        case size, textTest, alternative
        /// Evaluated by the library.
        case conversion, calendar, optional, text, math, encoding
    }

    var kind: Kind {
        switch self {
        case .size: .size
        case .contains, .startsWith, .endsWith, .matches: .textTest
        case .or, .orValue: .alternative
        case .type, .dyn, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration,
            .version:
            .conversion
        case .getDate, .getDayOfMonth, .getDayOfWeek, .getDayOfYear, .getFullYear, .getHours,
            .getMilliseconds, .getMinutes, .getMonth, .getSeconds:
            .calendar
        case .optionalOf, .optionalOfNonZeroValue, .optionalNone, .optionalUnwrap, .unwrapOpt,
            .hasValue, .value, .first, .last:
            .optional
        case .charAt, .indexOf, .lastIndexOf, .lowerASCII, .upperASCII, .replace, .split,
            .substring, .trim, .join, .format, .quote, .reverse:
            .text
        case .greatest, .least, .ceil, .floor, .round, .trunc, .abs, .sign, .isNaN, .isInf,
            .isFinite, .sqrt, .bitAnd, .bitOr, .bitXor, .bitNot, .bitShiftLeft, .bitShiftRight:
            .math
        case .base64Encode, .base64Decode: .encoding
        }
    }
}
