/// What a popup is to bring about: an event that the app sends after the user was exposed to it.
public struct Goal: Sendable, Equatable {
    /// For how long a popup ends for a user once an event matched its goal.
    public enum Ending: Sendable, Hashable {
        /// It never comes again.
        case forGood
        /// It stays away for this long, by the calendar.
        case pause(Duration)
    }

    /// Unique among the goals of the popup.
    public var name: String
    /// The event that is sent.
    public var event: EventIndex
    /// Lets an event match when it is true; it may read `event`. Nil lets every event match.
    public var `where`: Condition?
    /// For how long after an exposure an event converts it, its last moment included.
    public var within: Duration
    /// What a matching event does to the popup, whether it converts an exposure or not; nil for
    /// nothing.
    public var ends: Ending?

    /// A goal that every event of a kind matches and that ends nothing, unless more is given.
    public init(
        _ name: String, event: EventIndex, where condition: Condition? = nil, within: Duration,
        ends: Ending? = nil
    ) {
        self.name = name
        self.event = event
        self.where = condition
        self.within = within
        self.ends = ends
    }
}
