/// The limits of what one engine may keep and how long it waits, so that nothing grows without
/// bound or hangs silently.
public struct EngineLimits: Sendable, Hashable {
    /// The maximum number of events and presenter calls that wait for a slow observer, store or
    /// main actor. Beyond it, events that don't concern a popup on the screen are left out, and
    /// that is reported.
    public var waitingWork = 10_000
    /// The maximum number of records that wait for a store that is slow or fails; the oldest are
    /// given up first, and that is reported.
    public var unsavedRecords = 10_000
    /// The number of records between two prunings of a store, which remove the dates that no rule
    /// needs anymore. A store is also pruned when rules come into force.
    public var recordsBetweenPrunings = 4_000
    /// Users whose removal waits for a store that fails; `forget` of one more throws
    /// `TooManyRemovals`, which is reported as an event too.
    public var unsavedRemovals = 10_000
    /// The maximum number of calls that wait while rules are loaded or the user is switched;
    /// further callers are blocked until that is done.
    public var waitingCalls = 10_000
    /// The pause after a failure of the store in which it isn't called: a store whose calls are
    /// slow must not delay every popup.
    public var storePause = Duration.seconds(5)
    /// The number of former users who are kept in memory; the histories of others are read from the
    /// store again.
    public var formerUsers = 32
    /// The time that the main actor and the store have to answer a question, and the app to call
    /// `start`, before a problem is reported. Popups then continue without the store, and if it
    /// doesn't answer for a user, the user begins with an empty history.
    public var silence = Duration.seconds(10)
    /// The least time by which an answer `postpone` delays a popup, even if it is zero or negative:
    /// if it were asked again immediately, one popup would block all others of its scheduler.
    public var shortestPostponement = Duration.milliseconds(100)
    /// The maximum nesting depth of lists and maps, in the context and in payloads.
    public var valueDepth = 64
    /// The maximum number of times that a change of the context is retried because of a concurrent
    /// change.
    public var contextAttempts = 1_000
    /// The maximum number of scheduler inputs that a recording keeps; it counts the others.
    public var recordedInputs = 10_000
    /// The maximum number of different remarks on calls that are reported; each is reported once.
    public var remarks = 1_000

    /// The standard limits, to change one by one.
    public init() {}

    /// The limits of an engine unless its options set others.
    public static let standard = EngineLimits()
}
