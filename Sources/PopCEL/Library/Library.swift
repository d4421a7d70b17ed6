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
