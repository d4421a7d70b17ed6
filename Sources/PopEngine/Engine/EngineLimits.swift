/// What one engine may keep and how long it waits, so that nothing grows without end or stands
/// still in silence.
public struct EngineLimits: Sendable, Hashable {
    /// Events and calls of the presenter that wait for a slow observer, store or main actor. Of
    /// more the events are left out that say nothing of a popup on the screen, and that is told.
    public var waitingWork = 10_000
    /// Records that wait for a store that is slow or fails; the oldest are given up first, and that
    /// is told.
    public var unsavedRecords = 10_000
    /// The number of records between two prunings of a store, which remove the dates that no rule
    /// needs anymore. A store is also pruned when rules come into force.
    public var recordsBetweenPrunings = 4_000
    /// Users whose removal waits for a store that fails; `forget` of one more throws
    /// `TooManyRemovals`, which is reported as an event too.
    public var unsavedRemovals = 10_000
    /// Calls that wait while rules are loaded or the user is switched; who calls beyond them waits
    /// until that is done.
    public var waitingCalls = 10_000
    /// How long a store that failed is left alone: one that makes each call wait must not hold up
    /// every popup.
    public var storePause = Duration.seconds(5)
    /// How many users who were left are kept in memory; of others the store is asked again.
    public var formerUsers = 32
    /// How long the main actor and the store may leave a question unanswered, and the app the
    /// engine without `start`, before that is told. Popups then go on without the store, and a user
    /// whom it is silent about begins with an empty history.
    public var silence = Duration.seconds(10)
    /// The least time for which an answer `postpone` puts a popup off, be it zero or negative:
    /// asked again at once, one popup would keep all others of its scheduler from showing.
    public var shortestPostponement = Duration.milliseconds(100)
    /// How deep lists and maps may stand inside each other, in the context and in payloads.
    public var valueDepth = 64
    /// How often a change of the context is made again because something else changed it meanwhile.
    public var contextAttempts = 1_000
    /// How many inputs of the scheduler a recording keeps; of more it says how many there were.
    public var recordedInputs = 10_000
    /// How many different remarks on calls are told; the same one is told once.
    public var remarks = 1_000

    /// The standard limits, to change one by one.
    public init() {}

    /// What an engine is held to unless its options say otherwise.
    public static let standard = EngineLimits()
}
