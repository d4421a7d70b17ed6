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
                let message = "expected \(field.type), found \(value.type)"
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
