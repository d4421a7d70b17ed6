package import PopCEL
package import PopScheduler

/// The fields of events that conditions read. A test sends all of them, as an app does.
package struct ReadFields: Sendable {
    private var fields: [String: [String: CELType]] = [:]

    /// Collects the fields that triggers and goals of popups read.
    package init(_ rules: RuleSet) {
        for popup in rules.popups {
            for (event, condition) in popup.eventConditions {
                for slot in condition.program.slots {
                    guard case .payloadField(event, let field) = rules.slots[slot] else { continue }
                    let declared = rules.events[event].fields[field]
                    fields[rules.events[event].name, default: [:]][declared.name] = declared.type
                }
            }
        }
    }

    /// Returns a payload with a value for each missing field that is read.
    package func completed(_ payload: [String: Value], ofEvent name: String) -> [String: Value] {
        var payload = payload
        for (field, type) in fields[name] ?? [:] where payload[field] == nil {
            payload[field] = type.emptyValue
        }
        return payload
    }
}

extension CELType {
    /// A simple value of the type; nil if no file can contain a value of it.
    package var emptyValue: Value? {
        switch self {
        case .bool: .bool(false)
        case .int: .int(0)
        case .uint: .uint(0)
        case .double: .double(0)
        case .string, .dyn: .string("")
        case .list: .list([])
        case .map: .map([:])
        case .timestamp: .timestamp(StoryBeginning.usualStart)
        case .duration: .duration(.zero)
        case .version: Version("1").map { .version($0) }
        case .null, .bytes, .optional, .type, .wrapper, .opaque, .parameter: nil
        }
    }
}

extension RuleSet {
    /// Returns the fields of a payload that the event with a name declares.
    package func declared(_ payload: [String: Value], ofEvent name: String) -> [String: Value] {
        guard let event = events.first(where: { $0.name == name }) else { return payload }
        return payload.filter { field in event.fields.contains { $0.name == field.key } }
    }
}
