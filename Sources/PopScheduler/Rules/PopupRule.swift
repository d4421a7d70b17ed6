public import PopCEL
public import PopSource

/// An entry of `popups`.
public struct PopupRule: Sendable {
    /// What happens to a waiting task that is passed over because it may not show.
    public enum Untriggered: String, Sendable, Hashable, CaseIterable {
        /// It stays in the queue, which is the default.
        case await
        /// It is dropped as `DISCARDED_UNTRIGGERED`.
        case discard
    }

    /// What happens to the visible popup when a better one comes.
    public enum Switch: String, Sendable, Hashable, CaseIterable {
        /// It stays in the queue, which is the default.
        case await
        /// It gives way, and is queued again when the better one's priority is strictly higher.
        case latent
        /// It is dismissed as `PREEMPTED`, and gone.
        case discard
    }

    /// Unique in the rule set; letters, digits and `_` in rule files.
    public var id: String
    /// Whether triggers make tasks of it; otherwise `DISABLED`.
    public var isEnabled = true
    /// The place of its scheduler.
    public var scheduler: LaneIndex = 0
    /// The place of its group; nil for none.
    public var group: GroupIndex?
    /// Higher goes first.
    public var priority = PopupRule.normalPriority
    /// Any of them makes a task; only `start` unless set.
    public var triggers: [Trigger] = [.start]
    /// Nil is always true.
    public var when: Condition?
    /// What takes the popup down, and keeps it from showing; nil for nothing.
    public var dismissWhen: Condition?
    /// What happens to its waiting task when it is passed over because it may not show.
    public var untriggered = Untriggered.await
    /// What happens to it when a better one comes while it shows; only under the strategy
    /// `priority`.
    public var `switch` = Switch.await
    /// Whether it takes the screen from one of lower priority whatever the `switch` and `min_show`
    /// of that; only under the strategy `priority`.
    public var isUrgent = false
    /// Whether it shows to everybody, those held out included, and has no part in the caps of
    /// groups, schedulers and `limits`.
    public var isEssential = false
    /// Whether the app shows it itself, and the presenter draws nothing for it; only for hand-made
    /// popups.
    public var isShownByApp = false
    /// Popups that must have been shown at least once before, and be gone.
    public var after: [Predecessor] = []
    /// What it is to bring about; of several the first decides whether it is converted.
    public var goals: [Goal] = []
    /// What kind of popup it is, for the app; nil when its rule names none.
    public var template: String?
    /// A map from strings; the app gets it as it is, and as its reader gets to see it.
    public var content = Value.map([:])
    /// Where the id is written.
    public var range: SourceRange

    // What few popups have takes no room in the others.
    private var sharedTiming = Shared<Timing>()
    private var sharedCaps = Shared<Caps>()
    private var sharedAudience = Shared<Audience>()
    private var sharedTexts = Shared<Texts>()

    public init(id: String, at range: SourceRange) {
        self.id = id
        self.range = range
    }

    /// The priorities that have names.
    public static let priorityNames: [(name: String, value: Int)] = [
        ("very_low", 1), ("low", 50), ("normal", 100), ("high", 1000), ("very_high", 2000),
    ]
    /// The priority of a popup that names none: 100.
    public static let normalPriority = 100
}

extension PopupRule {
    /// When the popup comes and goes.
    public struct Timing: Sendable, Equatable {
        /// How long it waits after its trigger: drawn anew for each task when the bounds differ.
        public var delay = Duration.zero ... .zero
        /// How long it stays chosen before anything is on the screen.
        public var grace = Duration.zero
        /// How long it shows at least, unless a person closes it.
        public var minShow = Duration.zero
        /// How long it shows at most; nil for as long as nobody closes it.
        public var hideAfter: Duration?
        /// How long it waits at most; nil for as long as it takes.
        public var maxWait: Duration?
        /// The dates, days and hours in which it may show: while one of them is open, and always
        /// when there is none.
        public var schedule: [Schedule] = []

        public init() {}

        /// The zone that all entries of the schedule have; nil when they have several, or there is
        /// none.
        package var commonZone: Zone? {
            let zone = schedule.first?.zone
            return schedule.allSatisfy { $0.zone == zone } ? zone : nil
        }
    }

    /// Whom the popup is for, beside its condition.
    public struct Audience: Sendable, Hashable {
        /// Nil for everybody.
        public var rollout: Rollout?
        /// What is shown to whom in place of the popup as it stands; nil for nothing.
        public var experiment: Experiment?

        public init() {}
    }

    /// What is written about the popup for people.
    public struct Texts: Sendable, Hashable {
        /// What it is for, for people; decides nothing.
        public var description: String?
        /// Who answers for it, for people; decides nothing.
        public var owner: String?
        /// Words to find it by; they decide nothing.
        public var tags: [String] = []

        public init() {}
    }

    // Inlined: for a call the compiler copies the whole rule.
    public var timing: Timing {
        @inline(__always) get { sharedTiming.value }
        set { if newValue != timing { sharedTiming.value = newValue } }
    }
    /// How often it may show to one user.
    public var caps: Caps {
        @inline(__always) get { sharedCaps.value }
        set { if newValue != caps { sharedCaps.value = newValue } }
    }
    public var audience: Audience {
        @inline(__always) get { sharedAudience.value }
        set { if newValue != audience { sharedAudience.value = newValue } }
    }
    public var texts: Texts {
        get { sharedTexts.value }
        set { if newValue != texts { sharedTexts.value = newValue } }
    }

    /// The conditions of the popup itself; those of its triggers are not among them.
    package var ownConditions: [Condition] {
        [when].compactMap { $0 } + timing.schedule.compactMap { $0.when }
            + [dismissWhen].compactMap { $0 }
    }

    /// The conditions that events must meet, of its triggers and of its goals.
    package var eventConditions: [(event: EventIndex, condition: Condition)] {
        var all: [(event: EventIndex, condition: Condition)] = []
        for case .event(let trigger) in triggers {
            if let condition = trigger.where { all.append((trigger.event, condition)) }
        }
        for goal in goals {
            if let condition = goal.where { all.append((goal.event, condition)) }
        }
        return all
    }

    /// What is shown to whom in place of the popup as it stands; nil for nothing.
    package var experiment: Experiment? { sharedAudience.isUsual ? nil : audience.experiment }

    /// Whether there is one, without a copy of it.
    var hasExperiment: Bool { !sharedAudience.isUsual && audience.experiment != nil }

    /// The templates of the popup and of its variants.
    package var templates: [String] {
        [template].compactMap { $0 } + (experiment?.variants ?? []).compactMap { $0.template }
    }

    /// What its variants say where that is not what the popup says.
    package var contentsOfVariants: [Value] {
        (experiment?.variants ?? []).compactMap { $0.content }
    }

    /// What its content and that of its variants takes to be filled in. Linear in them.
    var contentNeeds: ContentNeeds {
        let needs = ContentNeeds(content)
        if !hasExperiment { return needs }
        return contentsOfVariants.reduce(into: needs) { $0.formUnion(ContentNeeds($1)) }
    }

    /// Its caps; nil without reading them for a popup that has none.
    var capsIfAny: Caps? { sharedCaps.isUsual ? nil : caps }

    /// Whether neither times nor caps nor a rollout nor `dismissWhen` nor a goal that ends it bear
    /// on the popup.
    var hasNoLimits: Bool {
        sharedTiming.isUsual && sharedCaps.isUsual && sharedAudience.isUsual && dismissWhen == nil
            && goals.allSatisfy { $0.ends == nil }
    }
}

extension PopupRule.Timing: HasUsualValue {}
extension PopupRule.Audience: HasUsualValue {}
extension PopupRule.Texts: HasUsualValue {}
extension Caps: HasUsualValue {}
