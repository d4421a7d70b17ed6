internal import PopAnalysis
package import PopCEL
internal import PopLogic
internal import PopScenario
internal import PopScheduler
internal import PopSource

/// The changes that would let a popup show.
package struct NeededChanges: Sendable {
    /// The values that the app can change, each change verified by simulating the question again.
    package fileprivate(set) var changes: [ContextChange] = []
    /// The popup that still has the screen after the first of the changes; nil if the popup shows
    /// then.
    package fileprivate(set) var holder: String?
    /// True if the popup waits for its `delay` after the first of the changes.
    package fileprivate(set) var isDelayed = false
    /// True if it is certain that no smaller number of changes lets it show.
    package fileprivate(set) var isSmallest = false
    /// The past, and perhaps the context, that would make its conditions true, by name; empty if
    /// the app can change something, or if nothing was found.
    package fileprivate(set) var past: [(name: String, value: Value?)] = []

    init() {}

    /// Empty if conditions aren't what suppresses the popup, or if the budget is used up.
    init(
        _ question: ExplainQuery, in simulation: Simulation, popup: PopupRule,
        keptAwayBy reason: ReasonCode?, declarations: Declarations
    ) {
        guard let reason, reason.isAboutConditions, !simulation.couldShow(popup.id),
            !question.budget.isUsedUp
        else { return }
        // If there are several windows, each of them may be the one to open.
        let windows = popup.timing.schedule.map(\.when)
        let base = popup.audience.rollout.map { $0.change(question) } ?? ContextChange()
        for schedule in windows.isEmpty ? [nil] : windows where changes.isEmpty {
            // Checking whether the schedule is open evaluates all of its windows.
            guard question.budget.charge(.judgedPopups, windows.count) else { break }
            var search = Search(
                question, simulation, popup, schedule, base, reason, declarations)
            search.lookAtContext(&self)
            if changes.isEmpty, past.isEmpty { search.lookAtPast(&self) }
        }
        if !changes.isEmpty { past = [] }
        // Another window may require fewer changes.
        if windows.count > 1 { isSmallest = false }
    }
}

private struct Search {
    private let question: ExplainQuery
    private let simulation: Simulation
    private let popup: PopupRule
    private let demand: Requirement
    private var logic: Logic
    private let values: [SlotTable.Entry: Value]
    private let meanings: [SlotTable.Entry: SlotMeaning]
    /// The slots that the conditions read.
    private let places: [SlotTable.Entry: SlotIndex]
    /// The change that is always needed: another user, if this one isn't in the rollout.
    private let base: ContextChange
    private let reason: ReasonCode

    /// The maximum number of changes that are simulated.
    private static let mostPlays = 100
    /// The maximum nesting depth of named conditions.
    private static let definitions = 64

    init(
        _ question: ExplainQuery, _ simulation: Simulation, _ popup: PopupRule,
        _ schedule: Condition?,
        _ base: ContextChange, _ reason: ReasonCode, _ declarations: Declarations
    ) {
        self.question = question
        self.simulation = simulation
        self.popup = popup
        self.base = base
        self.reason = reason
        let rules = question.rules
        var met = [popup.when, popup.group.flatMap { rules.groups[$0].when }, schedule]
        for case .event(let trigger) in popup.triggers
        where rules.events[trigger.event].name == question.event {
            met.append(trigger.where)
        }
        let conditions = met.compactMap { $0?.program }
        demand = Requirement(conditions, unmet: [popup.dismissWhen?.program].compactMap { $0 })
        let programs = demand.met + demand.unmet
        var limits = LogicLimits.standard
        limits.definitions = Self.definitions
        limits.budget = question.budget
        logic = Logic(of: programs, declarations: declarations, limits: limits)
        let used = programs.flatMap { rules.conditions(usedBy: $0) }
        let all = programs + used.map { rules.conditions[$0].condition.program }
        let slots = simulation.scheduler.slotValues(
            Set(all.flatMap(\.slots)).sorted(), at: simulation.now,
            supposing: Supposition(
                event: question.event, payload: question.payload, popup: popup.id))
        var values: [SlotTable.Entry: Value] = [:]
        var meanings: [SlotTable.Entry: SlotMeaning] = [:]
        var places: [SlotTable.Entry: SlotIndex] = [:]
        for (slot, entry) in all.flatMap(\.slotEntries) {
            meanings[entry] = rules.slots[slot]
            places[entry] = slot
            if case .value(let value) = slots[slot] { values[entry] = value }
        }
        for (entry, meaning) in meanings {
            guard case .key(let key) = meaning, let value = base.context[rules.keys[key].name]
            else { continue }
            values[entry] = value
        }
        (self.values, self.meanings, self.places) = (values, meanings, places)
    }

    mutating func lookAtContext(_ needed: inout NeededChanges) {
        let entries = entries { isInContext($0) }
        var plays = 0
        var found: [ContextChange] = []
        var (holder, isDelayed): (String?, Bool) = (nil, false)
        let (question, popup, meanings, base) = (question, popup, meanings, base)
        let changes = logic.changes(of: values, toMeet: demand, among: entries) { change in
            guard let context = change.context(question.rules, meanings, base: base) else {
                return false
            }
            plays += 1
            guard plays <= Self.mostPlays, !question.budget.isUsedUp else { return false }
            var played = question.changed(by: context).played()
            let waits = played.passDelay(of: popup)
            guard played.couldShow(popup.id) else { return false }
            if found.isEmpty {
                (holder, isDelayed) = (played.holder(insteadOf: popup.id), waits)
            }
            found.append(context)
            return true
        }
        needed.changes = found
        (needed.holder, needed.isDelayed) = (holder, isDelayed)
        needed.isSmallest = changes.isSmallest && isOfOneMoment && !isDelayed
    }

    mutating func lookAtPast(_ needed: inout NeededChanges) {
        guard case .condition = reason.kind else { return }
        let past = entries { isInPast($0) }
        guard !past.isEmpty else { return }
        let context = entries { isInContext($0) }
        let search = self
        let changes = logic.changes(of: values, toMeet: demand, among: past + context) { change in
            change.changed.contains { past.contains($0.entry) }
                && change.changed.allSatisfy { search.isAhead($0) } && search.canHappen(change)
        }
        guard let change = changes.found.first else { return }
        needed.past = change.changed.map { ($0.entry.conditionText, $0.value) }
    }

    /// Returns true if a demand can be met by events that are really sent that often and that long
    /// ago: the number and the times of events depend on each other.
    private func canHappen(_ change: Change) -> Bool {
        let facts = change.after.facts.filter { isOfEvents(meanings[$0.entry]) }
        if facts.isEmpty { return true }
        guard question.chargeStart() else { return false }
        var beginning = ScenarioStart(start: simulation.now.date)
        beginning.take(events: facts, meanings: meanings, of: question.rules)
        let past = Simulation(
            of: question.prepared, history: beginning.history, start: simulation.now.date,
            budget: question.budget)
        let values = past.scheduler.slotValues(Set(places.values).sorted(), at: past.now)
        var known: [SlotTable.Entry: Value?] = [:]
        for (entry, slot) in places where isOfEvents(meanings[entry]) {
            if case .value(let value) = values[slot] {
                known.updateValue(value, forKey: entry)
            } else {
                known.updateValue(nil, forKey: entry)
            }
        }
        return demand.isMet(by: change.after.replacing(known))
    }

    /// Returns true if a fact can become true for a current user: nothing that happened is undone.
    private func isAhead(_ fact: Witness.Fact) -> Bool {
        let (former, value) = (values[fact.entry], fact.value)
        switch meanings[fact.entry] {
        case .shownCount(let popup):
            guard isNotLess(value, than: former) else { return false }
            guard let most = question.rules.popups[popup].caps.lifetime,
                case .int(let count)? = value
            else { return true }
            return count <= most
        case .closedCount, .exposedCount, .acted, .eventCount(_, within: nil), .session(.count):
            return isNotLess(value, than: former)
        case .converted: return former != .bool(true)
        case .lastShown, .lastEvent, .lastActed: return value != nil || former == nil
        case .lastReason(let popup): return canEnd(popup, as: value, after: former)
        case .lastAction(let popup):
            guard case .string(let action)? = value, !action.isEmpty else { return former == nil }
            return mayShowAgain(popup) && has(popup, action: action)
        case .variant(let popup):
            // An experiment never moves a user into another arm.
            guard former == nil || former == .string(""), case .string(let arm)? = value else {
                return false
            }
            return question.rules.popups[popup].experiment?.has(arm: arm) ?? false
        case .key, .condition, .now, .session, .eventCount, .sinceEvent, .eventSum, .scheduleOpen,
            .payload, .payloadField, nil:
            return true
        }
    }

    private func isNotLess(_ value: Value?, than former: Value?) -> Bool {
        guard case .int(let count)? = value, case .int(let before)? = former else { return true }
        return count >= before
    }

    private func has(_ popup: PopupIndex, action: String) -> Bool {
        question.rules.actions(of: question.rules.popups[popup]).contains { $0.name == action }
    }

    /// Returns false if a popup has shown as often as its lifetime cap allows.
    private func mayShowAgain(_ popup: PopupIndex) -> Bool {
        let rule = question.rules.popups[popup]
        guard rule.isEnabled else { return false }
        guard let most = rule.caps.lifetime else { return true }
        return (simulation.scheduler.history.popups[rule.id]?.shownCount ?? 0) < most
    }

    /// Returns true if a popup can end for a reason.
    private func canEnd(_ popup: PopupIndex, as value: Value?, after former: Value?) -> Bool {
        guard case .string(let text)? = value else { return former == nil }
        guard mayShowAgain(popup), let reason = ReasonCode(rawValue: text) else { return false }
        let rule = question.rules.popups[popup]
        if reason == .userClosed { return true }
        if reason == .acted { return !question.rules.actions(of: rule).isEmpty }
        if reason == .timedOut { return rule.timing.hideAfter != nil }
        if reason == .dismissCondition { return rule.dismissWhen != nil }
        // Only a condition that names a rarer reason requires it.
        return demand.conditions.contains { $0.expression.description.contains("\"\(text)\"") }
    }

    private func isOfEvents(_ meaning: SlotMeaning?) -> Bool {
        switch meaning {
        case .eventCount, .lastEvent, .sinceEvent, .eventSum: true
        case .session, .shownCount, .lastShown, .lastReason, .variant, .exposedCount, .lastAction,
            .closedCount, .converted, .acted, .lastActed, .key, .condition, .now, .scheduleOpen,
            .payload, .payloadField, nil:
            false
        }
    }

    private func entries(where isWanted: (SlotMeaning?) -> Bool) -> [SlotTable.Entry] {
        logic.readEntries.filter { isWanted(meanings[$0]) }
    }

    /// True if only values that the app can change, and the time, decide: earlier simulated steps
    /// may change everything else.
    private var isOfOneMoment: Bool {
        question.after == .zero && base.context.isEmpty
            && logic.readEntries.allSatisfy {
                meanings[$0] == .now || isInContext(meanings[$0])
            }
    }

    private func isInContext(_ meaning: SlotMeaning?) -> Bool {
        switch meaning {
        case .key(let key)?: base.context[question.rules.keys[key].name] == nil
        case .payloadField(let event, _)?: question.rules.events[event].name == question.event
        case .condition, .now, .session, .shownCount, .lastShown, .lastReason, .variant,
            .exposedCount, .lastAction, .closedCount, .converted, .acted, .lastActed, .eventCount,
            .lastEvent, .sinceEvent, .eventSum, .scheduleOpen, .payload, nil:
            false
        }
    }

    private func isInPast(_ meaning: SlotMeaning?) -> Bool {
        switch meaning {
        case .session, .shownCount, .lastShown, .lastReason, .variant, .exposedCount, .lastAction,
            .closedCount, .converted, .acted, .lastActed, .eventCount, .lastEvent, .sinceEvent,
            .eventSum:
            true
        case .key, .condition, .now, .scheduleOpen, .payload, .payloadField, nil: false
        }
    }
}

extension Change {
    /// Returns the values that the app has to set; nil if it can't set one of them.
    fileprivate func context(
        _ rules: RuleSet, _ meanings: [SlotTable.Entry: SlotMeaning], base: ContextChange
    ) -> ContextChange? {
        var context = base
        for fact in changed {
            switch meanings[fact.entry] {
            case .key(let key)?:
                let rule = rules.keys[key]
                if let value = fact.value, rule.refusal(of: value) != nil { return nil }
                context.context.updateValue(fact.value, forKey: rule.name)
            case .payloadField(let event, let field)?:
                guard let value = fact.value else { return nil }
                context.payload[rules.events[event].fields[field].name] = value
            case .condition, .now, .session, .shownCount, .lastShown, .lastReason, .variant,
                .exposedCount, .lastAction, .closedCount, .converted, .acted, .lastActed,
                .eventCount, .lastEvent, .sinceEvent, .eventSum, .scheduleOpen, .payload, nil:
                return nil
            }
        }
        return context
    }
}

extension ReasonCode {
    /// True if the reason can depend on the values that conditions read, or on the user's identity.
    fileprivate var isAboutConditions: Bool {
        switch kind {
        case .condition: true
        case .ruledOut: self == .notInRollout
        case .held, .barred, .capped, .ready, .absent, .endedUnseen, .ended: false
        }
    }
}

extension Rollout {
    /// Returns a change to another user who is in the rollout; empty if the user is already in it,
    /// or if no such user exists.
    fileprivate func change(_ question: ExplainQuery) -> ContextChange {
        let key = question.rules.keys[self.key]
        var change = ContextChange()
        let date = question.start.adding(question.after) ?? question.start
        let own = question.context[key.name] ?? key.defaultValue
        if includes(own, at: date) { return change }
        let user = key.usersToTry.first {
            includes($0, at: date) && key.refusal(of: $0) == nil
        }
        if let user { change.context.updateValue(user, forKey: key.name) }
        return change
    }
}

extension ContextKey {
    /// Values that identify users; a rollout of one percent includes one user in a hundred.
    fileprivate var usersToTry: [Value] {
        if let allowedValues { return allowedValues }
        let numbers = 1...2_000
        switch type {
        case .string: return numbers.map { .string("user-\($0)") }
        case .int: return numbers.map { .int(Int64($0)) }
        case .uint: return numbers.map { .uint(UInt64($0)) }
        case .bool: return [.bool(true), .bool(false)]
        case .dyn, .null, .double, .bytes, .timestamp, .duration, .version, .list, .map, .optional,
            .type, .wrapper, .opaque, .parameter:
            return []
        }
    }
}
