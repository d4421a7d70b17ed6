extension Value {
    /// The value in a form for users: numbers in their shortest form, `49` for `49.0`, and strings
    /// without quotes. Nil for values without such a form: null, bytes, lists and maps.
    package var plainText: String? {
        switch self {
        case .string(let text): text
        case .bool(let value): value ? "true" : "false"
        case .int(let number): String(number)
        case .uint(let number): String(number)
        case .double(let number): Self.plainText(of: number)
        case .timestamp(let date): date.description
        case .duration(let duration): DurationText.format(duration)
        case .version(let version): version.text
        case .null, .bytes, .list, .map, .type, .optional: nil
        }
    }

    private static func plainText(of number: Double) -> String {
        if let name = NumberText.nonFinite(number) { return name }
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension CELType {
    /// True if its values have a `plainText`.
    package var hasPlainText: Bool {
        switch self {
        case .string, .bool, .int, .uint, .double, .timestamp, .duration, .version, .dyn: true
        case .null, .bytes, .list, .map, .optional, .type, .wrapper, .opaque, .parameter: false
        }
    }
}
