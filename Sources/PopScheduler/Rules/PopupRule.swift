public import PopCEL
public import PopSource

/// An entry of `popups`.
public struct PopupRule: Sendable {
    /// What happens to a waiting task that is passed over because it may not show.
    public enum Untriggered: String, Sendable, Hashable, CaseIterable {
        case await
        case discard
    }

    /// What happens to the visible popup when a better one comes.
    public enum Switch: String, Sendable, Hashable, CaseIterable {
        case await
        case latent
        case discard
    }

    public var id: String
    public var isEnabled = true
    /// Index into the schedulers.
    public var scheduler = 0
    /// Index into the groups.
    public var group: Int?
    /// Higher goes first.
    public var priority = PopupRule.normalPriority
    public var triggers = PopupRule.startAlone
    /// Nil is always true.
    public var when: Condition?
    public var untriggered = Untriggered.await
    public var `switch` = Switch.await
    /// Popups, by index, that must have been dismissed at least once before.
    public var after: [Int] = []
    public var delay = Duration.zero
    public var grace = Duration.zero
    public var minShow = Duration.zero
    public var template: String?
    /// Handed to the app as it is: a map from strings.
    public var content = Value.map([:])
    public var description: String?
    public var owner: String?
    public var tags: [String] = []
    /// Where the id is written.
    public var range: SourceRange
    private var rare = RareKeys.none

    public init(id: String, at range: SourceRange) {
        self.id = id
        self.range = range
    }

    /// The priorities that have names.
    public static let priorityNames: [(name: String, value: Int)] = [
        ("very_low", 1), ("low", 50), ("normal", 100), ("high", 1000), ("very_high", 2000),
    ]
    public static let normalPriority = 100

    /// One array for all that have no other trigger.
    private static let startAlone: [Trigger] = [.start]
}

/// What few popups have: behind one reference, which those that have none of it share. A rule without takes half the
/// memory, and the scheduler looks at as many fewer cache lines.
private final class RareKeys: Sendable {
    struct Values: Sendable {
        var hideAfter: Duration?
        var dismissWhen: Condition?
        var maxWait: Duration?
        var schedule: Schedule?
        var caps = Caps.none
        var rollout: Rollout?
    }

    let values: Values

    init(_ values: Values) { self.values = values }

    static let none = RareKeys(Values())

    func changing(_ body: (inout Values) -> Void) -> RareKeys {
        var values = values
        body(&values)
        return RareKeys(values)
    }
}

extension PopupRule {
    public var hideAfter: Duration? {
        get { rare.values.hideAfter }
        set { if newValue != hideAfter { rare = rare.changing { $0.hideAfter = newValue } } }
    }
    public var dismissWhen: Condition? {
        get { rare.values.dismissWhen }
        set {
            if newValue == nil, dismissWhen == nil { return }
            rare = rare.changing { $0.dismissWhen = newValue }
        }
    }
    public var maxWait: Duration? {
        get { rare.values.maxWait }
        set { if newValue != maxWait { rare = rare.changing { $0.maxWait = newValue } } }
    }
    public var schedule: Schedule? {
        get { rare.values.schedule }
        set { if newValue != schedule { rare = rare.changing { $0.schedule = newValue } } }
    }
    public var caps: Caps {
        get { rare.values.caps }
        set { if newValue != caps { rare = rare.changing { $0.caps = newValue } } }
    }
    public var rollout: Rollout? {
        get { rare.values.rollout }
        set { if newValue != rollout { rare = rare.changing { $0.rollout = newValue } } }
    }
}

/// What makes a task of a popup.
public enum Trigger: Sendable {
    /// The engine starts, the user is switched, or the popup is new after a reload.
    case start
    /// `enqueue` alone.
    case manual
    /// The app sends the event.
    case event(EventTrigger)
    /// The value of a context key changes; by index.
    case changed(key: Int)
}

/// A trigger on an event.
public struct EventTrigger: Sendable {
    /// Which of the events counts, among those for which `where` is true, over the whole history of the user.
    public enum Occurrence: Sendable, Hashable {
        /// Each of them.
        case any
        /// The n-th alone, from 1.
        case nth(Int)
        /// The n-th, the 2n-th and so on.
        case every(Int)
    }

    /// Index into the events.
    public var event: Int
    public var `where`: Condition?
    public var occurrence: Occurrence

    public init(event: Int, where condition: Condition? = nil, occurrence: Occurrence = .any) {
        self.event = event
        self.where = condition
        self.occurrence = occurrence
    }
}
