/// What makes a task of a popup.
public enum Trigger: Sendable {
    /// What happens to the engine itself.
    case occasion(Occasion)
    /// The app sends the event.
    case event(EventTrigger)
    /// The value of a context key changes.
    case changed(key: KeyIndex)
    /// A person uses an action of another popup, or closes it, which is called `close`.
    case acted(popup: PopupIndex, action: String)

    /// What may make a task of a popup without a name, by the word that rule files and bundles
    /// write.
    public enum Occasion: String, Sendable, Hashable, CaseIterable {
        /// The engine starts, the user is switched, or the popup is new after a reload.
        case start
        /// A session begins: with the engine, or later.
        case session
        /// `enqueue` alone.
        case manual
    }

    /// The engine starts, the user is switched, or the popup is new after a reload.
    public static var start: Trigger { .occasion(.start) }
    /// A session begins: with the engine, or later.
    public static var session: Trigger { .occasion(.session) }
    /// `enqueue` alone.
    public static var manual: Trigger { .occasion(.manual) }
}

extension Trigger.Occasion {
    /// Whether the start of the app is one, without anything else that the app does.
    package var comesWithStart: Bool {
        switch self {
        case .start, .session: true
        case .manual: false
        }
    }
}

/// A trigger on an event.
public struct EventTrigger: Sendable {
    /// Which of the events counts, among those for which `where` is true, over the whole history of
    /// the user.
    public enum Occurrence: Sendable, Hashable {
        /// Each of them.
        case any
        /// The n-th alone, from 1.
        case nth(Int)
        /// The n-th, the 2n-th and so on.
        case every(Int)
    }

    /// The event that is sent.
    public var event: EventIndex
    /// Lets an event pass when it is true; it may read `event`. Nil lets every event pass.
    public var `where`: Condition?
    /// Which of the events that passed `where` make a task.
    public var occurrence: Occurrence

    public init(event: EventIndex, where condition: Condition? = nil, occurrence: Occurrence = .any)
    {
        self.event = event
        self.where = condition
        self.occurrence = occurrence
    }
}
