package import PopCEL
internal import PopScheduler
internal import PopSource

/// YAML on one line, as test files contain it.
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

    /// Returns a map of names and values that are already written.
    package static func map(_ entries: [(String, String)]) -> String {
        braced(entries.map { "\($0): \($1)" })
    }

    /// Returns a map from names to values, in the order of the names.
    package static func map(_ values: [String: Value]) -> String {
        map(values.sorted { $0.key < $1.key }.map { (name($0.key), $0.value.yaml) })
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
        case .list(let values): "[\(values.map { $0.yaml }.joined(separator: ", "))]"
        case .map(let map): YAMLText.map(map.map { ($0.key.yaml, $0.value.yaml) })
        case .null, .bool, .int, .double, .type, .optional: description
        }
    }
}
