internal import PopCEL

/// The values that conditions read, updated lazily.
///
/// Named conditions and rolling windows are computed when something reads them. They are kept until
/// something that they depend on changes, or until the date at which they may change by themselves.
struct SlotStore: Sendable {
    let rules: RuleSet
    let graph: SlotGraph
    private(set) var sessionStarted = Timestamp.min
    private var values: SlotValues
    /// For each key, true if the app has set it.
    private(set) var isSet: TypedArray<KeyIndex, Bool>
    /// Computed slots whose value is out of date.
    private var isStale: TypedArray<SlotIndex, Bool>
    /// For each computed slot, the date at which its value may change by itself.
    private var ends: TypedArray<SlotIndex, Timestamp?>
    private(set) var now = Timestamp.min
    private(set) var evaluations = 0
    /// The steps that conditions took to evaluate, in the unit of `CELLimits.cost`.
    private(set) var evaluationSteps = 0
    /// The number of amounts of events that were added up.
    private(set) var addedAmounts = 0

    /// Creates a store without a history. `context` contains the values of the keys that are set.
    init(_ rules: RuleSet, context: [String: Value] = [:]) {
        self.rules = rules
        graph = SlotGraph(rules)
        values = SlotValues(count: graph.count)
        isSet = TypedArray(repeating: false, count: rules.keys.count)
        isStale = TypedArray(repeating: true, count: graph.count)
        ends = TypedArray(repeating: nil, count: graph.count)
        for key in rules.keys.places {
            set(key: key, context.isEmpty ? nil : context[rules.keys[key].name])
        }
        for slot in graph.cyclic {
            isStale[slot] = false
            values[slot] = .error(EvaluationError("the conditions refer to each other in a cycle"))
        }
    }

    mutating func begin(
        with history: IndexedHistory, sessionStarted: Timestamp, now: Timestamp
    ) {
        self.sessionStarted = sessionStarted
        for slot in rules.slots.places { fill(slot, from: history) }
        setNow(now)
    }

    /// Returns a store for other rules, another history and another context.
    func refilled(
        _ rules: RuleSet, history: IndexedHistory, context: [String: Value]
    ) -> SlotStore {
        var store = SlotStore(rules, context: context)
        store.evaluations = evaluations
        store.evaluationSteps = evaluationSteps
        store.addedAmounts = addedAmounts
        store.begin(with: history, sessionStarted: sessionStarted, now: now)
        return store
    }

    /// Fills a slot from its source; a computed slot is only marked as out of date.
    mutating func fill(_ slot: SlotIndex, from history: IndexedHistory) {
        switch rules.slots[slot] {
        // The slot already has its own value, except a second slot of the same key.
        case .key(let key): set(slot, value: value(ofKey: key))
        case .session(let fact): set(slot, value: value(of: fact, in: history.sessions))
        case .shownCount(let popup):
            set(slot, value: .int(Int64(history[popup]?.shownCount ?? 0)))
        case .lastShown(let popup):
            set(slot, value: history[popup]?.lastShown.map { .timestamp($0) })
        case .lastReason(let popup):
            set(slot, value: history[popup]?.lastReason.map { .string($0.rawValue) })
        case .variant(let popup):
            set(slot, value: .string(history[popup]?.exposures.variant ?? ""))
        case .exposedCount(let popup):
            set(slot, value: .int(Int64(history[popup]?.exposures.count ?? 0)))
        case .lastAction(let popup):
            set(slot, value: .string(history[popup]?.lastAction ?? ""))
        case .closedCount(let popup): set(slot, value: .int(Int64(history.closedCount(popup))))
        case .converted(let popup):
            let goal = rules.popups[popup].goals.first
            let past = goal.flatMap { history.goal($0.name, of: popup) }
            set(slot, value: .bool(past?.conversions ?? 0 > 0))
        case .acted(let popup, let action):
            set(slot, value: .int(Int64(history.action(action, of: popup)?.count ?? 0)))
        case .lastActed(let popup, let action):
            set(slot, value: history.action(action, of: popup).map { .timestamp($0.last) })
        case .eventCount(let event, within: nil):
            set(slot, value: .int(Int64(history.events[event]?.count ?? 0)))
        case .lastEvent(let event):
            set(slot, value: history.events[event]?.last.map { .timestamp($0) })
        case .condition, .now, .sinceEvent, .eventSum, .scheduleOpen, .payload, .payloadField,
            .eventCount(_, within: _?):
            break
        }
    }

    mutating func beginSession(at date: Timestamp) { sessionStarted = date }

    private func value(of fact: SessionFact, in sessions: History.Sessions) -> Value? {
        switch fact {
        case .started: .timestamp(sessionStarted)
        case .count: .int(Int64(sessions.count))
        case .previousEnd: sessions.previousEnd.map { .timestamp($0) }
        case .firstSeen: .timestamp(sessions.first ?? sessionStarted)
        }
    }

    /// Sets a context key; nil restores its default value.
    mutating func set(key: KeyIndex, _ value: Value?) {
        set(key: key, at: graph.slot(ofKey: key), value)
    }

    /// Sets a context key whose slot is known. Returns true if its value changed.
    @discardableResult
    mutating func set(key: KeyIndex, at slot: SlotIndex, _ value: Value?) -> Bool {
        isSet[key] = value != nil
        if let value { return values.replace(slot, by: .value(value)) }
        let usual = rules.keys[key].defaultValue
        return values.replace(slot, by: usual.map { .value($0) } ?? .missing)
    }

    /// The value of a context key that the app has set, or its default value.
    func value(ofKey key: KeyIndex) -> Value? {
        value(at: graph.slot(ofKey: key))
    }

    func value(at slot: SlotIndex) -> Value? {
        if case .value(let value) = values[slot] { value } else { nil }
    }

    /// The values of the keys that the app has set.
    var context: [String: Value] {
        var context: [String: Value] = [:]
        for key in rules.keys.places where isSet[key] {
            context[rules.keys[key].name] = value(ofKey: key)
        }
        return context
    }

    mutating func set(_ slot: SlotIndex, value: Value?) {
        values[slot] = value.map { .value($0) } ?? .missing
    }

    /// Makes the payload of an event visible; an empty payload removes it again.
    mutating func setPayload(_ payload: [String: Value], of event: EventIndex) {
        for slot in graph.payloadSlots {
            switch rules.slots[slot] {
            case .payload:
                let entries = payload.sorted { $0.key < $1.key }
                    .map { (key: Value.string($0.key), value: $0.value) }
                set(slot, value: entries.isEmpty ? nil : .map(ValueMap(entries)))
            case .payloadField(event, let field):
                set(slot, value: payload[rules.events[event].fields[field].name])
            case .payloadField, .key, .condition, .now, .session, .shownCount, .lastShown,
                .lastReason, .variant, .exposedCount, .lastAction,
                .closedCount, .converted, .acted, .lastActed, .eventCount, .lastEvent, .sinceEvent,
                .eventSum, .scheduleOpen:
                break
            }
        }
    }

    /// Sets the value of `schedule.open` for the conditions that are evaluated next; nil if they
    /// belong to no popup.
    mutating func setScheduleOpen(_ isOpen: Bool?) {
        if let slot = graph.scheduleSlot { set(slot, value: isOpen.map { .bool($0) }) }
    }

    subscript(slot: SlotIndex) -> SlotValue { values[slot] }

    mutating func setNow(_ date: Timestamp) {
        now = date
        if let slot = graph.nowSlot { set(slot, value: .timestamp(date)) }
    }

    /// Marks everything that depends on time as out of date, because the calendar was set back.
    mutating func calendarWentBack() {
        for slot in isStale.indices where graph.isTimed[slot] { markStale(slot) }
    }

    mutating func markStale(_ slot: SlotIndex) {
        if graph.isComputed[slot], slot != graph.nowSlot {
            isStale[slot] = !graph.cyclic.contains(slot)
        }
    }
}

extension SlotStore {
    /// Takes over the counts of a store that continued those of this one.
    mutating func count(evaluationsOf former: SlotStore) {
        evaluations = former.evaluations
        evaluationSteps = former.evaluationSteps
    }

    /// Evaluates a condition; `ends` is the date at which the result may change by itself.
    mutating func truth(
        of program: Program, events: [String: History.SentEvent]
    ) -> (truth: Truth, ends: Timestamp?) {
        prepare(program.slots, events: events)
        return evaluate(program)
    }

    /// Evaluates a condition whose slots are up to date.
    private mutating func evaluate(_ program: Program) -> (truth: Truth, ends: Timestamp?) {
        evaluations += 1
        return (program.isTrue(values, steps: &evaluationSteps), end(of: program))
    }

    /// Returns true if a condition that reads no computed slot is met: nothing has to be prepared,
    /// and time changes nothing. Nil if the bits of the slots don't decide.
    mutating func isMet(
        _ condition: ConditionTable.Place, in conditions: borrowing ConditionTable
    ) -> Bool? {
        guard let isMet = conditions.isMet(condition, in: values) else { return nil }
        evaluations += 1
        return isMet
    }

    /// Returns the values of all slots; the given computed slots are up to date.
    mutating func values(
        with slots: [SlotIndex], events: [String: History.SentEvent]
    ) -> SlotValues {
        prepare(slots, events: events)
        return values
    }

    /// Explains a condition with the current results of its parts.
    mutating func explanation(
        of program: Program, events: [String: History.SentEvent]
    ) -> Explanation {
        prepare(program.slots, events: events)
        return program.explain(values)
    }

    /// Explains a condition with the results that its parts had when its slots had these values.
    func explanation(of program: Program, reading former: [SlotValue]) -> Explanation {
        var slots = values
        for (slot, value) in zip(program.slots, former) { slots[slot] = value }
        return program.explain(slots)
    }

    private func end(of program: Program) -> Timestamp? {
        var end: Timestamp?
        var moving: [SlotIndex] = []
        for slot in program.slots where graph.isTimed[slot] {
            if isMoving(slot) { moving.append(slot) } else { end = earlier(end, ends[slot]) }
        }
        if !moving.isEmpty {
            end = earlier(end, program.nextChange(of: moving, at: now, in: values))
        }
        // Only the last instant of the scale has no instant after it.
        return end.flatMap { $0 > now ? $0 : nil }
    }

    /// Returns true if the value of a slot grows as time passes. The time since an event that never
    /// happened doesn't grow.
    private func isMoving(_ slot: SlotIndex) -> Bool {
        if slot == graph.nowSlot { return true }
        guard case .sinceEvent = rules.slots[slot] else { return false }
        return ends[slot] != nil
    }

    /// Computes the given slots and everything that they need, without recursion, however long the
    /// chain is.
    mutating func prepare(_ slots: [SlotIndex], events: [String: History.SentEvent]) {
        var pending = slots.filter { !isFresh($0) }
        while let slot = pending.last {
            let missing = inputs(of: slot).filter { !isFresh($0) }
            if missing.isEmpty {
                pending.removeLast()
                if !isFresh(slot) { compute(slot, events: events) }
            } else {
                pending += missing
            }
        }
    }

    private func isFresh(_ slot: SlotIndex) -> Bool {
        guard graph.isComputed[slot], slot != graph.nowSlot else { return true }
        guard !isStale[slot] else { return false }
        guard let end = ends[slot] else { return true }
        return now < end
    }

    private func inputs(of slot: SlotIndex) -> [SlotIndex] {
        guard case .condition(let condition) = rules.slots[slot] else { return [] }
        return rules.conditions[condition].condition.program.slots
    }

    private mutating func compute(_ slot: SlotIndex, events: [String: History.SentEvent]) {
        isStale[slot] = false
        switch rules.slots[slot] {
        case .condition(let condition):
            let (truth, end) = evaluate(rules.conditions[condition].condition.program)
            switch truth {
            case .yes: values[slot] = .value(.bool(true))
            case .no: values[slot] = .value(.bool(false))
            case .error(let error): values[slot] = .error(error)
            }
            ends[slot] = end
        case .eventCount(let event, let duration?):
            count(events[event]?.dates ?? [], within: duration, into: slot)
        case .sinceEvent(let event): measure(since: events[event]?.last, into: slot)
        case .eventSum(let sum): add(sum, of: events[sum.event], into: slot)
        case .key, .now, .session, .shownCount, .lastShown, .lastReason, .variant,
            .exposedCount, .lastAction,
            .closedCount, .converted, .acted, .lastActed, .eventCount(_, within: nil), .lastEvent,
            .scheduleOpen, .payload, .payloadField:
            break
        }
    }

    private mutating func count(
        _ dates: [Timestamp], within duration: Duration, into slot: SlotIndex
    ) {
        values[slot] = .value(.int(Int64(dates.count(within: duration, of: now))))
        ends[slot] = dates.firstLeaving(duration, after: now)
    }

    private mutating func add(
        _ sum: EventSum, of event: History.SentEvent?, into slot: SlotIndex
    ) {
        let amounts = event?.amounts[sum.field] ?? Amounts()
        let total = amounts.sum(within: sum.within, of: now, as: sum.type)
        addedAmounts += amounts.dates.count(within: sum.within, of: now)
        values[slot] =
            total.map { .value($0) } ?? .error(EvaluationError("the sum is out of range"))
        ends[slot] = amounts.dates.firstLeaving(sum.within, after: now)
    }

    private mutating func measure(since last: Timestamp?, into slot: SlotIndex) {
        values[slot] = .value(.duration(last.map { now.duration(since: $0) } ?? .endless))
        // The value holds only for this instant.
        ends[slot] = last.map { _ in now.advanced(by: .nanoseconds(1)) }
    }
}
