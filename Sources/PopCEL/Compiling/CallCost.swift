/// The maximum cost of a call of a library function, and the maximum size of its result.
struct CallCost {
    let code: FunctionCode
    /// The extents of the arguments; the receiver comes first.
    let arguments: [Extent]
    /// The constant pattern of `matches`.
    let pattern: RegularExpression?

    var steps: StepBound {
        switch code.kind {
        case .size where arguments.count == 1: first.bytes.stepsOfBytes
        case .textTest: stepsOfTextTest
        case .alternative: .zero
        case .size, .conversion, .calendar, .optional, .text, .math, .encoding:
            arguments.reduce(StepBound(1)) { $0 + $1.weight } + result.weight
        }
    }

    private var stepsOfTextTest: StepBound {
        if code == .matches {
            guard let pattern else { return .none }
            return StepBound(first.bytes.limit.map { pattern.cost(ofBytes: $0) })
        }
        // At the start and the end of a string, no more bytes are read than the part has.
        let isRead = code == .contains
        return isRead ? (first.bytes + second.bytes).stepsOfBytes : second.bytes.stepsOfBytes
    }

    var result: Extent {
        switch code {
        case .dyn: first
        case .string: text(or: Self.longestPrinted)
        case .bytes, .lowerASCII, .upperASCII, .trim, .substring, .reverse, .base64Decode:
            text(or: .none)
        case .charAt: .text(StepBound(4))
        case .base64Encode: .text(first.bytes * StepBound(2) + StepBound(4))
        case .split: .list(first.bytes + StepBound(1), of: .text(first.bytes))
        case .optionalOf, .optionalOfNonZeroValue: .optional(first)
        case .optionalNone: .optional(.scalar)
        case .first, .last: .optional(first.element)
        case .value: first.unwrapped
        case .or: first.joined(second)
        case .orValue: first.unwrapped.joined(second)
        case .optionalUnwrap, .unwrapOpt: .list(first.count, of: first.element.unwrapped)
        case .replace, .join, .format, .quote: .any
        case .size, .contains, .startsWith, .endsWith, .matches, .type, .bool, .int, .uint,
            .double, .timestamp, .duration, .version, .getDate, .getDayOfMonth, .getDayOfWeek,
            .getDayOfYear, .getFullYear, .getHours, .getMilliseconds, .getMinutes, .getMonth,
            .getSeconds, .hasValue, .indexOf, .lastIndexOf, .greatest, .least, .ceil, .floor,
            .round, .trunc, .abs, .sign, .isNaN, .isInf, .isFinite, .sqrt, .bitAnd, .bitOr,
            .bitXor, .bitNot, .bitShiftLeft, .bitShiftRight:
            .scalar
        }
    }

    /// Bytes of the longest number, timestamp or duration as a string.
    private static let longestPrinted = StepBound(64)

    private var first: Extent { arguments.first ?? .any }
    private var second: Extent { arguments.count > 1 ? arguments[1] : .any }

    /// Returns the extent of a string no longer than the first argument, or of the given length if
    /// that isn't a string.
    private func text(or length: StepBound) -> Extent {
        switch first {
        case .text: first
        case .scalar: .text(length)
        case .list, .map, .optional, .any: .any
        }
    }
}
