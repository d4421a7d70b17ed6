public import PopCEL

/// Assumed differences from the current values that conditions read.
public struct Supposition: Sendable {
    /// Other values of context keys; nil for a key without a value.
    public var context: [String: Value?]
    /// The name of an event that is being sent, with `payload`.
    public var event: String?
    /// The fields of the event, by name; no effect without `event`.
    public var payload: [String: Value]
    /// The popup to which `schedule.open` applies; without a popup, `schedule.open` has no value.
    public var popup: String?

    /// Creates a supposition in which nothing differs unless it is given.
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
    /// Returns the values that conditions read at a time, or would read under a supposition.
    ///
    /// All slots of the rule set are included. Named conditions and rolling counts are up to date
    /// only if they are in `slots` or those depend on them. Nothing is changed.
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

    /// Returns true if the schedule of a popup would be open if conditions read these values; nil
    /// if there is no such popup.
    private func isOpen(_ id: String, at now: Moment, under conditions: Conditions) -> Bool? {
        guard let popup = catalog.place(of: id) else { return nil }
        var copy = self
        copy.now = now
        copy.conditions = conditions
        return copy.openings(of: catalog.popups[popup].timing.schedule).isOpen
    }
}
