public import PopScheduler

/// Something that an engine tells its app, its logs and its metrics.
public struct EngineEvent: Sendable {
    /// What an event tells, and what it is about.
    public enum Kind: Sendable {
        /// The life of a task, or a call that was refused.
        case scheduler(HostEvent)
        /// A call was taken although it does not fit the rules; each remark is told once.
        case remark(CallRemark)
        /// The history could not be read or written, or its store does not answer: popups go on
        /// from memory until it is restored. A history that was damaged has begun anew. What the
        /// store threw, or that it is silent.
        case historyUnavailable(any Error)
        /// The history was written again, and what was kept in memory with it.
        case historyRestored
        /// So many records were given up, because the store took none for too long.
        case historyLost(records: Int)
        /// The store still holds so many users who were to be forgotten, and it isn't asked again:
        /// too many removals waited for it, or the engine has stopped. Forget them once more.
        case removalsLost(users: Int)
        /// So many events were left out here, because the observer or the store is slower than the
        /// calls; the numbers of the events have a hole of that size.
        case eventsLeftOut(Int)
        /// The main actor has not answered since that moment: the app does not run its main queue,
        /// or something blocks it. No popup can show until it does.
        case mainActorBlocked(since: Moment)
        /// The main actor answers again.
        case mainActorFree
        /// Rules were found to be wrong and the last good ones go on; what is wrong with them.
        case rulesRefused(message: String)
        /// Other rules are in force.
        case rulesReloaded
    }

    /// Counts the events of an engine from 1. A subscriber that was too slow sees a hole.
    public let number: UInt64
    /// When it was told.
    public let moment: Moment
    /// What happened.
    public let kind: Kind
}

extension EngineEvent {
    /// The id of the popup that the event is about.
    public var popup: String? {
        if case .scheduler(let event) = kind { event.popup } else { nil }
    }
}
