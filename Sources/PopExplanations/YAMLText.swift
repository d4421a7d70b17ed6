package import PopCEL
internal import PopScheduler
internal import PopSource

/// YAML on one line.
package enum YAMLText {
    /// Words that YAML reads as another value if they are not quoted.
    private static let words: Set<String> = [
        "true", "false", "null", "yes", "no", "on", "off", "y", "n",
    ]

    /// Returns a name, quoted if YAML would read it as something else.
    package static func name(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy {
            (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0)
                || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
        }
        let startsAsName = text.first.map { $0.isLetter || $0 == "_" } ?? false
        return isPlain && startsAsName && !words.contains(text.lowercased())
            ? text : quoted(text)
    }

    /// Returns a string in quotes; every JSON string is valid YAML. Build servers read `##[` and
    /// `##vso[` as commands anywhere in a log, so the second `#` is escaped.
    static func quoted(_ text: String) -> String {
        JSON.string(text).compact.replacing("##", with: #"#\u0023"#)
    }

    /// Returns a duration as rule files write it, in milliseconds where it has a fraction.
    package static func duration(_ duration: Duration) -> String {
        let text = timeText(duration)
        if !text.contains(".") { return text.replacing(" ", with: "") }
        let (seconds, attoseconds) = duration.components
        let (thousands, overflows) = seconds.multipliedReportingOverflow(by: 1_000)
        // Longer than any duration that a file can contain.
        if overflows { return text.replacing(" ", with: "") }
        return "\(thousands + attoseconds / 1_000_000_000_000_000)ms"
    }

    package static func map(_ entries: [(String, String)]) -> String {
        braced(entries.map { "\($0): \($1)" })
    }

    /// Returns a map of entries that are already written.
    package static func braced(_ entries: [String]) -> String {
        entries.isEmpty ? "{}" : "{ \(entries.joined(separator: ", ")) }"
    }
}

extension Value {
    /// The value as a test file writes it, on one line.
    package var yaml: String {
        switch self {
        case .uint(let value): "\(value)"
        case .timestamp(let date): "\(date)"
        case .duration(let duration): YAMLText.duration(duration)
        case .version(let version): YAMLText.quoted(version.text)
        case .string(let text): YAMLText.quoted(text)
        case .bytes(let bytes): YAMLText.quoted(String(decoding: bytes, as: UTF8.self))
        case .double(let number) where number.isNaN: ".nan"
        case .double(let number) where number.isInfinite: number < 0 ? "-.inf" : ".inf"
        case .list(let values): "[\(values.map(\.yaml).joined(separator: ", "))]"
        case .map(let map): YAMLText.map(map.map { ($0.key.yaml, $0.value.yaml) })
        case .null, .bool, .int, .double, .type, .optional: description
        }
    }
}

/// A string cut to a length that users can read; a cut string ends with its full character count.
package func bounded(_ text: String) -> String {
    let longest = PrintLimits.value
    guard text.utf8.count > longest, text.count > longest else { return text }
    return "\(text.prefix(longest))… (\(text.count) characters)"
}

extension Double {
    /// The number in its usual notation: `20` for `20.0`, `0.05` unchanged.
    package var shortText: String {
        let text = "\(self)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

/// Returns the ordinal of a number: `1st`, `2nd`, `3rd`, `4th`, `11th`, `21st`.
package func ordinal(_ number: Int) -> String {
    switch (number % 10, number % 100) {
    case (_, 11...13): "\(number)th"
    case (1, _): "\(number)st"
    case (2, _): "\(number)nd"
    case (3, _): "\(number)rd"
    case (_, _): "\(number)th"
    }
}
