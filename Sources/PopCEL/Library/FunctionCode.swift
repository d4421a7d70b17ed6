/// A function of the library, by what it does; operators have codes of their own.
///
/// The raw value is the name by which expressions call it. It stands here in full, since the name
/// of a case is found by reflection, which took four fifths of the time of setting the library up.
package enum FunctionCode: String, Sendable, CaseIterable {
    // Everything that has a size, and strings.
    case size, contains, startsWith, endsWith, matches
    // Types and conversions.
    case type, dyn, bool, int, uint, double, string, bytes, timestamp, duration
    // Of rules, not of the language.
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
    /// How a call is evaluated: where it stands, or by the library, which has a file for each kind.
    /// What a kind holds is listed here again, so that the compiler stops whoever forgets a call.
    package enum Kind {
        /// Where it stands.
        case size, alternative
        case textTest(TextTest)
        /// By the library.
        case conversion(Conversion)
        case calendar(CalendarField)
        case optional(OptionalCall)
        case text(TextCall)
        case math(MathCall)
        case encoding(Encoding)
    }

    /// What is asked of two texts.
    package enum TextTest {
        case contains, startsWith, endsWith, matches
    }

    /// What a value becomes.
    package enum Conversion {
        case type, dyn, bool, int, uint, double, string, bytes, timestamp, duration, version
    }

    /// What is done with optional values.
    package enum OptionalCall {
        case optionalOf, optionalOfNonZeroValue, optionalNone, optionalUnwrap, unwrapOpt
        case hasValue, value, first, last
    }

    /// What is done with a text.
    package enum TextCall {
        case charAt, indexOf, lastIndexOf, lowerASCII, upperASCII, replace, split, substring
        case trim, join, format, quote, reverse
    }

    /// What is done with numbers.
    package enum MathCall {
        case greatest, least, ceil, floor, round, trunc, abs, sign, isNaN, isInf, isFinite
        case sqrt, bitAnd, bitOr, bitXor, bitNot, bitShiftLeft, bitShiftRight
    }

    /// What is done with bytes.
    package enum Encoding {
        case base64Encode, base64Decode
    }

    package var kind: Kind {
        switch self {
        case .size: .size
        case .or, .orValue: .alternative
        case .contains: .textTest(.contains)
        case .startsWith: .textTest(.startsWith)
        case .endsWith: .textTest(.endsWith)
        case .matches: .textTest(.matches)
        case .type: .conversion(.type)
        case .dyn: .conversion(.dyn)
        case .bool: .conversion(.bool)
        case .int: .conversion(.int)
        case .uint: .conversion(.uint)
        case .double: .conversion(.double)
        case .string: .conversion(.string)
        case .bytes: .conversion(.bytes)
        case .timestamp: .conversion(.timestamp)
        case .duration: .conversion(.duration)
        case .version: .conversion(.version)
        case .getDate: .calendar(.date)
        case .getDayOfMonth: .calendar(.dayOfMonth)
        case .getDayOfWeek: .calendar(.dayOfWeek)
        case .getDayOfYear: .calendar(.dayOfYear)
        case .getFullYear: .calendar(.fullYear)
        case .getHours: .calendar(.hours)
        case .getMilliseconds: .calendar(.milliseconds)
        case .getMinutes: .calendar(.minutes)
        case .getMonth: .calendar(.month)
        case .getSeconds: .calendar(.seconds)
        case .optionalOf: .optional(.optionalOf)
        case .optionalOfNonZeroValue: .optional(.optionalOfNonZeroValue)
        case .optionalNone: .optional(.optionalNone)
        case .optionalUnwrap: .optional(.optionalUnwrap)
        case .unwrapOpt: .optional(.unwrapOpt)
        case .hasValue: .optional(.hasValue)
        case .value: .optional(.value)
        case .first: .optional(.first)
        case .last: .optional(.last)
        case .charAt: .text(.charAt)
        case .indexOf: .text(.indexOf)
        case .lastIndexOf: .text(.lastIndexOf)
        case .lowerASCII: .text(.lowerASCII)
        case .upperASCII: .text(.upperASCII)
        case .replace: .text(.replace)
        case .split: .text(.split)
        case .substring: .text(.substring)
        case .trim: .text(.trim)
        case .join: .text(.join)
        case .format: .text(.format)
        case .quote: .text(.quote)
        case .reverse: .text(.reverse)
        case .greatest: .math(.greatest)
        case .least: .math(.least)
        case .ceil: .math(.ceil)
        case .floor: .math(.floor)
        case .round: .math(.round)
        case .trunc: .math(.trunc)
        case .abs: .math(.abs)
        case .sign: .math(.sign)
        case .isNaN: .math(.isNaN)
        case .isInf: .math(.isInf)
        case .isFinite: .math(.isFinite)
        case .sqrt: .math(.sqrt)
        case .bitAnd: .math(.bitAnd)
        case .bitOr: .math(.bitOr)
        case .bitXor: .math(.bitXor)
        case .bitNot: .math(.bitNot)
        case .bitShiftLeft: .math(.bitShiftLeft)
        case .bitShiftRight: .math(.bitShiftRight)
        case .base64Encode: .encoding(.base64Encode)
        case .base64Decode: .encoding(.base64Decode)
        }
    }
}
