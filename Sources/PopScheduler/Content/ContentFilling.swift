internal import PopCEL

/// Resolves content for its reader: selects the strings of one language and fills in placeholders.
struct ContentFilling {
    /// The language of the reader, and the fallback language.
    let languages: [LocaleTag]
    /// The fields that may contain a string for each language.
    let localizedFields: [String]
    /// Returns the value of a placeholder; nil if it has none.
    let value: (String) -> Value?
    /// The placeholders that had neither a value nor a fallback.
    private(set) var empty: [String] = []

    init(
        languages: [LocaleTag], localizedFields: [String], value: @escaping (String) -> Value?
    ) {
        self.languages = languages
        self.localizedFields = localizedFields
        self.value = value
    }

    mutating func fill(_ content: Value) -> Value {
        guard case .map(let fields) = content else { return filled(content) }
        var result = ValueMap()
        result.reserveCapacity(fields.count)
        for (name, field) in fields { result[name] = filled(chosen(field, of: name)) }
        return .map(result)
    }

    /// Returns the string of a localized field in a language of the reader.
    private func chosen(_ field: Value, of name: Value) -> Value {
        guard case .map(let texts) = field, case .string(let name) = name,
            localizedFields.contains(name)
        else { return field }
        let names = texts.keys.compactMap { key in
            if case .string(let name) = key { name } else { nil }
        }
        for language in languages {
            if let match = language.match(in: names), let text = texts[.string(match)] {
                return text
            }
        }
        // Any string is better than none; the presence of the fallback language has been checked.
        return texts.first?.value ?? .string("")
    }

    private mutating func filled(_ value: Value) -> Value {
        switch value {
        case .string(let text): .string(filled(text))
        case .list(let items): .list(items.map { filled($0) })
        case .map(let map): filled(map)
        case .null, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, .version,
            .type, .optional:
            value
        }
    }

    private mutating func filled(_ map: ValueMap) -> Value {
        var result = ValueMap()
        result.reserveCapacity(map.count)
        for (key, value) in map { result[key] = filled(value) }
        return .map(result)
    }

    private mutating func filled(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        let bytes = Array(text.utf8)
        let placeholders = Placeholder.all(in: bytes)
        guard !placeholders.isEmpty else { return text }
        var result: [UInt8] = []
        var end = 0
        for placeholder in placeholders {
            result += bytes[end..<placeholder.whole.lowerBound]
            result += words(for: placeholder, in: bytes)
            end = placeholder.whole.upperBound
        }
        return String(decoding: result + bytes[end...], as: UTF8.self)
    }

    /// Returns the text that replaces a placeholder. An empty string counts as no value if there is
    /// a fallback.
    private mutating func words(for placeholder: Placeholder, in bytes: [UInt8]) -> [UInt8] {
        let name = String(decoding: bytes[placeholder.name], as: UTF8.self)
        let text = value(name)?.plainText
        if let fallback = placeholder.fallback {
            return text.flatMap { $0.isEmpty ? nil : Array($0.utf8) } ?? Array(bytes[fallback])
        }
        if text == nil, !empty.contains(name) { empty.append(name) }
        return Array((text ?? "").utf8)
    }
}
