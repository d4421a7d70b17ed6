internal import PopCEL

/// What conditions read, what they come to, and who waits for something to change.
///
/// Whoever watches is woken by the scheduler: here it is said who.
struct Conditions: Sendable {
    private var store: SlotStore
    /// What else is watched as though it were in slots.
    private(set) var keys: WatchKeys
    private var watchers: Watchers
    /// The values of context keys that former rules declared and these do not.
    private var formerContext: [String: Value] = [:]

    /// Without context, before there is a history.
    init(of rules: RuleSet) {
        store = SlotStore(rules)
        keys = WatchKeys(rules, slots: store.graph.count)
        watchers = Watchers(count: keys.count)
    }

    /// The session begins.
    mutating func begin(with history: KeptHistory, at now: Timestamp) {
        store.begin(with: history, sessionStarted: now, now: now)
    }

    /// Takes everything from the rules, the history and the context afresh; the session goes on.
    /// Nobody watches anything any more.
    mutating func refill(from catalog: Catalog, history: KeptHistory, context: [String: Value]) {
        store = store.refilled(catalog.rules, history: history, context: context)
        formerContext = context.filter { catalog.triggers.keys[$0.key] == nil }
        keys = WatchKeys(catalog.rules, slots: store.graph.count)
        watchers = Watchers(count: keys.count)
    }

    /// How many conditions were evaluated so far.
    var evaluations: Int { store.evaluations }
}

// The context and the calendar.
extension Conditions {
    /// The values of the keys that are set, also of those that former rules declared.
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

    /// Sets a key; nil brings its default value back. Whether it has another value now.
    @discardableResult
    mutating func set(_ key: KeyIndex, at slot: SlotIndex, to value: Value?) -> Bool {
        store.set(key: key, at: slot, value)
    }

    mutating func unset(_ key: KeyIndex) { store.set(key: key, nil) }

    mutating func setNow(_ date: Timestamp) { store.setNow(date) }

    /// Says whether the schedule is open of the popup whose `dismiss_when` is looked at next.
    mutating func setScheduleOpen(_ isOpen: Bool?) { store.setScheduleOpen(isOpen) }

    /// The slot of `schedule.open`; nil when no condition reads it.
    var scheduleSlot: SlotIndex? { store.graph.scheduleSlot }

    /// The calendar was set back: whatever time has made of the slots is out of date.
    mutating func calendarWentBack() { store.calendarWentBack() }
}

// What conditions come to.
extension Conditions {
    /// What a condition comes to now, and when that may change by itself.
    mutating func truth(
        of condition: Condition, events: [String: History.SentEvent]
    ) -> (truth: Truth, ends: Timestamp?) {
        store.truth(of: condition.program, events: events)
    }

    /// The same of a condition that was compiled for the slots of former rules: those are filled
    /// for this one look, from a history in which the popups stand where they stood.
    mutating func truth(
        of condition: Condition, under former: RuleSet, history: KeptHistory, isOpen: Bool?
    ) -> (truth: Truth, ends: Timestamp?) {
        var former = store.refilled(former, history: history, context: context)
        former.setScheduleOpen(isOpen)
        let result = former.truth(of: condition.program, events: history.events)
        store.count(evaluations: former.evaluations - store.evaluations)
        return result
    }

    /// Whether a condition that reads no computed slot is met; nil when the bits of the slots do
    /// not tell.
    mutating func isMet(
        _ condition: ConditionTable.Place, in table: borrowing ConditionTable
    ) -> Bool? {
        store.isMet(condition, in: table)
    }

    /// The values of the slots that a program reads, in their order.
    func values(of program: Program) -> [SlotValue] { program.slots.map { store[$0] } }

    /// The values of all slots, those of some computed ones up to date.
    mutating func values(
        with slots: [SlotIndex], events: [String: History.SentEvent]
    ) -> SlotValues {
        store.values(with: slots, events: events)
    }

    /// What the parts of a condition come to.
    mutating func explanation(
        of program: Program, events: [String: History.SentEvent]
    ) -> Explanation {
        store.explanation(of: program, events: events)
    }

    /// What the parts of a condition came to when its slots had these values.
    func explanation(of program: Program, reading former: [SlotValue]) -> Explanation {
        store.explanation(of: program, reading: former)
    }
}

// What changes. Each says which slots have other values then; nobody is woken yet.
extension Conditions {
    /// Whether rules read named conditions: without any, a slot that changes changes no other.
    var hasNamed: Bool { store.graph.hasConditions }

    /// The history of a popup has changed.
    mutating func refill(popup: PopupIndex, from history: KeptHistory) -> [SlotIndex] {
        refill(store.graph.slotsOfPopup[popup], from: history)
    }

    /// A session begins.
    mutating func beginSession(at date: Timestamp) { store.beginSession(at: date) }

    /// What is known of the sessions has changed.
    mutating func refillSession(from history: KeptHistory) -> [SlotIndex] {
        refill(store.graph.sessionSlots, from: history)
    }

    /// An event was sent.
    mutating func refill(event: String, from history: KeptHistory) -> [SlotIndex] {
        refill(store.graph.slotsOfEvent[event], from: history)
    }

    private mutating func refill(
        _ slots: [SlotIndex]?, from history: KeptHistory
    ) -> [SlotIndex] {
        guard let slots else { return [] }
        for slot in slots { store.fill(slot, from: history) }
        return slots
    }

    /// Makes the payload of an event visible; an empty one takes it away again.
    mutating func setPayload(_ payload: [String: Value], of event: EventIndex) {
        store.setPayload(payload, of: event)
        makeStale(store.graph.payloadSlots)
    }

    /// Marks what is computed from some slots as out of date, and gives those of it that somebody
    /// watches.
    @discardableResult
    mutating func makeStale(_ slots: [SlotIndex]) -> [(slot: SlotIndex, before: SlotValue)] {
        for slot in slots { store.markStale(slot) }
        if !hasNamed { return [] }
        let dependents = store.graph.dependents(of: slots)
        for slot in dependents { store.markStale(slot) }
        return dependents.filter { watchers.isWatched($0) }.map { ($0, store[$0]) }
    }

    /// Slots have new values: gives them and the named conditions that come to something else. One
    /// that time can change may do so at another time, so it is given in any case.
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

// Who waits for that.
extension Conditions {
    /// Watches exactly these slots from now on.
    mutating func watch(
        _ slots: ArraySlice<SlotIndex>, as watcher: Watcher, at post: inout Watchers.Post
    ) {
        watchers.watch(slots, as: watcher, at: &post)
    }

    /// Watches again what has been taken out since.
    mutating func resume(_ post: Watchers.Post) { watchers.resume(post) }

    /// Watches nothing any more.
    mutating func leave(_ post: Watchers.Post) { watchers.leave(post) }

    /// Takes one of those who watch a slot out; nil when there is none.
    mutating func takeWatcher(of slot: SlotIndex) -> Watcher? { watchers.take(slot) }
}
