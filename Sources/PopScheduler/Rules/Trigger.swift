/// The cause that makes a task of a popup.
public enum Trigger: Sendable {
    /// A start, a session or a call of `enqueue`.
    case occasion(Occasion)
    /// The app sends the event.
    case event(EventTrigger)
    /// The value of a context key changes.
    case changed(key: KeyIndex)
    /// The user uses an action of another popup, or closes it, which is the action `close`.
    case acted(popup: PopupIndex, action: String)

    /// A trigger without a name of its own; the raw values are the words in rule files and bundles.
    public enum Occasion: String, Sendable, Hashable, CaseIterable {
        /// The engine starts, the user is switched, or the popup is new after a reload.
        case start
        /// A session begins: with the engine, or later.
        case session
        /// Only `enqueue`.
        case manual
    }

    /// The engine starts, the user is switched, or the popup is new after a reload.
    public static var start: Trigger { .occasion(.start) }
    /// A session begins: with the engine, or later.
    public static var session: Trigger { .occasion(.session) }
    /// Only `enqueue`.
    public static var manual: Trigger { .occasion(.manual) }
}

extension Trigger.Occasion {
    /// True if the start of the app fires the trigger, without anything else that the app does.
    package var comesWithStart: Bool {
        switch self {
        case .start, .session: true
        case .manual: false
        }
    }
}

/// A trigger on an event.
public struct EventTrigger: Sendable {
    /// The events that count, among those for which `where` is true, over the whole history of the
    /// user.
    public enum Occurrence: Sendable, Hashable {
        /// Each of them.
        case any
        /// Only the n-th, from 1.
        case nth(Int)
        /// The n-th, the 2n-th and so on.
        case every(Int)
    }

    /// The event that is sent.
    public var event: EventIndex
    /// Lets an event pass when it is true; it may read `event`. Nil lets every event pass.
    public var `where`: Condition?
    /// The events that make a task, among those that passed `where`.
    public var occurrence: Occurrence

    public init(event: EventIndex, where condition: Condition? = nil, occurrence: Occurrence = .any)
    {
        self.event = event
        self.where = condition
        self.occurrence = occurrence
    }
}

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

/// A popup that another comes after, and the required manner of its end.
public struct Predecessor: Sendable, Hashable {
    /// It was shown at least once, is on no screen, and is not about to come back to one.
    public var popup: PopupIndex
    /// The action by which one of its tasks must have ended; nil for any end.
    public var action: String?
    /// The minimum time since then, by the calendar.
    public var since: Duration

    /// Creates a predecessor that may have ended just now and in any manner, unless more is given.
    public init(_ popup: PopupIndex, action: String? = nil, since: Duration = .zero) {
        self.popup = popup
        self.action = action
        self.since = since
    }
}
