internal import PopCEL

/// The last event that fired a trigger of a popup and was not let pass, with the values that its
/// `where` read at that time: the payload is gone when the explanation is requested.
struct FilteredEvent: Sendable {
    let filter: TriggerFilter
    /// Nil when the trigger has no `where`.
    let program: Program?
    /// The values of `program.slots`, in their order.
    let values: [SlotValue]
}

/// The reason why the last event that fired a trigger of a popup made no task.
struct FilteredTrigger: Sendable {
    let reason: ReasonCode
    /// Nil if that happened under former rules.
    let event: FilteredEvent?
}
