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

/// The work that is needed to resolve a popup's content. Most content needs none and is passed on
/// unchanged.
struct ContentNeeds: OptionSet, Sendable {
    let rawValue: UInt8

    /// A string may contain placeholders.
    static let placeholders = Self(rawValue: 1)
    /// A placeholder may name a field of the event that made the task.
    static let payload = Self(rawValue: 2)
    /// The template has localized fields.
    static let language = Self(rawValue: 4)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Determines the needs from the strings of the content. Linear in them.
    init(_ content: Value) {
        switch content {
        case .string(let text): self = Self.needs(of: text)
        case .list(let items):
            self = items.reduce(into: []) { $0.formUnion(ContentNeeds($1)) }
        case .map(let map):
            self = []
            // By position: iterating over entries copies each.
            for position in map.indices { formUnion(ContentNeeds(map[position].value)) }
        case .null, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, .version,
            .type, .optional:
            self = []
        }
    }

    private static func needs(of text: String) -> ContentNeeds {
        var before: UInt8 = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "{"), before == byte { return exactNeeds(of: Array(text.utf8)) }
            before = byte
        }
        return []
    }

    private static func exactNeeds(of text: [UInt8]) -> ContentNeeds {
        var needs: ContentNeeds = []
        for placeholder in Placeholder.all(in: text) {
            needs.insert(.placeholders)
            if text[placeholder.name].starts(with: Placeholder.payloadPrefix.utf8) {
                needs.insert(.payload)
            }
        }
        return needs
    }
}

extension Placeholder {
    /// The prefix of the names of an event's fields.
    package static let payloadPrefix = "event."
}

/// A part of a string that is filled in when its popup is presented: `{{user.name | you}}`.
package struct Placeholder: Sendable {
    /// The range with its braces, in bytes as the other ranges.
    package let whole: Range<Int>
    /// The name, without surrounding blanks.
    package let name: Range<Int>
    /// The text after `|`, without surrounding blanks; nil if there is no `|`.
    package let fallback: Range<Int>?

    /// Returns the placeholders in a string, from left to right. Linear.
    package static func all(in text: borrowing [UInt8]) -> [Placeholder] {
        var found: [Placeholder] = []
        var start: Int?
        var index = 0
        while index + 1 < text.count {
            if text[index] == open, text[index + 1] == open {
                start = index
                index += 2
            } else if let first = start, text[index] == close, text[index + 1] == close {
                found.append(Placeholder(first..<index + 2, in: text))
                start = nil
                index += 2
            } else {
                index += 1
            }
        }
        return found
    }

    private init(_ whole: Range<Int>, in text: borrowing [UInt8]) {
        self.whole = whole
        let end = whole.upperBound - 2
        var bar = whole.lowerBound + 2
        while bar < end, text[bar] != UInt8(ascii: "|") { bar += 1 }
        name = Self.trimmed(whole.lowerBound + 2..<bar, in: text)
        fallback = bar < end ? Self.trimmed(bar + 1..<end, in: text) : nil
    }

    private static func trimmed(_ range: Range<Int>, in text: borrowing [UInt8]) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper, text[lower] == UInt8(ascii: " ") { lower += 1 }
        while lower < upper, text[upper - 1] == UInt8(ascii: " ") { upper -= 1 }
        return lower..<upper
    }
}

private let open = UInt8(ascii: "{")
private let close = UInt8(ascii: "}")

/// A language as BCP 47 names it, such as `zh-Hant-TW`; case and `_` do not matter.
package struct LocaleTag: Sendable, Hashable {
    /// In lowercase, with `-` between the subtags.
    package let text: String

    /// The maximum number of bytes of a name that are read: no language has a longer name.
    package static let longest = 128

    /// Creates a tag from the name of a language. A suffix that systems add, as in `de_DE.UTF-8`
    /// and `de_DE@euro`, is left out.
    package init(_ name: String) {
        let bytes = name.utf8.prefix(Self.longest)
            .prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "@") }
        text = String(decoding: bytes.map(folded), as: UTF8.self)
    }

    /// The tag without its last subtag, and without the single letter that introduced that subtag;
    /// nil for a tag that is only a language.
    package var broader: LocaleTag? {
        let bytes = Array(text.utf8)
        guard var end = bytes.lastIndex(of: hyphen) else { return nil }
        if end >= 2, bytes[end - 2] == hyphen { end -= 2 }
        return LocaleTag(String(decoding: bytes[..<end], as: UTF8.self))
    }

    /// The tags from this one to the plain language.
    package var widening: [LocaleTag] {
        var tags = [self]
        while let next = tags[tags.count - 1].broader { tags.append(next) }
        return tags
    }

    /// Returns the key of a map of languages whose string readers of this language get; nil if none
    /// fits.
    package func match(in names: [String]) -> String? {
        for tag in widening {
            if let name = names.first(where: { LocaleTag($0) == tag }) { return name }
        }
        return nil
    }
}

private let hyphen = UInt8(ascii: "-")

private func folded(_ byte: UInt8) -> UInt8 {
    if byte == UInt8(ascii: "_") { return hyphen }
    return byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
}
