public import PopScheduler

/// An event that an engine reports to its app, its logs and its metrics.
public struct EngineEvent: Sendable {
    /// The kind of an event, with its details.
    public enum Kind: Sendable {
        /// The life of a task, or a call that was refused.
        case scheduler(HostEvent)
        /// A call was accepted although it doesn't fit the rules; each remark is reported once.
        case remark(CallRemark)
        /// The history could not be read or written, or its store doesn't answer: popups continue
        /// from memory until it is restored. A damaged history has been started from scratch. The
        /// value is the error that the store threw, or the error for its silence.
        case historyUnavailable(any Error)
        /// The history was written again, and what was kept in memory with it.
        case historyRestored
        /// So many records were given up, because the store took none for too long.
        case historyLost(records: Int)
        /// The store still holds this number of users who were to be forgotten, and the removals
        /// aren't retried: too many removals waited for the store, or the engine has stopped.
        /// Forget the users once more.
        case removalsLost(users: Int)
        /// So many events were left out here, because the observer or the store is slower than the
        /// calls; the numbers of the events have a hole of that size.
        case eventsLeftOut(Int)
        /// The main actor has not answered since that moment: the app does not run its main queue,
        /// or something blocks it. No popup can show until it does.
        case mainActorBlocked(since: Moment)
        /// The main actor answers again.
        case mainActorFree
        /// Rules were found to be wrong, and the last good ones stay in force; the message
        /// describes the error.
        case rulesRefused(message: String)
        /// Other rules are in force.
        case rulesReloaded
    }

    /// Counts the events of an engine from 1. A subscriber that was too slow sees a hole.
    public let number: UInt64
    /// The moment at which the event was reported.
    public let moment: Moment
    /// The kind of the event.
    public let kind: Kind
}

extension EngineEvent {
    /// The id of the popup that the event is about.
    public var popup: String? {
        if case .scheduler(let event) = kind { event.popup } else { nil }
    }
}
