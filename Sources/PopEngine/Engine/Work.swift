internal import PopScheduler

/// Work of the stage, in this order.
enum Work: Sendable {
    /// Perform what the scheduler decided at that moment; its records are kept before.
    case perform([Effect], Moment)
    /// Send an event that the scheduler doesn't know about.
    case tell(EngineEvent.Kind, Moment)
    /// Report the number of events that were left out here.
    case tellLeftOut(Int, Moment)
    /// Forget history that the rules can't ask for any more.
    case prune(HistoryRetention)
    /// Ask the conditions of foreign popups again.
    case askForeign
    /// Send popup statuses to their subscribers.
    case tellStatuses
    /// Have the presenter show the newest content.
    case updateContent(PresentationID)
    /// Say what kept the store from taking everything.
    case flush(CheckedContinuation<(any Error)?, Never>)
    /// Begin to read what is kept of a user.
    case read(String, CheckedContinuation<LoadedHistory, Never>)
    /// Take what was read.
    case wasRead(Int, LoadedHistory)
    /// Go on with a store that has answered after all.
    case storeAnswered
    /// Erase what is kept of a user.
    case forget(String, CheckedContinuation<(any Error)?, Never>)
    /// Erase what is kept of a popup and a user.
    case forgetPopup(String, user: String, CheckedContinuation<(any Error)?, Never>)
}
