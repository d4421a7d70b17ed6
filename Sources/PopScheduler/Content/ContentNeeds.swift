internal import PopCEL

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
