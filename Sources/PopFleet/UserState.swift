public import PopCEL
public import PopScheduler

/// The state with which a user's replay continues on another day.
public struct UserState: Sendable, Hashable {
    /// The user's history.
    public var history = History()
    /// The values of context keys that the log has set.
    public var context: [String: Value] = [:]
    /// The events of a session that is not over.
    public var open: [LogEvent] = []
    /// The week of the last event, by the day with which it began; nil before the first.
    public var week: Int?
    /// The number of impressions in that week.
    public var shownInWeek = 0
    /// The day of the last event, counted from 1970-01-01; nil before the first.
    public var day: Int?

    /// Creates the state of a new user.
    public init() {}

    /// Returns true if an event is from before the end of a session that is over.
    package func isOver(_ event: LogEvent) -> Bool {
        history.sessions.left.map { Timestamp(nanoseconds: event.time) < $0 } ?? false
    }

    /// Sets the context values that all users begin with, and the user's ID.
    mutating func beginContext(of user: String, rules: ReplayRules) {
        // Later a key without a value is one that the log has cleared.
        if day == nil { context.merge(rules.given) { known, _ in known } }
        for key in rules.userKeys { context[key] = .string(user) }
    }
}
