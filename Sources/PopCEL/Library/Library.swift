/// The functions of the library on values.
struct Library {
    let limits: CELLimits
    let timeZones: TimeZones
    /// Whether durations may be written in days.
    let knowsDays: Bool

    /// Nil when the function does not take such arguments.
    func apply(_ code: FunctionCode, arguments: [Value]) throws(EvaluationError) -> Value? {
        switch code.kind {
        case .conversion(let conversion):
            guard arguments.count == 1 else { return nil }
            return try convert(arguments[0], to: conversion)
        case .calendar(let field): return try self.field(field, arguments: arguments)
        case .optional(let call): return try optional(call, arguments: arguments)
        case .text(let call): return try text(call, arguments: arguments)
        case .math(let call): return try math(call, arguments: arguments)
        case .encoding(let encoding):
            guard arguments.count == 1 else { return nil }
            return try encoded(arguments[0], as: encoding)
        case .size, .textTest, .alternative: return nil
        }
    }

    private func encoded(
        _ value: Value, as encoding: FunctionCode.Encoding
    ) throws(EvaluationError) -> Value? {
        switch encoding {
        case .base64Encode:
            guard case .bytes(let bytes) = value else { return nil }
            return .string(Base64.encode(bytes))
        case .base64Decode:
            guard case .string(let text) = value else { return nil }
            guard let bytes = Base64.decode(text) else {
                throw EvaluationError("the text is not base64")
            }
            return .bytes(bytes)
        }
    }

    private func field(
        _ field: CalendarField, arguments: [Value]
    ) throws(EvaluationError) -> Value? {
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
