/// The goal of a popup: an event that the app sends after the user was exposed to the popup.
public struct Goal: Sendable, Equatable {
    /// The time for which a popup ends for a user once an event matched its goal.
    public enum Ending: Sendable, Hashable {
        /// It never comes again.
        case forGood
        /// It is suppressed for this long, by the calendar.
        case pause(Duration)
    }

    /// Unique among the goals of the popup.
    public var name: String
    /// The event that is sent.
    public var event: EventIndex
    /// Lets an event match when it is true; it may read `event`. Nil lets every event match.
    public var `where`: Condition?
    /// The time after an exposure within which an event converts it, its last instant included.
    public var within: Duration
    /// The effect of a matching event on the popup, even if the event converts no exposure; nil for
    /// no effect.
    public var ends: Ending?

    /// Creates a goal that every event of a kind matches and that ends nothing, unless more is
    /// given.
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
