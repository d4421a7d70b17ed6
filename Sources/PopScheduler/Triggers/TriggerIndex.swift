internal import PopCEL

/// The popups that a start, an event or a change of a key may fire, in order of declaration.
struct TriggerIndex: Sendable {
    /// A trigger on an event.
    struct OnEvent: Sendable {
        var trigger: EventTrigger
        /// The name under which its occurrences are counted in the history; nil if nothing has to
        /// be counted.
        var counter: String?
    }

    /// The properties of a context key that a change needs.
    struct KeyEntry: Sendable {
        /// The index among the keys of the rules.
        let index: KeyIndex
        let slot: SlotIndex
        /// Its type, if it accepts every value of that type.
        let unboundType: UnboundType?

        init(_ key: ContextKey, index: KeyIndex, slot: SlotIndex) {
            (self.index, self.slot, unboundType) = (index, slot, UnboundType(key))
        }
    }

    private var occasions: [Trigger.Occasion: [PopupIndex]] = [:]
    /// By the event's index: popups and their triggers on it.
    private(set) var event: [EventIndex: [(popup: PopupIndex, triggers: [OnEvent])]] = [:]
    /// By the key's index.
    private(set) var changed: [KeyIndex: [PopupIndex]] = [:]
    /// By the popup's index and the name of the user's action on it.
    private(set) var acted: [PopupIndex: [String: [PopupIndex]]] = [:]
    /// By the event's index, the popups that have goals on it.
    private(set) var goals: [EventIndex: [PopupIndex]] = [:]
    /// By name. If two keys have the same name, the first counts.
    private(set) var keys: [String: KeyEntry] = [:]
    private(set) var events: [String: EventIndex] = [:]
    /// Events that no section declares but some condition counts.
    private(set) var countedEvents: Set<String> = []
    /// By event, the fields of its payload that conditions sum up.
    let summedFields: [String: Set<String>]

    init(_ rules: RuleSet) {
        summedFields = rules.summedFields
        let slots = SlotGraph.slotsOfKeys(rules)
        keys.reserveCapacity(rules.keys.count)
        // By position: iterating over the keys themselves copies each.
        for place in rules.keys.places.reversed() {
            keys[rules.keys[place].name] = KeyEntry(
                rules.keys[place], index: place, slot: slots[place])
        }
        for place in rules.events.places.reversed() { events[rules.events[place].name] = place }
        for popup in rules.popups.places {
            index(popup, all: rules.popups[popup].triggers, in: rules)
            for goal in rules.popups[popup].goals {
                Self.note(popup, in: &goals[goal.event, default: []])
            }
        }
        countedEvents = Set(rules.slots.compactMap { $0.event })
    }

    /// Returns the popups of several occasions at the same time, in order of declaration.
    func popups(at together: [Trigger.Occasion]) -> [PopupIndex] {
        let found = together.compactMap { occasions[$0] }
        return found.count < 2 ? found.first ?? [] : Set(found.joined()).sorted()
    }

    private mutating func index(_ popup: PopupIndex, all: [Trigger], in rules: RuleSet) {
        var counters: [EventIndex: Int] = [:]
        for trigger in all {
            switch trigger {
            case .occasion(let occasion):
                Self.note(popup, in: &occasions[occasion, default: []])
            case .changed(let key):
                Self.note(popup, in: &changed[key, default: []])
            case .acted(let other, let action):
                Self.note(popup, in: &acted[other, default: [:]][action, default: []])
            case .event(let trigger):
                let place = counters[trigger.event, default: 0]
                counters[trigger.event] = place + 1
                let event = rules.events[trigger.event].name
                let counter = "\(rules.popups[popup].id)/\(event)/\(place)"
                let isCounted = trigger.where != nil && trigger.occurrence != .any
                add(OnEvent(trigger: trigger, counter: isCounted ? counter : nil), of: popup)
            }
        }
    }

    /// Adds a popup once. A popup may name the same trigger twice; its triggers come one after the
    /// other.
    private static func note(_ popup: PopupIndex, in popups: inout [PopupIndex]) {
        if popups.last != popup { popups.append(popup) }
    }

    private mutating func add(_ trigger: OnEvent, of popup: PopupIndex) {
        let event = trigger.trigger.event
        if let last = self.event[event]?.indices.last, self.event[event]?[last].popup == popup {
            self.event[event]?[last].triggers.append(trigger)
        } else {
            self.event[event, default: []].append((popup, [trigger]))
        }
    }
}
