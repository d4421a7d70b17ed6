internal import PopCEL

/// What a popup's content takes to be filled in. Most takes nothing, and is handed on as it is.
struct ContentNeeds: OptionSet, Sendable {
    let rawValue: UInt8

    /// A text may hold placeholders.
    static let placeholders = Self(rawValue: 1)
    /// One of them may name a field of the event that made the task.
    static let payload = Self(rawValue: 2)
    /// Its template has localized fields.
    static let language = Self(rawValue: 4)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// By the texts of the content. Linear in them.
    init(_ content: Value) {
        switch content {
        case .string(let text): self = Self.needs(of: text)
        case .list(let items):
            self = items.reduce(into: []) { $0.formUnion(ContentNeeds($1)) }
        case .map(let map):
            self = []
            // By position: an entry as a whole would be copied.
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
    /// How the names of an event's fields begin.
    package static let payloadPrefix = "event."
}
