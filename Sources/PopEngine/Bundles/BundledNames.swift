internal import PopCEL
internal import PopScheduler

/// What the conditions of a bundle may name, and what the slots behind the names mean.
///
/// The names are those of rule files; what their authors are warned of has been checked when the
/// bundle was made.
struct BundledNames {
    private(set) var keys: [ContextKey] = []
    private(set) var events: [EventRule] = []
    private var meanings: [String: SlotMeaning] = [:]
    private var everywhere = Environment.ofRules()

    init(_ bundle: BundledRules, typeDepth: Int) throws(BundleError) {
        everywhere.checking = .language
        for key in bundle.keys { keys.append(try ContextKey(key, typeDepth: typeDepth)) }
        for event in bundle.events { events.append(try EventRule(event, typeDepth: typeDepth)) }
        for (position, key) in keys.enumerated() { declare(key.name, key.type, .key(position)) }
        for (position, condition) in bundle.conditions.enumerated() {
            declare(condition.name, .bool, .condition(position))
        }
        declare("now", .timestamp, .now)
        declare("session.started", .timestamp, .sessionStarted)
        for (position, popup) in bundle.popups.enumerated() {
            declare("popups.\(popup.id).shown_count", .int, .shownCount(popup: position))
            declare("popups.\(popup.id).last_shown", .timestamp, .lastShown(popup: position))
            declare("popups.\(popup.id).last_reason", .string, .lastReason(popup: position))
        }
        everywhere.declareSlotFunction("event_count", parameters: [.string], result: .int)
        everywhere.declareSlotFunction(
            "event_count", parameters: [.string, .duration], result: .int)
        everywhere.declareSlotFunction("last_event", parameters: [.string], result: .timestamp)
        for (event, rule) in events.enumerated() {
            for field in rule.fields.indices {
                meanings[Self.identity(event, field)] = .payloadField(event: event, field: field)
            }
        }
    }

    /// The names at a place: inside the `where` of a trigger on an event, or outside of all.
    func environment(inside event: Int?) -> Environment {
        guard let event else { return everywhere }
        var environment = everywhere
        for (position, field) in events[event].fields.enumerated() {
            environment.declare(
                Variable(
                    "event.\(field.name)", identity: Self.identity(event, position),
                    type: field.type))
        }
        return environment
    }

    func meaning(of entry: SlotTable.Entry) -> SlotMeaning {
        switch entry {
        case .variable(let identity): meanings[identity] ?? .payload
        case .call(let function, let arguments):
            SlotMeaning(function: function, arguments: arguments) ?? .payload
        }
    }

    private mutating func declare(_ name: String, _ type: CELType, _ meaning: SlotMeaning) {
        everywhere.declare(Variable(name, type: type))
        meanings[name] = meaning
    }

    /// No key is named like this: the parts of a name do not begin with digits.
    private static func identity(_ event: Int, _ field: Int) -> String { "event.\(event).\(field)" }
}

extension ContextKey {
    fileprivate init(_ key: BundledRules.Key, typeDepth: Int) throws(BundleError) {
        self.init(
            name: key.name, type: try CELType(bundled: key.type, depth: typeDepth),
            defaultValue: key.defaultValue?.value,
            allowedValues: key.allowedValues?.map(\.value), minimum: key.minimum?.value,
            maximum: key.maximum?.value, at: .none)
    }
}

extension EventRule {
    fileprivate init(_ event: BundledRules.Event, typeDepth: Int) throws(BundleError) {
        var fields: [Field] = []
        for field in event.fields {
            fields.append(
                Field(name: field.name, type: try CELType(bundled: field.type, depth: typeDepth)))
        }
        self.init(name: event.name, fields: fields, at: .none)
    }
}

extension CELType {
    fileprivate init(bundled text: String, depth: Int) throws(BundleError) {
        guard let type = CELType(parsing: text, depth: depth) else {
            throw .damaged("`\(text)` is no type")
        }
        self = type
    }
}
