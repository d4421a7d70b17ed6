internal import PopScheduler

/// What the stage has to do, in this order.
enum Work: Sendable {
    /// Perform what the scheduler decided at that moment.
    case perform([Effect], Moment)
    /// Tell something that the scheduler does not know of.
    case tell(EngineEvent.Kind, Moment)
    /// Forget what the rules can no longer ask for.
    case prune(HistoryRetention)
    /// Ask the conditions of foreign popups again.
    case askForeign
}
