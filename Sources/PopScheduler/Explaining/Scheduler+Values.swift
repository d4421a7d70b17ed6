public import PopCEL

/// How the values that conditions read differ from those at hand.
public struct Supposition: Sendable {
    /// Context keys and other values for them; nil for a key that has none.
    public var context: [String: Value?]
    /// An event that is just being sent, and its payload.
    public var event: String?
    /// The fields of the event, by name; of no effect without `event`.
    public var payload: [String: Value]
    /// The popup whose schedule `schedule.open` is about; without one it has no value.
    public var popup: String?

    /// Nothing differs unless it is given.
    public init(
        context: [String: Value?] = [:], event: String? = nil, payload: [String: Value] = [:],
        popup: String? = nil
    ) {
        self.popup = popup
        self.context = context
        self.event = event
        self.payload = payload
    }
}

extension Scheduler {
    /// What conditions read at a moment, or would read if something were otherwise.
    ///
    /// All slots of the rule set are there; of named conditions and rolling counts those that
    /// `slots` names, and what these hang on, are up to date. Nothing is changed.
    public func slotValues(
        _ slots: [SlotIndex], at now: Moment, supposing supposition: Supposition = Supposition()
    ) -> SlotValues {
        var conditions = conditions
        conditions.setNow(now.date)
        var changed: [SlotIndex] = []
        for (name, value) in supposition.context {
            guard let key = catalog.triggers.keys[name] else { continue }
            conditions.set(key.index, at: key.slot, to: value)
            changed.append(key.slot)
        }
        if let event = supposition.event, let index = catalog.triggers.events[event] {
            conditions.setPayload(supposition.payload, of: index)
        }
        conditions.makeStale(changed)
        if conditions.scheduleSlot != nil {
            conditions.setScheduleOpen(
                supposition.popup.flatMap { isOpen($0, at: now, under: conditions) })
        }
        return conditions.values(with: slots, events: memory.history.events)
    }

    /// Whether the schedule of a popup would be open if conditions read these values; nil when
    /// there is no such popup.
    private func isOpen(_ id: String, at now: Moment, under conditions: Conditions) -> Bool? {
        guard let popup = catalog.place(of: id) else { return nil }
        var copy = self
        copy.now = now
        copy.conditions = conditions
        return copy.openings(of: catalog.popups[popup].timing.schedule).isOpen
    }
}
