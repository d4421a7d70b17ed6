/// The functions of the library on values.
struct Library {
    let limits: CELLimits
    let timeZones: TimeZones
    /// True if durations may be written in days.
    let knowsDays: Bool

    /// Applies a function; returns nil if it doesn't accept such arguments.
    func apply(_ code: FunctionCode, arguments: [Value]) throws(EvaluationError) -> Value? {
        switch code.kind {
        case .conversion:
            guard arguments.count == 1 else { return nil }
            return try convert(code, value: arguments[0])
        case .calendar: return try calendarField(code, arguments: arguments)
        case .optional: return try optional(code, arguments: arguments)
        case .text: return try text(code, arguments: arguments)
        case .math: return try math(code, arguments: arguments)
        case .encoding: return try encoding(code, arguments: arguments)
        case .size, .textTest, .alternative: return nil
        }
    }

    private func encoding(
        _ code: FunctionCode, arguments: [Value]
    ) throws(EvaluationError) -> Value? {
        guard arguments.count == 1 else { return nil }
        switch (code, arguments[0]) {
        case (.base64Encode, .bytes(let bytes)): return .string(Base64.encode(bytes))
        case (.base64Decode, .string(let text)):
            guard let bytes = Base64.decode(text) else {
                throw EvaluationError("the string is not base64")
            }
            return .bytes(bytes)
        default: return nil
        }
    }

    private func calendarField(
        _ code: FunctionCode, arguments: [Value]
    ) throws(EvaluationError) -> Value? {
        guard let field = CalendarField(code) else { return nil }
        switch (arguments.first, arguments.dropFirst().first) {
        case (.timestamp(let instant)?, nil):
            return .int(field.value(of: instant, in: .utc))
        case (.timestamp(let instant)?, .string(let zone)?):
            guard let calendar = LocalCalendar(zone: zone, zones: timeZones) else {
                throw EvaluationError("there is no time zone `\(zone)`")
            }
            return .int(field.value(of: instant, in: calendar))
        case (.duration(let duration)?, nil): return field.value(of: duration).map(Value.int)
        default: return nil
        }
    }
}

extension Library {
    /// Evaluates a function of the math extension.
    func math(_ code: FunctionCode, arguments: [Value]) throws(EvaluationError) -> Value? {
        guard let first = arguments.first else { return nil }
        switch (code, arguments.count) {
        case (.greatest, _), (.least, _):
            var numbers = arguments
            if case .list(let list) = first, arguments.count == 1 { numbers = list }
            return code == .greatest
                ? try MathFunctions.greatest(numbers) : try MathFunctions.least(numbers)
        case (.abs, 1): return try MathFunctions.abs(first)
        case (.sign, 1): return MathFunctions.sign(first)
        case (.sqrt, 1): return MathFunctions.sqrt(first)
        case (.bitNot, 1): return MathFunctions.bitNot(first)
        case (.bitAnd, 2): return MathFunctions.bitAnd(first, arguments[1])
        case (.bitOr, 2): return MathFunctions.bitOr(first, arguments[1])
        case (.bitXor, 2): return MathFunctions.bitXor(first, arguments[1])
        case (.bitShiftLeft, 2): return try MathFunctions.bitShiftLeft(first, places: arguments[1])
        case (.bitShiftRight, 2):
            return try MathFunctions.bitShiftRight(first, places: arguments[1])
        case (_, 1):
            guard case .double(let number) = first else { return nil }
            return ofDouble(code, number: number)
        default: return nil
        }
    }

    private func ofDouble(_ code: FunctionCode, number: Double) -> Value? {
        switch code {
        case .ceil: .double(number.rounded(.up))
        case .floor: .double(number.rounded(.down))
        case .round: .double(number.rounded(.toNearestOrAwayFromZero))
        case .trunc: .double(number.rounded(.towardZero))
        case .isNaN: .bool(number.isNaN)
        case .isInf: .bool(number.isInfinite)
        case .isFinite: .bool(number.isFinite)
        default: nil
        }
    }
}

extension Library {
    func optional(
        _ code: FunctionCode, arguments: [Value]
    ) throws(EvaluationError) -> Value? {
        guard let first = arguments.first else {
            return code == .optionalNone ? .optional(nil) : nil
        }
        guard arguments.count == 1 else { return nil }
        switch (code, first) {
        case (.optionalOf, _): return .optional(first)
        case (.optionalOfNonZeroValue, _): return .optional(first.isZero ? nil : first)
        case (.hasValue, .optional(let wrapped)): return .bool(wrapped != nil)
        case (.value, .optional(let wrapped)):
            guard let wrapped else { throw EvaluationError("the optional value is absent") }
            return wrapped
        case (.first, .list(let list)): return .optional(list.first)
        case (.last, .list(let list)): return .optional(list.last)
        case (.optionalUnwrap, .list(let list)), (.unwrapOpt, .list(let list)):
            var present: [Value] = []
            for element in list {
                guard case .optional(let wrapped) = element else { return nil }
                if let wrapped { present.append(wrapped) }
            }
            return .list(present)
        default: return nil
        }
    }
}

extension Value {
    /// True if the value is the zero value of its type: 0, empty, false, null.
    fileprivate var isZero: Bool {
        switch self {
        case .null: true
        case .bool(let truth): !truth
        case .int(let number): number == 0
        case .uint(let number): number == 0
        case .double(let number): number == 0
        case .string(let text): text.isEmpty
        case .bytes(let bytes): bytes.isEmpty
        case .timestamp(let instant): instant == Timestamp(seconds: 0)
        case .duration(let duration): duration == .zero
        case .list(let list): list.isEmpty
        case .map(let map): map.isEmpty
        case .optional(let wrapped): wrapped == nil
        case .version, .type: false
        }
    }
}

extension Library {
    /// Evaluates a function of the strings extension.
    func text(_ code: FunctionCode, arguments: [Value]) throws(EvaluationError) -> Value? {
        if code == .join { return try joined(arguments) }
        guard case .string(let text)? = arguments.first else { return nil }
        let most = limits.resultSize
        let rest = arguments.dropFirst().map { TextArgument($0) }
        switch (code, rest.count) {
        case (.lowerASCII, 0): return .string(StringFunctions.lowerAscii(text))
        case (.upperASCII, 0): return .string(StringFunctions.upperAscii(text))
        case (.trim, 0): return .string(StringFunctions.trim(text))
        case (.reverse, 0): return .string(StringFunctions.reverse(text))
        case (.quote, 0): return .string(StringFunctions.quote(text))
        case (.format, 1):
            guard case .list(let values) = arguments[1] else { return nil }
            return .string(try FormatString.format(text, values: values, most: most))
        case (.charAt, 1), (.substring, 1), (.substring, 2):
            return try part(code, of: text, rest: rest)
        case (.indexOf, 1...2), (.lastIndexOf, 1...2): return try place(code, in: text, rest: rest)
        case (.split, 1), (.split, 2):
            guard let separator = rest[0].text, let limit = rest.limit(1) else { return nil }
            let parts = try SplitAndJoin.split(
                text, by: separator, limit: limit, most: most)
            return .list(parts.map(Value.string))
        case (.replace, 2), (.replace, 3):
            guard let old = rest[0].text, let new = rest[1].text, let limit = rest.limit(2)
            else { return nil }
            return .string(
                try SplitAndJoin.replace(text, old: old, with: new, limit: limit, most: most))
        default: return nil
        }
    }

    private func part(
        _ code: FunctionCode, of text: String, rest: [TextArgument]
    ) throws(EvaluationError) -> Value? {
        guard let start = rest[0].number else { return nil }
        if code == .charAt { return .string(try StringFunctions.charAt(text, at: start)) }
        guard rest.count == 2 else {
            return .string(try StringFunctions.substring(text, from: start))
        }
        guard let end = rest[1].number else { return nil }
        return .string(try StringFunctions.substring(text, from: start, to: end))
    }

    private func place(
        _ code: FunctionCode, in text: String, rest: [TextArgument]
    ) throws(EvaluationError) -> Value? {
        guard let wanted = rest[0].text else { return nil }
        if rest.count == 1 {
            return .int(
                code == .indexOf
                    ? try StringFunctions.indexOf(text, wanted: wanted)
                    : try StringFunctions.lastIndexOf(text, wanted: wanted))
        }
        guard let offset = rest[1].number else { return nil }
        return .int(
            code == .indexOf
                ? try StringFunctions.indexOf(text, wanted: wanted, from: offset)
                : try StringFunctions.lastIndexOf(text, wanted: wanted, upTo: offset))
    }

    private func joined(_ arguments: [Value]) throws(EvaluationError) -> Value? {
        guard case .list(let list)? = arguments.first, arguments.count <= 2 else { return nil }
        var separator = ""
        if arguments.count == 2 {
            guard case .string(let given) = arguments[1] else { return nil }
            separator = given
        }
        var texts: [String] = []
        for element in list {
            guard case .string(let text) = element else { return nil }
            texts.append(text)
        }
        return .string(
            try SplitAndJoin.join(texts, separator: separator, most: limits.resultSize))
    }
}

/// An argument that is a string or a number.
private struct TextArgument {
    var text: String?
    var number: Int64?

    init(_ value: Value) {
        switch value {
        case .string(let text): self.text = text
        case .int(let number): self.number = number
        case .null, .bool, .uint, .double, .bytes, .timestamp, .duration, .version, .list, .map,
            .type, .optional:
            break
        }
    }
}

extension [TextArgument] {
    /// Returns the limit at a position: -1 if no argument is given there; nil if it isn't a number.
    fileprivate func limit(_ position: Int) -> Int64? {
        position < count ? self[position].number : -1
    }
}
