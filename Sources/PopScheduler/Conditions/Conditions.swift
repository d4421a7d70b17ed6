internal import PopCEL

/// The values that conditions read, the results of conditions, and the watchers of changes.
///
/// The scheduler wakes the watchers; this type reports which ones.
struct Conditions: Sendable {
    private var store: SlotStore
    /// The keys under which other dependencies are watched as if they were slots.
    private(set) var keys: WatchKeys
    private var watchers: Watchers
    /// The values of context keys that former rules declared and the current rules don't.
    private var formerContext: [String: Value] = [:]

    /// Creates conditions without context, before there is a history.
    init(of rules: RuleSet) {
        store = SlotStore(rules)
        keys = WatchKeys(rules, slots: store.graph.count)
        watchers = Watchers(count: keys.count)
    }

    /// The session begins.
    mutating func begin(with history: IndexedHistory, at now: Timestamp) {
        store.begin(with: history, sessionStarted: now, now: now)
    }

    /// Fills everything again from the rules, the history and the context; the session continues.
    /// All watchers are removed.
    mutating func refill(from catalog: Catalog, history: IndexedHistory, context: [String: Value]) {
        store = store.refilled(catalog.rules, history: history, context: context)
        formerContext = context.filter { catalog.triggers.keys[$0.key] == nil }
        keys = WatchKeys(catalog.rules, slots: store.graph.count)
        watchers = Watchers(count: keys.count)
    }

    /// The number of conditions evaluated so far.
    var evaluations: Int { store.evaluations }
    /// The steps that these took, in the unit of `CELLimits.cost`.
    var evaluationSteps: Int { store.evaluationSteps }
    var addedAmounts: Int { store.addedAmounts }
}

// The context and the calendar.
extension Conditions {
    /// The values of the keys that are set, including keys that former rules declared.
    var context: [String: Value] {
        var values = formerContext
        for (key, value) in store.context { values[key] = value }
        return values
    }

    func isSet(_ key: KeyIndex) -> Bool { store.isSet[key] }

    /// The slot of a key.
    func slot(ofKey key: KeyIndex) -> SlotIndex { store.graph.slot(ofKey: key) }

    /// The value of a key, or its default value.
    func value(ofKey key: KeyIndex) -> Value? { store.value(ofKey: key) }

    /// Sets a key; nil restores its default value. Returns true if its value changed.
    @discardableResult
    mutating func set(_ key: KeyIndex, at slot: SlotIndex, to value: Value?) -> Bool {
        store.set(key: key, at: slot, value)
    }

    mutating func unset(_ key: KeyIndex) { store.set(key: key, nil) }

    mutating func setNow(_ date: Timestamp) { store.setNow(date) }

    /// Sets the value of `schedule.open` for the popup whose `dismiss_when` is evaluated next.
    mutating func setScheduleOpen(_ isOpen: Bool?) { store.setScheduleOpen(isOpen) }

    /// The slot of `schedule.open`; nil when no condition reads it.
    var scheduleSlot: SlotIndex? { store.graph.scheduleSlot }

    /// Marks everything that depends on time as out of date, because the calendar was set back.
    mutating func calendarWentBack() { store.calendarWentBack() }
}

// The results of conditions.
extension Conditions {
    /// Evaluates a condition; `ends` is the date at which the result may change by itself.
    mutating func truth(
        of condition: Condition, events: [String: History.SentEvent]
    ) -> (truth: Truth, ends: Timestamp?) {
        store.truth(of: condition.program, events: events)
    }

    /// Evaluates a condition that was compiled for the slots of former rules. Those slots are
    /// filled for this one evaluation, from a history in which the popups have their former places.
    mutating func truth(
        of condition: Condition, under former: RuleSet, history: IndexedHistory, isOpen: Bool?
    ) -> (truth: Truth, ends: Timestamp?) {
        var former = store.refilled(former, history: history, context: context)
        former.setScheduleOpen(isOpen)
        let result = former.truth(of: condition.program, events: history.events)
        store.count(evaluationsOf: former)
        return result
    }

    /// Returns true if a condition that reads no computed slot is met; nil if the bits of the slots
    /// don't decide.
    mutating func isMet(
        _ condition: ConditionTable.Place, in table: borrowing ConditionTable
    ) -> Bool? {
        store.isMet(condition, in: table)
    }

    /// The values of the slots that a program reads, in their order.
    func values(of program: Program) -> [SlotValue] { program.slots.map { store[$0] } }

    /// Returns the values of all slots; the given computed slots are up to date.
    mutating func values(
        with slots: [SlotIndex], events: [String: History.SentEvent]
    ) -> SlotValues {
        store.values(with: slots, events: events)
    }

    /// Explains a condition with the current results of its parts.
    mutating func explanation(
        of program: Program, events: [String: History.SentEvent]
    ) -> Explanation {
        store.explanation(of: program, events: events)
    }

    /// Explains a condition with the results that its parts had when its slots had these values.
    func explanation(of program: Program, reading former: [SlotValue]) -> Explanation {
        store.explanation(of: program, reading: former)
    }
}

// Changes. Each function returns the slots whose values change; nothing is woken yet.
extension Conditions {
    /// True if rules read named conditions; without any, a changed slot changes no other slot.
    var hasNamed: Bool { store.graph.hasConditions }

    /// The history of a popup has changed.
    mutating func refill(popup: PopupIndex, from history: IndexedHistory) -> [SlotIndex] {
        refill(store.graph.slotsOfPopup[popup], from: history)
    }

    /// A session begins.
    mutating func beginSession(at date: Timestamp) { store.beginSession(at: date) }

    /// Refills the slots about sessions after the recorded sessions changed.
    mutating func refillSession(from history: IndexedHistory) -> [SlotIndex] {
        refill(store.graph.sessionSlots, from: history)
    }

    /// An event was sent.
    mutating func refill(event: String, from history: IndexedHistory) -> [SlotIndex] {
        refill(store.graph.slotsOfEvent[event], from: history)
    }

    private mutating func refill(
        _ slots: [SlotIndex]?, from history: IndexedHistory
    ) -> [SlotIndex] {
        guard let slots else { return [] }
        for slot in slots { store.fill(slot, from: history) }
        return slots
    }

    /// Makes the payload of an event visible; an empty payload removes it again.
    mutating func setPayload(_ payload: [String: Value], of event: EventIndex) {
        store.setPayload(payload, of: event)
        makeStale(store.graph.payloadSlots)
    }

    /// Marks everything that is computed from some slots as out of date. Returns the watched slots
    /// among it with their former values.
    @discardableResult
    mutating func makeStale(_ slots: [SlotIndex]) -> [(slot: SlotIndex, before: SlotValue)] {
        for slot in slots { store.markStale(slot) }
        if !hasNamed { return [] }
        let dependents = store.graph.dependents(of: slots)
        for slot in dependents { store.markStale(slot) }
        return dependents.filter { watchers.isWatched($0) }.map { ($0, store[$0]) }
    }

    /// Returns the given slots, which have new values, and the named conditions whose results
    /// change. A named condition that depends on time is always returned, because the date of its
    /// next change may have moved.
    mutating func changed(
        _ slots: [SlotIndex], events: [String: History.SentEvent]
    ) -> [SlotIndex] {
        var changed = slots
        for (slot, before) in makeStale(slots) {
            if !store.graph.isTimed[slot] {
                store.prepare([slot], events: events)
                if store[slot] == before { continue }
            }
            changed.append(slot)
        }
        return changed
    }
}

// The watchers of changes.
extension Conditions {
    /// Watches exactly these slots from now on.
    mutating func watch(
        _ slots: ArraySlice<SlotIndex>, as watcher: Watcher, at post: inout Watchers.Post
    ) {
        watchers.watch(slots, as: watcher, at: &post)
    }

    /// Watches again the slots at which the watcher was woken or taken out.
    mutating func resume(_ post: Watchers.Post) { watchers.resume(post) }

    /// Stops watching all slots.
    mutating func leave(_ post: Watchers.Post) { watchers.leave(post) }

    /// Takes out one of the watchers of a slot; nil if the slot has no watcher.
    mutating func takeWatcher(of slot: SlotIndex) -> Watcher? { watchers.take(slot) }
}
