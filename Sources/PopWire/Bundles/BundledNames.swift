internal import PopCEL
internal import PopScheduler

/// The names that the conditions of a bundle may use, and the meanings of their slots.
///
/// The names are those of rule files; authors were warned of mistakes when the bundle was created.
struct BundledNames {
    private let events: [EventRule]
    private var meanings: [String: SlotMeaning] = [:]
    private var everywhere = Environment.ofRules()

    init(
        keys: [ContextKey] = [], events: [EventRule] = [], conditions: [String] = [],
        popups: [String] = [], hasExperiments: Bool = false, hasGoals: Bool = false
    ) {
        self.events = events
        everywhere.checking = .language
        for key in keys.places {
            declare(keys[key].name, type: keys[key].type, meaning: .key(key))
        }
        for (position, name) in conditions.enumerated() {
            declare(name, type: .bool, meaning: .condition(ConditionIndex(position)))
        }
        declare("now", type: .timestamp, meaning: .now)
        if SlotMeaning.namesOfSchedule.allSatisfy({ meanings[$0] == nil }) {
            declare(SlotMeaning.scheduleOpenName, type: .bool, meaning: .scheduleOpen)
        }
        for fact in SessionFact.allCases where meanings[fact.rawValue] == nil {
            declare(fact.rawValue, type: fact.type, meaning: .session(fact))
        }
        for (position, id) in popups.enumerated() {
            declare(PopupIndex(position), id: id)
            if hasExperiments { declare(exposuresOf: PopupIndex(position), id: id) }
            if hasGoals {
                let goals = SlotMeaning.converted(popup: PopupIndex(position))
                declare("popups.\(id).converted", type: .bool, meaning: goals)
            }
        }
        declareFunctions()
        for event in events.places {
            for field in events[event].fields.indices {
                meanings[Self.identity(event, field: field)] = .payloadField(
                    event: event, field: field)
            }
        }
    }

    private mutating func declareFunctions() {
        everywhere.declareSlotFunction("event_count", parameters: [.string], result: .int)
        everywhere.declareSlotFunction(
            "event_count", parameters: [.string, .duration], result: .int)
        everywhere.declareSlotFunction("last_event", parameters: [.string], result: .timestamp)
        everywhere.declareSlotFunction("since", parameters: [.string], result: .duration)
        everywhere.declare(
            [], functions: [.eventSum { [events] in events.type(of: $0, in: $1) }])
        everywhere.declareSlotFunction("acted", parameters: [.string, .string], result: .int)
        everywhere.declareSlotFunction(
            "last_acted", parameters: [.string, .string], result: .timestamp)
    }

    /// Declares the names for a popup's history.
    private mutating func declare(_ popup: PopupIndex, id: String) {
        declare("popups.\(id).shown_count", type: .int, meaning: .shownCount(popup: popup))
        declare("popups.\(id).last_shown", type: .timestamp, meaning: .lastShown(popup: popup))
        declare("popups.\(id).last_reason", type: .string, meaning: .lastReason(popup: popup))
        declare("popups.\(id).last_action", type: .string, meaning: .lastAction(popup: popup))
        declare("popups.\(id).closed_count", type: .int, meaning: .closedCount(popup: popup))
    }

    private mutating func declare(exposuresOf popup: PopupIndex, id: String) {
        declare("popups.\(id).variant", type: .string, meaning: .variant(popup: popup))
        declare("popups.\(id).exposed_count", type: .int, meaning: .exposedCount(popup: popup))
    }

    /// Returns the names at a place: inside the `where` of a trigger on an event, or anywhere else.
    func environment(inside event: EventIndex?) -> Environment {
        guard let event else { return everywhere }
        var fields: [Variable] = []
        for (position, field) in events[event].fields.enumerated() {
            let identity = Self.identity(event, field: position)
            fields.append(Variable("event.\(field.name)", identity: identity, type: field.type))
        }
        return everywhere.adding(fields)
    }

    func meaning(of entry: SlotTable.Entry) -> SlotMeaning {
        switch entry {
        case .variable(let identity): meanings[identity] ?? .payload
        case .call(let function, let arguments):
            SlotMeaning(
                function: function, arguments: arguments,
                popup: { meanings["popups.\($0).shown_count"]?.popup },
                field: { events.type(of: $0, in: $1) }) ?? .payload
        }
    }

    private mutating func declare(_ name: String, type: CELType, meaning: SlotMeaning) {
        everywhere.declare(Variable(name, type: type))
        meanings[name] = meaning
    }

    /// Returns an identity that differs from every key: the parts of a name don't begin with
    /// digits.
    private static func identity(_ event: EventIndex, field: Int) -> String {
        "event.\(event).\(field)"
    }
}

extension SlotMeaning {
    /// The first version of bundles whose conditions can use it.
    var firstVersion: Int {
        switch self {
        case .session(let fact): fact == .started ? 1 : 2
        case .variant, .exposedCount, .lastAction, .closedCount, .converted, .acted, .lastActed,
            .sinceEvent, .eventSum, .scheduleOpen:
            2
        case .key, .condition, .now, .shownCount, .lastShown, .lastReason, .eventCount, .lastEvent,
            .payload, .payloadField:
            1
        }
    }
}
