public import PopCEL
public import PopSource

/// An entry of `popups`.
public struct PopupRule: Sendable {
    /// The handling of a waiting task that is passed over because it may not show.
    public enum Untriggered: String, Sendable, Hashable, CaseIterable {
        /// It stays in the queue, which is the default.
        case await
        /// It is dropped as `DISCARDED_UNTRIGGERED`.
        case discard
    }

    /// The handling of the visible popup when a task that outranks it comes.
    public enum Switch: String, Sendable, Hashable, CaseIterable {
        /// It stays in the queue, which is the default.
        case await
        /// It gives way, and is queued again if the other task's priority is strictly higher.
        case latent
        /// It is dismissed as `PREEMPTED`, and gone.
        case discard
    }

    /// Unique in the rule set; letters, digits and `_` in rule files.
    public var id: String
    /// True if triggers make tasks of it; otherwise `DISABLED`.
    public var isEnabled = true
    /// The place of its scheduler.
    public var scheduler: LaneIndex = 0
    /// The place of its group; nil for none.
    public var group: GroupIndex?
    /// A popup with higher priority shows first.
    public var priority = PopupRule.normalPriority
    /// Any of them makes a task; only `start` unless set.
    public var triggers: [Trigger] = [.start]
    /// Nil is always true.
    public var when: Condition?
    /// The condition that takes the popup down, and blocks it from showing; nil for none.
    public var dismissWhen: Condition?
    /// The handling of its waiting task when it is passed over because it may not show.
    public var untriggered = Untriggered.await
    /// The handling when a task that outranks it comes while it shows; only under the strategy
    /// `priority`.
    public var `switch` = Switch.await
    /// True if it takes the screen from a popup of lower priority, regardless of that popup's
    /// `switch` and `min_show`; only under the strategy `priority`.
    public var isUrgent = false
    /// True if it shows to all users, including users in the holdout, and isn't subject to the caps
    /// of groups, schedulers and `limits`.
    public var isEssential = false
    /// True if the app shows it itself, and the presenter draws nothing for it; only for hand-made
    /// popups.
    public var isShownByApp = false
    /// Popups that must have been shown at least once before, and be gone.
    public var after: [Predecessor] = []
    /// Its goals; if there are several, the first decides if it is converted.
    public var goals: [Goal] = []
    /// The template, for the app; nil if its rule names none.
    public var template: String?
    /// A map from strings; the app gets it as written, and as its reader sees it.
    public var content = Value.map([:])
    /// The place of the id in its file.
    public var range: SourceRange

    // Properties that few popups have take no space in the others.
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
    /// The times at which the popup comes and goes.
    public struct Timing: Sendable, Equatable {
        /// The delay after its trigger: a new random one for each task if the bounds differ.
        public var delay = Duration.zero ... .zero
        /// The time that it stays chosen before anything is on the screen.
        public var grace = Duration.zero
        /// The minimum time that it shows, unless the user closes it.
        public var minShow = Duration.zero
        /// The maximum time that it shows; nil for no maximum.
        public var hideAfter: Duration?
        /// The maximum time that it waits; nil for no maximum.
        public var maxWait: Duration?
        /// The dates, days and hours in which it may show: while one of the entries is open, and
        /// always if the list is empty.
        public var schedule: [Schedule] = []

        public init() {}

        /// The zone that all entries of the schedule have; nil if they have several zones, or if
        /// there is no entry.
        package var commonZone: Zone? {
            let zone = schedule.first?.zone
            return schedule.allSatisfy { $0.zone == zone } ? zone : nil
        }
    }

    /// The users that the popup is for, in addition to its condition.
    public struct Audience: Sendable, Hashable {
        /// Nil for everybody.
        public var rollout: Rollout?
        /// The experiment that replaces the popup for some users; nil for none.
        public var experiment: Experiment?

        public init() {}
    }

    /// Information about the popup for its editors.
    public struct Texts: Sendable, Hashable {
        /// Its purpose, for editors; has no effect.
        public var description: String?
        /// The person or team who is responsible for it, for editors; has no effect.
        public var owner: String?
        /// Words to find it by, and for `limits` and `quiet` to select it by.
        public var tags: [String] = []

        public init() {}
    }

    // Inlined: for a call the compiler would copy the whole rule.
    public var timing: Timing {
        @inline(__always) get { sharedTiming.value }
        set { if newValue != timing { sharedTiming.value = newValue } }
    }
    /// The frequency caps.
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

    /// The conditions of the popup itself, without those of its triggers.
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

    /// The experiment that replaces the popup for some users; nil for none.
    package var experiment: Experiment? { sharedAudience.isUsual ? nil : audience.experiment }

    /// True if there is an experiment, determined without copying it.
    var hasExperiment: Bool { !sharedAudience.isUsual && audience.experiment != nil }

    /// The templates of the popup and of its variants.
    package var templates: [String] {
        [template].compactMap { $0 } + (experiment?.variants ?? []).compactMap { $0.template }
    }

    /// The contents of its variants that differ from the popup's own.
    package var contentsOfVariants: [Value] {
        (experiment?.variants ?? []).compactMap { $0.content }
    }

    /// The needs of its content and of its variants' contents. Linear in them.
    var contentNeeds: ContentNeeds {
        let needs = ContentNeeds(content)
        if !hasExperiment { return needs }
        return contentsOfVariants.reduce(into: needs) { $0.formUnion(ContentNeeds($1)) }
    }

    /// Its caps; nil, without reading them, for a popup that has none.
    var capsIfAny: Caps? { sharedCaps.isUsual ? nil : caps }

    /// True if no times, caps, rollout or experiment, `dismissWhen` or goal that ends it apply to
    /// the popup.
    var hasNoLimits: Bool {
        sharedTiming.isUsual && sharedCaps.isUsual && sharedAudience.isUsual && dismissWhen == nil
            && goals.allSatisfy { $0.ends == nil }
    }
}

extension PopupRule.Timing: Defaultable {}
extension PopupRule.Audience: Defaultable {}
extension PopupRule.Texts: Defaultable {}
extension Caps: Defaultable {}

/// The properties of a rule that the scheduler reads at every step, in less than a cache line; a
/// rule itself takes several.
struct PopupTraits: Sendable {
    let id: String
    let priority: Int
    /// The place of the condition in the scheduler's table; `none` for a hand-made popup.
    let condition: ConditionTable.Place
    private let scheduler: Int32
    /// True if a task is dropped when it is passed over.
    let isDiscardable: Bool
    /// True if there is a condition that reads no computed slots.
    let isUsual: Bool
    /// True if only its condition and caps that all popups of its scheduler share decide when the
    /// popup may show, and if it has no times of its own for entering the screen or leaving the
    /// queue.
    var isPlain: Bool
    /// The needs of its content; empty for a hand-made popup.
    let needs: ContentNeeds
    /// True if it isn't shown in quiet hours.
    let isQuiet: Bool
    /// True if other popups come after it.
    let isPredecessor: Bool
    /// True if it takes the screen from popups of lower priority.
    let isUrgent: Bool
    /// True if users see variants of it, or nothing.
    let hasExperiment: Bool

    /// `slots` are those of the rule set.
    init(
        _ rule: PopupRule, slots: [SlotMeaning], condition: ConditionTable.Place = .none,
        isForeign: Bool = false, isPredecessor: Bool = false, isLocalized: Bool = false,
        isQuiet: Bool = false
    ) {
        id = rule.id
        priority = rule.priority
        self.isPredecessor = isPredecessor
        isUrgent = rule.isUrgent
        hasExperiment = !isForeign && rule.hasExperiment
        self.condition = condition
        scheduler = Int32(rule.scheduler.number)
        let needs = rule.contentNeeds.union(isLocalized ? .language : [])
        self.needs = isForeign ? [] : needs
        isDiscardable = rule.untriggered == .discard
        isUsual = rule.when?.program.slots.allSatisfy { !slots[$0].isComputed } ?? false
        self.isQuiet = isQuiet
        isPlain =
            !isForeign && !isQuiet && rule.isEnabled && rule.hasNoLimits && rule.group == nil
            && rule.after.isEmpty
    }

    var lane: LaneIndex { LaneIndex(Int(scheduler)) }
}

extension RuleSet {
    /// Returns true if a popup isn't shown in quiet hours.
    package func isQuiet(_ popup: PopupIndex) -> Bool {
        guard let quiet, !popups[popup].isEssential else { return false }
        return quiet.popups.includes(popups[popup].scheduler, tags: popups[popup].texts.tags)
    }

    /// The traits of all popups, and their conditions.
    func traitsOfPopups() -> (TypedArray<PopupIndex, PopupTraits>, ConditionTable) {
        // By position: iterating over the rules themselves copies each.
        let programs = popups.places.map { popups[$0].when?.program }
        let (conditions, places) = ConditionTable.holding(programs)
        let predecessors = Set(popups.places.lazy.flatMap { popups[$0].after.map { $0.popup } })
        let localized = Set(templates.filter { !$0.localizedFields.isEmpty }.map { $0.name })
        let traits = popups.places.map {
            PopupTraits(
                popups[$0], slots: slots, condition: places[$0.number],
                isPredecessor: predecessors.contains($0),
                isLocalized: !localized.isEmpty
                    && !localized.isDisjoint(with: popups[$0].templates),
                isQuiet: isQuiet($0))
        }
        return (TypedArray(traits), conditions)
    }
}
