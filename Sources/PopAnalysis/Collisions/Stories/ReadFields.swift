package import PopCEL
package import PopScheduler

/// The fields of events that conditions read: a test sends all of them, as an app does.
package struct ReadFields: Sendable {
    private var fields: [String: [String: CELType]] = [:]

    /// The fields that triggers and goals of popups read.
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

    /// Returns a payload with a value for each field that is read and that it lacks.
    package func completed(_ payload: [String: Value], ofEvent name: String) -> [String: Value] {
        var payload = payload
        for (field, type) in fields[name] ?? [:] where payload[field] == nil {
            payload[field] = type.emptyValue
        }
        return payload
    }
}

extension CELType {
    /// A value to begin with; nil if no file can say one.
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
    /// The fields of a payload that an event of some name is declared with.
    package func declared(_ payload: [String: Value], ofEvent name: String) -> [String: Value] {
        guard let event = events.first(where: { $0.name == name }) else { return payload }
        return payload.filter { field in event.fields.contains { $0.name == field.key } }
    }
}
