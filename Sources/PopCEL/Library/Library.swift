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
