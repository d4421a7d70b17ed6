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

    private var shared: SharedKeys

    public init(id: String, at range: SourceRange) {
        shared = SharedKeys(PopupKeys(id: id, at: range))
    }

    /// The priorities that have names.
    public static let priorityNames: [(name: String, value: Int)] = [
        ("very_low", 1), ("low", 50), ("normal", 100), ("high", 1000), ("very_high", 2000),
    ]
    public static let normalPriority = 100
}

extension PopupRule {
    public var id: String {
        get { shared.keys.id }
        set { change { $0.id = newValue } }
    }
    public var isEnabled: Bool {
        get { shared.keys.isEnabled }
        set { change { $0.isEnabled = newValue } }
    }
    /// Index into the schedulers.
    public var scheduler: Int {
        get { shared.keys.scheduler }
        set { change { $0.scheduler = newValue } }
    }
    /// Index into the groups.
    public var group: Int? {
        get { shared.keys.group }
        set { change { $0.group = newValue } }
    }
    /// Higher goes first.
    public var priority: Int {
        get { shared.keys.priority }
        set { change { $0.priority = newValue } }
    }
    public var triggers: [Trigger] {
        get { shared.keys.triggers }
        set { change { $0.triggers = newValue } }
    }
    /// Nil is always true.
    public var when: Condition? {
        get { shared.keys.when }
        set { change { $0.when = newValue } }
    }
    public var untriggered: Untriggered {
        get { shared.keys.untriggered }
        set { change { $0.untriggered = newValue } }
    }
    public var `switch`: Switch {
        get { shared.keys.`switch` }
        set { change { $0.`switch` = newValue } }
    }
    /// Popups, by index, that must have been shown at least once before, and be gone.
    public var after: [Int] {
        get { shared.keys.after }
        set { change { $0.after = newValue } }
    }
    public var delay: Duration {
        get { shared.keys.delay }
        set { change { $0.delay = newValue } }
    }
    public var grace: Duration {
        get { shared.keys.grace }
        set { change { $0.grace = newValue } }
    }
    public var minShow: Duration {
        get { shared.keys.minShow }
        set { change { $0.minShow = newValue } }
    }
    public var template: String? {
        get { shared.keys.template }
        set { change { $0.template = newValue } }
    }
    /// Handed to the app as it is: a map from strings.
    public var content: Value {
        get { shared.keys.content }
        set { change { $0.content = newValue } }
    }
    public var description: String? {
        get { shared.keys.description }
        set { change { $0.description = newValue } }
    }
    public var owner: String? {
        get { shared.keys.owner }
        set { change { $0.owner = newValue } }
    }
    public var tags: [String] {
        get { shared.keys.tags }
        set { change { $0.tags = newValue } }
    }
    /// Where the id is written.
    public var range: SourceRange {
        get { shared.keys.range }
        set { change { $0.range = newValue } }
    }
    public var hideAfter: Duration? {
        get { shared.keys.rare.values.hideAfter }
        set { if newValue != hideAfter { changeRare { $0.hideAfter = newValue } } }
    }
    public var dismissWhen: Condition? {
        get { shared.keys.rare.values.dismissWhen }
        set {
            if newValue == nil, dismissWhen == nil { return }
            changeRare { $0.dismissWhen = newValue }
        }
    }
    public var maxWait: Duration? {
        get { shared.keys.rare.values.maxWait }
        set { if newValue != maxWait { changeRare { $0.maxWait = newValue } } }
    }
    public var schedule: Schedule? {
        get { shared.keys.rare.values.schedule }
        set { if newValue != schedule { changeRare { $0.schedule = newValue } } }
    }
    public var caps: Caps {
        get { shared.keys.rare.values.caps }
        set { if newValue != caps { changeRare { $0.caps = newValue } } }
    }
    public var rollout: Rollout? {
        get { shared.keys.rare.values.rollout }
        set { if newValue != rollout { changeRare { $0.rollout = newValue } } }
    }

    /// Whether none of the six keys above was ever set.
    var hasNoRareKeys: Bool { shared.keys.rare === RareKeys.none }

    private mutating func change(_ body: (inout PopupKeys) -> Void) {
        if !isKnownUniquelyReferenced(&shared) { shared = SharedKeys(shared.keys) }
        body(&shared.keys)
    }

    private mutating func changeRare(_ body: (inout RareKeys.Values) -> Void) {
        let rare = shared.keys.rare.changing(body)
        change { $0.rare = rare }
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
