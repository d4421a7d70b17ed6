extension StandardLibrary {
    /// Returns the overloads of a function.
    static func signatures(of code: FunctionCode) -> [Signature] {
        switch code {
        case .size:
            [.string, .bytes, .list(.dyn), .map(.dyn, .dyn)].flatMap { type in
                [Signature.function(type, to: .int), .method(on: type, to: .int)]
            }
        case .contains, .startsWith, .endsWith: [.method(on: .string, .string, to: .bool)]
        case .matches:
            [.method(on: .string, .string, to: .bool), .function(.string, .string, to: .bool)]
        case .type: [.function(any, to: .type(any))]
        case .dyn: [.function(any, to: .dyn)]
        case .bool: from(.bool, .string, to: .bool)
        case .int: from(.int, .uint, .double, .string, .timestamp, .duration, to: .int)
        case .uint: from(.uint, .int, .double, .string, to: .uint)
        case .double: from(.double, .int, .uint, .string, to: .double)
        case .string:
            from(
                .string, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, .version,
                to: .string)
        case .bytes: from(.bytes, .string, to: .bytes)
        case .timestamp: from(.timestamp, .string, .int, to: .timestamp)
        case .duration: from(.duration, .string, to: .duration)
        case .version: from(.version, .string, to: .version)
        case .getDate, .getDayOfMonth, .getDayOfWeek, .getDayOfYear, .getFullYear, .getMonth:
            ofTimestamp
        case .getHours, .getMinutes, .getSeconds, .getMilliseconds:
            ofTimestamp + [.method(on: .duration, to: .int)]
        case .optionalOf, .optionalOfNonZeroValue: [.function(any, to: optional)]
        case .optionalNone: [.function(to: optional)]
        case .optionalUnwrap: [.function(.list(optional), to: .list(any))]
        case .unwrapOpt: [.method(on: .list(optional), to: .list(any))]
        case .hasValue: [.method(on: optional, to: .bool)]
        case .value: [.method(on: optional, to: any)]
        case .or: [.method(on: optional, optional, to: optional)]
        case .orValue: [.method(on: optional, any, to: any)]
        case .first, .last: [.method(on: .list(any), to: optional)]
        case .charAt: [.method(on: .string, .int, to: .string)]
        case .indexOf, .lastIndexOf:
            [
                .method(on: .string, .string, to: .int),
                .method(on: .string, .string, .int, to: .int),
            ]
        case .lowerASCII, .upperASCII, .trim, .reverse: [.method(on: .string, to: .string)]
        case .replace:
            [
                .method(on: .string, .string, .string, to: .string),
                .method(on: .string, .string, .string, .int, to: .string),
            ]
        case .split:
            [
                .method(on: .string, .string, to: .list(.string)),
                .method(on: .string, .string, .int, to: .list(.string)),
            ]
        case .substring:
            [
                .method(on: .string, .int, to: .string),
                .method(on: .string, .int, .int, to: .string),
            ]
        case .join:
            [
                .method(on: .list(.string), to: .string),
                .method(on: .list(.string), .string, to: .string),
            ]
        case .format: [.method(on: .string, .list(.dyn), to: .string)]
        case .quote: [.function(.string, to: .string)]
        // They take any number of numbers, which the checker checks itself.
        case .greatest, .least: []
        case .ceil, .floor, .round, .trunc: [.function(.double, to: .double)]
        case .abs, .sign: [CELType.int, .uint, .double].map { .function($0, to: $0) }
        case .isNaN, .isInf, .isFinite: [.function(.double, to: .bool)]
        case .sqrt: from(.double, .int, .uint, to: .double)
        case .bitAnd, .bitOr, .bitXor:
            [.function(.int, .int, to: .int), .function(.uint, .uint, to: .uint)]
        case .bitNot: [.function(.int, to: .int), .function(.uint, to: .uint)]
        case .bitShiftLeft, .bitShiftRight:
            [.function(.int, .int, to: .int), .function(.uint, .int, to: .uint)]
        case .base64Encode: [.function(.bytes, to: .string)]
        case .base64Decode: [.function(.string, to: .bytes)]
        }
    }

    private static let any = CELType.parameter("T")
    private static let optional = CELType.optional(any)

    private static let ofTimestamp: [Signature] = [
        .method(on: .timestamp, to: .int), .method(on: .timestamp, .string, to: .int),
    ]

    private static func from(_ types: CELType..., to result: CELType) -> [Signature] {
        types.map { .function($0, to: result) }
    }
}
