internal import PopCEL

/// Which popups a start, an event or a change of a key concerns, in the order of declaration.
struct TriggerIndex: Sendable {
    /// A trigger on an event.
    struct OnEvent: Sendable {
        var trigger: EventTrigger
        /// What its occurrences are counted under in the history; nil when nothing has to be
        /// counted.
        var counter: String?
    }

    /// What a change asks of a context key.
    struct KeyEntry: Sendable {
        /// Among the keys of the rules.
        let index: KeyIndex
        let slot: SlotIndex
        /// Its type, when it takes every value of that.
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
    /// By the popup's index and the name of what a person does with it.
    private(set) var acted: [PopupIndex: [String: [PopupIndex]]] = [:]
    /// By the event's index, the popups that have goals of it.
    private(set) var goals: [EventIndex: [PopupIndex]] = [:]
    /// By name. Of two keys with one name the first counts.
    private(set) var keys: [String: KeyEntry] = [:]
    private(set) var events: [String: EventIndex] = [:]
    /// Events that no section declares and some condition counts.
    private(set) var countedEvents: Set<String> = []
    /// By event, the fields of its payload that conditions add up.
    let summedFields: [String: Set<String>]

    init(_ rules: RuleSet) {
        summedFields = rules.summedFields
        let slots = SlotGraph.slotsOfKeys(rules)
        keys.reserveCapacity(rules.keys.count)
        // By position: going through the keys themselves copies each.
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

    /// In the order of declaration, whatever of several happens at once.
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

    /// A popup may name the same twice; its triggers come one after the other.
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
