public import PopCEL
public import PopScheduler

/// All that a user's replay goes on with on another day.
public struct UserState: Sendable, Hashable {
    /// What she has seen and done.
    public var history = History()
    /// The values of context keys that the log has set.
    public var context: [String: Value] = [:]
    /// The events of a session that is not over.
    public var open: [LogEvent] = []
    /// The week of the last event, by the day with which it began; nil before the first.
    public var week: Int?
    /// How many impressions there were in it.
    public var shownInWeek = 0
    /// The day of the last event, counted from 1970-01-01; nil before the first.
    public var day: Int?

    /// A user of whom nothing is known.
    public init() {}

    /// Whether an event is from before the end of a session that is over.
    package func isOver(_ event: LogEvent) -> Bool {
        history.sessions.left.map { Timestamp(nanoseconds: event.time) < $0 } ?? false
    }

    /// What everybody begins with, and who it is.
    mutating func beginContext(of user: String, rules: ReplayRules) {
        // Later a key without a value is one that the log has cleared.
        if day == nil { context.merge(rules.given) { known, _ in known } }
        for key in rules.userKeys { context[key] = .string(user) }
    }
}
