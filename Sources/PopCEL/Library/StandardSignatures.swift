extension StandardLibrary {
    static func signatures(of code: FunctionCode) -> [Signature] {
        switch code {
        case .size, .contains, .startsWith, .endsWith, .matches: stringAndSizeSignatures(code)
        case .type, .dyn, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration:
            conversionSignatures(code)
        case .getDate, .getDayOfMonth, .getDayOfWeek, .getDayOfYear, .getFullYear, .getHours,
            .getMilliseconds, .getMinutes, .getMonth, .getSeconds:
            timeSignatures(code)
        case .optionalOf, .optionalOfNonZeroValue, .optionalNone, .optionalUnwrap, .unwrapOpt,
            .hasValue, .value, .or, .orValue, .first, .last:
            optionalSignatures(code)
        case .charAt, .indexOf, .lastIndexOf, .lowerASCII, .upperASCII, .replace, .split,
            .substring, .trim, .join, .format, .quote, .reverse:
            stringExtensionSignatures(code)
        case .greatest, .least, .ceil, .floor, .round, .trunc, .abs, .sign, .isNaN, .isInf,
            .isFinite, .sqrt, .bitAnd, .bitOr, .bitXor, .bitNot, .bitShiftLeft, .bitShiftRight:
            mathSignatures(code)
        case .base64Encode: [.function(.bytes, to: .string)]
        case .base64Decode: [.function(.string, to: .bytes)]
        }
    }

    private static func stringAndSizeSignatures(_ code: FunctionCode) -> [Signature] {
        switch code {
        case .size:
            [.string, .bytes, .list(.dyn), .map(.dyn, .dyn)].flatMap { type in
                [Signature.function(type, to: .int), .method(on: type, to: .int)]
            }
        case .matches:
            [.method(on: .string, .string, to: .bool), .function(.string, .string, to: .bool)]
        default: [.method(on: .string, .string, to: .bool)]
        }
    }

    private static func conversionSignatures(_ code: FunctionCode) -> [Signature] {
        let any = CELType.parameter("T")
        func from(_ types: CELType..., to result: CELType) -> [Signature] {
            types.map { .function($0, to: result) }
        }
        return switch code {
        case .type: [.function(any, to: .type(any))]
        case .dyn: [.function(any, to: .dyn)]
        case .bool: from(.bool, .string, to: .bool)
        case .int: from(.int, .uint, .double, .string, .timestamp, .duration, to: .int)
        case .uint: from(.uint, .int, .double, .string, to: .uint)
        case .double: from(.double, .int, .uint, .string, to: .double)
        case .string:
            from(
                .string, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, to: .string)
        case .bytes: from(.bytes, .string, to: .bytes)
        case .timestamp: from(.timestamp, .string, .int, to: .timestamp)
        default: from(.duration, .string, to: .duration)
        }
    }

    private static func timeSignatures(_ code: FunctionCode) -> [Signature] {
        let ofTimestamp: [Signature] = [
            .method(on: .timestamp, to: .int), .method(on: .timestamp, .string, to: .int),
        ]
        return switch code {
        case .getHours, .getMinutes, .getSeconds, .getMilliseconds:
            ofTimestamp + [.method(on: .duration, to: .int)]
        default: ofTimestamp
        }
    }

    private static func optionalSignatures(_ code: FunctionCode) -> [Signature] {
        let wrapped = CELType.parameter("T")
        let optional = CELType.optional(wrapped)
        return switch code {
        case .optionalOf, .optionalOfNonZeroValue: [.function(wrapped, to: optional)]
        case .optionalNone: [.function(to: optional)]
        case .optionalUnwrap: [.function(.list(optional), to: .list(wrapped))]
        case .unwrapOpt: [.method(on: .list(optional), to: .list(wrapped))]
        case .hasValue: [.method(on: optional, to: .bool)]
        case .value: [.method(on: optional, to: wrapped)]
        case .or: [.method(on: optional, optional, to: optional)]
        case .orValue: [.method(on: optional, wrapped, to: wrapped)]
        default: [.method(on: .list(wrapped), to: optional)]
        }
    }

    private static func stringExtensionSignatures(_ code: FunctionCode) -> [Signature] {
        switch code {
        case .charAt: [.method(on: .string, .int, to: .string)]
        case .indexOf, .lastIndexOf:
            [
                .method(on: .string, .string, to: .int),
                .method(on: .string, .string, .int, to: .int),
            ]
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
        default: [.method(on: .string, to: .string)]
        }
    }

    private static func mathSignatures(_ code: FunctionCode) -> [Signature] {
        func from(_ types: [CELType]) -> [Signature] { types.map { .function($0, to: $0) } }
        return switch code {
        case .ceil, .floor, .round, .trunc: from([.double])
        case .abs, .sign: from([.int, .uint, .double])
        case .isNaN, .isInf, .isFinite: [.function(.double, to: .bool)]
        case .sqrt:
            [CELType.double, .int, .uint].map { Signature.function($0, to: .double) }
        case .bitAnd, .bitOr, .bitXor:
            [.function(.int, .int, to: .int), .function(.uint, .uint, to: .uint)]
        case .bitNot: from([.int, .uint])
        case .bitShiftLeft, .bitShiftRight:
            [.function(.int, .int, to: .int), .function(.uint, .int, to: .uint)]
        default: []
        }
    }
}
