internal import PopCEL

extension Scheduler {
    mutating func send(_ name: String, payload: [String: Value]) {
        guard let event = catalog.triggers.events[name] else {
            guard catalog.triggers.countedEvents.contains(name) else {
                return emit(.rejected(.unknownEvent(name)))
            }
            return count(name, payload: [:])
        }
        guard let payload = checked(payload, of: catalog.rules.events[event]) else { return }
        count(name, payload: payload)
        conditions.setPayload(payload, of: event)
        if !catalog.triggers.goals.isEmpty { reachGoals(by: event) }
        for (popup, triggers) in catalog.triggers.event[event] ?? [] {
            // Every trigger is checked, so that each counts its occurrences.
            let causes = triggers.map { ($0, cause(against: popup, $0)) }
            let refusals = causes.compactMap { trigger, cause in cause.map { (trigger, $0) } }
            // A counting trigger is nearer to letting an event pass.
            let nearest = refusals.first { $0.1.reason == .triggerCounting } ?? refusals.first
            if let nearest, refusals.count == causes.count {
                filter(popup, event: filteredEvent(nearest.0.trigger, cause: nearest.1))
            } else {
                fire(popup, payload: payload)
            }
        }
        conditions.setPayload([:], of: event)
    }

    private mutating func count(_ name: String, payload: [String: Value]) {
        var amounts: [String: Value] = [:]
        if !catalog.triggers.summedFields.isEmpty,
            let fields = catalog.triggers.summedFields[name]
        {
            amounts = payload.amounts(of: fields)
        }
        record(.event(name: name, date: now.date, amounts: amounts))
        changed(slots: conditions.refill(event: name, from: memory.history))
    }

    /// Returns the payload with every declared field as its type. If a field doesn't fit, reports
    /// it and returns nil.
    private mutating func checked(
        _ payload: [String: Value], of event: EventRule
    ) -> [String: Value]? {
        var result = payload
        for field in event.fields {
            guard let value = payload[field.name] else { continue }
            guard let fitting = value.fitting(field.type) else {
                let message = field.type.mismatch(value)
                emit(.rejected(.badPayload(event: event.name, field: field.name, message: message)))
                return nil
            }
            result[field.name] = fitting
        }
        return result
    }

    /// Returns the reason why an event doesn't pass the `where` of a trigger or isn't the
    /// occurrence that its `nth` or `every` requires; nil if it passes.
    private mutating func cause(
        against popup: PopupIndex, _ trigger: TriggerIndex.OnEvent
    ) -> TriggerFilter.Cause? {
        if let condition = trigger.trigger.where {
            switch truth(of: condition).truth {
            case .yes: break
            case .no: return .whereFalse
            case .error(let error):
                emit(.conditionError(popup: catalog.popups[popup].id, .where, error))
                return .whereError(error)
            }
        }
        let wanted = trigger.trigger.occurrence
        guard wanted != .any else { return nil }
        let number = occurrence(of: trigger)
        return wanted.includes(number) ? nil : .occurrence(number)
    }

    private func filteredEvent(
        _ trigger: EventTrigger, cause: TriggerFilter.Cause
    ) -> FilteredEvent {
        let event = catalog.rules.events[trigger.event].name
        let program = trigger.where?.program
        return FilteredEvent(
            filter: TriggerFilter(event: event, date: now.date, cause: cause), program: program,
            values: program.map(conditions.values) ?? [])
    }

    /// Returns the number of this event among those that pass. Without `where` all events pass, so
    /// their own count is used.
    private mutating func occurrence(of trigger: TriggerIndex.OnEvent) -> Int {
        guard let counter = trigger.counter else {
            return memory.history.events[catalog.rules.events[trigger.trigger.event].name]?.count
                ?? 0
        }
        let count = (memory.history.occurrences[counter] ?? 0) + 1
        record(.occurrence(trigger: counter, count: count))
        return count
    }
}

extension EventTrigger.Occurrence {
    fileprivate func includes(_ number: Int) -> Bool {
        switch self {
        case .any: true
        case .nth(let wanted): number == wanted
        case .every(let wanted): number.isMultiple(of: wanted)
        }
    }
}

extension Scheduler {
    mutating func fire(_ popups: [PopupIndex]) {
        // Each event has one effect.
        effects.makeRoom(for: popups.count)
        for popup in popups {
            fire(popup)
            examineAhead(popup)
        }
    }

    mutating func enqueue(_ id: String) {
        guard let popup = catalog.place(of: id) else { return emit(.rejected(.unknownPopup(id))) }
        fire(popup)
    }

    /// Fires a trigger of a popup, with the payload if an event fired it.
    mutating func fire(_ popup: PopupIndex, payload: [String: Value]? = nil) {
        if let live = liveTask(popup) {
            emit(remember(popup, payload: payload) ? .remembered(live) : .coalesced(live))
        } else if let reason = reasonAgainst(popup) {
            refuse(popup, for: reason)
        } else {
            make(popup, payload: payload)
        }
    }

    /// Reports a trigger that made no task. If the popup is for other users, that stays the reason
    /// even if the user becomes one of them: the trigger doesn't fire again for that.
    private mutating func refuse(_ popup: PopupIndex, for reason: ReasonCode) {
        let id = catalog.traits[popup].id
        if reason == .notInRollout || reason == .heldOut {
            outcomes.note(FilteredTrigger(reason: reason, event: nil), of: id)
        }
        emit(.notMade(popup: id, reason))
    }

    /// Reports an event that a trigger of a popup didn't let pass.
    mutating func filter(_ popup: PopupIndex, event: FilteredEvent) {
        let id = catalog.traits[popup].id
        let reason = event.filter.cause.reason
        guard liveTask(popup) == nil else { return emit(.notMade(popup: id, reason)) }
        if let other = reasonAgainst(popup) { return refuse(popup, for: other) }
        outcomes.note(FilteredTrigger(reason: reason, event: event), of: id)
        emit(.notMade(popup: id, reason))
    }

    /// Returns the live task of a popup, waiting or on screen.
    ///
    /// Inlined: for a call from a mutating function, the compiler would copy the whole scheduler.
    @inline(__always)
    func liveTask(_ popup: PopupIndex) -> TaskID? {
        if queues.tasks.isLive(popup) { return taskID(popup) }
        guard let lane = lanes.showing(catalog.traits[popup].id) else { return nil }
        return lanes[lane].screen.subject?.presentation.task
    }

    /// Returns the reason why a task of a popup could never show; nil if it could.
    func reasonAgainst(_ popup: PopupIndex) -> ReasonCode? {
        if catalog.traits[popup].isPlain { return isHeldOut(popup) ? .heldOut : nil }
        if catalog.isDisabled(popup) { return .disabled }
        if let rollout = catalog.popups[popup].audience.rollout,
            !rollout.includes(conditions.value(ofKey: rollout.key), at: now.date)
        {
            return .notInRollout
        }
        if isExpired(popup) { return .expired }
        if let caps = catalog.popups[popup].capsIfAny {
            if let most = caps.lifetime, memory.history.countedEver(popup) >= most {
                return .lifetimeCap
            }
            if let most = caps.closes, caps.closesPer == nil,
                memory.history.closedCount(popup) >= most
            {
                return .closedTooOften
            }
        }
        if isEndedByGoal(popup) { return .goalReached }
        return isHeldOut(popup) ? .heldOut : nil
    }

    /// Returns true if the user sees only essential popups, and this popup isn't essential. Popups
    /// that aren't in the rules are up to the host.
    private func isHeldOut(_ popup: PopupIndex) -> Bool {
        guard catalog.hasHoldout, let holdout = catalog.rules.holdout,
            catalog.isRuled(popup), !catalog.popups[popup].isEssential
        else { return false }
        return holdout.includes(conditions.value(ofKey: holdout.key))
    }

    /// Returns the number of the draw that determines the delay of a new task; nil if nothing is
    /// drawn.
    private mutating func drawDelay(of popup: PopupIndex) -> Int? {
        if catalog.traits[popup].isPlain { return nil }
        let bounds = catalog.popups[popup].timing.delay
        if bounds.lowerBound == bounds.upperBound { return nil }
        return draws.nextNumber(.delay, of: catalog.traits[popup].id)
    }

    private mutating func make(_ popup: PopupIndex, payload: [String: Value]?) {
        outcomes.taskMade(of: catalog.traits[popup].id)
        let number = queues.nextNumber()
        var claim = LiveTask.Claim(made: now.instant)
        claim.delay = drawDelay(of: popup)
        if catalog.traits[popup].needs.contains(.payload), let payload {
            payloads[number] = payload
        }
        admit(LiveTask(number: number, claim), of: popup)
        emit(.queued(taskID(popup)))
    }
}

/// A trigger that fired while its popup was leaving the screen.
struct RememberedTrigger: Sendable {
    /// The payload of the event, if the content of the popup names it.
    var payload: [String: Value]?
}

// Triggers that fire while their popup leaves permanently. Each is tried when the popup is gone,
// with the caps at that time: `queued` or `notMade` reports the result.
extension Scheduler {
    /// Remembers a trigger of a popup that is leaving. Returns true if it did: one trigger per
    /// popup is enough.
    mutating func remember(_ popup: PopupIndex, payload: [String: Value]?) -> Bool {
        let id = catalog.traits[popup].id
        guard !queues.tasks.isLive(popup), let lane = lanes.showing(id),
            lanes[lane].screen.isLeavingForGood, remembered[id] == nil
        else { return false }
        let isNeeded = catalog.traits[popup].needs.contains(.payload)
        remembered[id] = RememberedTrigger(payload: isNeeded ? payload : nil)
        return true
    }

    /// Tries the trigger that was remembered for a popup that is gone now. A popup that gave way to
    /// another one isn't shown again for it.
    mutating func tryRemembered(after occupant: Screen.Occupant) {
        if remembered.isEmpty || occupant.isDetached { return }
        let id = occupant.popup.id
        guard let trigger = remembered.removeValue(forKey: id) else { return }
        guard let popup = catalog.place(of: id) else {
            return emit(.notMade(popup: id, .removedByReload))
        }
        if occupant.leaving?.isSwitch == true {
            emit(.notMade(popup: id, .preempted))
        } else {
            fire(popup, payload: trigger.payload)
        }
        if !queues.tasks.isLive(popup) { vacate(popup) }
    }

    /// Drops the trigger that was remembered for the popup on a screen.
    mutating func forgetRemembered(on lane: LaneIndex, for reason: ReasonCode) {
        if remembered.isEmpty { return }
        guard let occupant = lanes[lane].screen.occupant, !occupant.isDetached,
            remembered.removeValue(forKey: occupant.popup.id) != nil
        else { return }
        emit(.notMade(popup: occupant.popup.id, reason))
    }
}

// The goals of popups. Nothing of this applies to popups without goals.
extension Scheduler {
    /// Handles an event that may match goals of popups.
    mutating func reachGoals(by event: EventIndex) {
        for popup in catalog.triggers.goals[event] ?? [] {
            for goal in catalog.popups[popup].goals
            where goal.event == event && isMatched(goal, of: popup) {
                reach(goal, of: popup)
            }
        }
    }

    private mutating func isMatched(_ goal: Goal, of popup: PopupIndex) -> Bool {
        guard let condition = goal.where else { return true }
        switch truth(of: condition).truth {
        case .yes: return true
        case .no: return false
        case .error(let error):
            emit(.conditionError(popup: catalog.traits[popup].id, .goalWhere, error))
            return false
        }
    }

    /// Converts the latest exposure that is open under the goal, whatever has happened to its popup
    /// since, and possibly ends a waiting task.
    private mutating func reach(_ goal: Goal, of popup: PopupIndex) {
        let exposure = openExposure(goal, of: popup)
        if exposure == nil, goal.ends == nil { return }
        let id = catalog.traits[popup].id
        record(
            .goalMatched(popup: id, goal: goal.name, date: now.date, exposure: exposure?.date),
            at: popup)
        if let exposure {
            historyChanged(popup)
            emit(.converted(popup: id, goal: goal.name, variant: exposure.variant))
        }
        if goal.ends != nil { discard(popup, for: .goalReached) }
    }

    private func openExposure(_ goal: Goal, of popup: PopupIndex) -> History.Popup.GoalExposure? {
        guard let past = memory.history[popup], let exposure = past.latestExposure,
            now.date <= exposure.date.advanced(by: goal.within)
        else { return nil }
        let isOpen = past.goals[goal.name]?.converted.map { $0 < exposure.date } ?? true
        return isOpen ? exposure : nil
    }

    /// Returns true if a goal has ended a popup for the user, permanently or for now.
    func isEndedByGoal(_ popup: PopupIndex) -> Bool {
        if catalog.triggers.goals.isEmpty { return false }
        for goal in catalog.popups[popup].goals {
            guard let ends = goal.ends, let past = memory.history.goal(goal.name, of: popup) else {
                continue
            }
            switch ends {
            case .forGood: return true
            case .pause(let duration):
                if past.last.advanced(by: duration) > now.date { return true }
            }
        }
        return false
    }
}

extension Scheduler {
    /// Applies all changes or none.
    mutating func update(_ values: [String: Value], unset: [String]) {
        // One value is by far the usual case, and needs no list of changes.
        if values.count == 1, unset.isEmpty, let (name, value) = values.first {
            do throws(Refusal) {
                take(try check(name, value: value))
            } catch {
                emit(.rejected(error.rejection))
            }
        } else {
            updateTogether(values, unset: unset)
        }
    }

    private mutating func updateTogether(_ values: [String: Value], unset: [String]) {
        var changes: [Change] = []
        var rejections: [Rejection] = []
        let sets = values.sorted { $0.key < $1.key }.map { ($0.key, Value?.some($0.value)) }
        let unsets = unset.sorted().filter { values[$0] == nil }.map { ($0, Value?.none) }
        for (name, value) in sets + unsets {
            do throws(Refusal) {
                changes.append(try check(name, value: value))
            } catch {
                rejections.append(error.rejection)
            }
        }
        guard rejections.isEmpty else {
            for rejection in rejections { emit(.rejected(rejection)) }
            return
        }
        take(changes)
    }

    private struct Change {
        var key: KeyIndex
        var slot: SlotIndex
        var value: Value?
    }

    private struct Refusal: Error { var rejection: Rejection }

    private func check(_ name: String, value: Value?) throws(Refusal) -> Change {
        guard let key = catalog.triggers.keys[name] else {
            throw Refusal(rejection: .unknownKey(name))
        }
        guard let value, key.unboundType?.takes(value) != true else {
            return Change(key: key.index, slot: key.slot, value: value)
        }
        switch catalog.rules.keys[key.index].check(value) {
        case .success(let fitting):
            return Change(key: key.index, slot: key.slot, value: fitting)
        case .failure(let problem):
            throw Refusal(rejection: .badValue(key: name, message: problem.message))
        }
    }

    private mutating func take(_ change: Change) {
        guard set(change) else { return }
        changed(slot: change.slot)
        keyChanged(change.key)
        if hasStarted, let fired = catalog.triggers.changed[change.key] {
            for popup in fired { fire(popup) }
        }
    }

    private mutating func take(_ changes: [Change]) {
        var slots: [SlotIndex] = []
        var popups: Set<PopupIndex> = []
        for change in changes where set(change) {
            slots.append(change.slot)
            if hasStarted, let fired = catalog.triggers.changed[change.key] {
                popups.formUnion(fired)
            }
        }
        changed(slots: slots)
        for change in changes { keyChanged(change.key) }
        for popup in popups.sorted() { fire(popup) }
    }

    /// Applies a change. Returns true if the value of the key changed.
    private mutating func set(_ change: Change) -> Bool {
        conditions.set(change.key, at: change.slot, to: change.value)
    }
}
