extension Value {
    /// The value as it stands in a text that people read: numbers in their shortest form, `49` for
    /// `49.0`, and texts without quotes. Nil for what has no such form: null, bytes, lists and
    /// maps.
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
    /// Whether its values have a `plainText`.
    package var hasPlainText: Bool {
        switch self {
        case .string, .bool, .int, .uint, .double, .timestamp, .duration, .version, .dyn: true
        case .null, .bytes, .list, .map, .optional, .type, .wrapper, .opaque, .parameter: false
        }
    }
}
