internal import PopCEL

/// The last event that fired a trigger of a popup and was not let pass, with what the `where` read
/// at that moment: the payload is gone by the time somebody asks.
struct FilteredEvent: Sendable {
    let filter: TriggerFilter
    /// Nil when the trigger has no `where`.
    let program: Program?
    /// The values of `program.slots`, in their order.
    let values: [SlotValue]
}

/// Why the last event that fired a trigger of a popup made no task.
struct FilteredTrigger: Sendable {
    let reason: ReasonCode
    /// Nil when that happened under former rules.
    let event: FilteredEvent?
}
