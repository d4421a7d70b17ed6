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
