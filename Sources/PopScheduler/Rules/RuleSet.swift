public import PopCEL
public import PopSource

/// Everything that a product's rule files say, checked, linked and compiled: what the scheduler
/// runs.
///
/// Parts refer to each other by their places in the arrays of this value.
public struct RuleSet: Sendable {
    /// In the order of declaration; a `main` that no file declares is first.
    public var schedulers: [SchedulerRule]
    /// Context keys; rules and slots name them by index.
    public var keys: [ContextKey]
    /// Events; triggers name them by index.
    public var events: [EventRule]
    /// Named conditions; they may read each other, without cycles.
    public var conditions: [NamedCondition]
    /// Groups; popups name them by index.
    public var groups: [GroupRule]
    /// In the order of declaration; `after` and slots name them by index.
    public var popups: [PopupRule]
    /// Caps over several schedulers, or over all.
    public var limits: [LimitRule] = []
    /// Who sees essential popups only; nil for nobody.
    public var holdout: Holdout?
    /// Templates that declare actions or localized fields; popups name them.
    public var templates: [TemplateRule]
    /// When popups are not shown; nil for never.
    public var quiet: QuietRule?
    /// After how long in the background a session begins; nil for never.
    public var sessionTimeout: Duration?
    /// The languages of localized fields; nil when the rules declare none.
    public var locales: Locales?
    /// What each slot that a condition may read stands for; the index is the slot's number.
    public var slots: [SlotMeaning]

    /// A set of rules whose indices fit together, which nothing checks here: `RuleSet.load` and
    /// bundles do.
    public init(
        schedulers: [SchedulerRule] = [SchedulerRule(name: "main")], keys: [ContextKey] = [],
        events: [EventRule] = [], conditions: [NamedCondition] = [], groups: [GroupRule] = [],
        popups: [PopupRule] = [], templates: [TemplateRule] = [], locales: Locales? = nil,
        slots: [SlotMeaning] = []
    ) {
        self.schedulers = schedulers
        self.keys = keys
        self.events = events
        self.conditions = conditions
        self.groups = groups
        self.popups = popups
        self.templates = templates
        self.locales = locales
        self.slots = slots
    }
}

/// What a slot's value is taken from.
public enum SlotMeaning: Sendable, Hashable {
    /// A declared context key.
    case key(KeyIndex)
    /// A named condition: a bool, or the error of its evaluation.
    case condition(ConditionIndex)
    /// The calendar date of the moment.
    case now
    /// What is known of the sessions of the user.
    case session(SessionFact)
    /// `popups.ID.shown_count`: impressions of the popup in the history, an int.
    case shownCount(popup: PopupIndex)
    /// `popups.ID.last_shown`: a timestamp, missing before the first impression.
    case lastShown(popup: PopupIndex)
    /// `popups.ID.last_reason`: why it was last dismissed, a string, missing before that.
    case lastReason(popup: PopupIndex)
    /// `popups.ID.variant`: the arm of the latest task that was exposed or shown, a string; empty
    /// before, and where that task was in none.
    case variant(popup: PopupIndex)
    /// `popups.ID.exposed_count`: exposures to an arm of its experiment in the history, an int.
    case exposedCount(popup: PopupIndex)
    /// `popups.ID.last_action`: what a person did in its latest task, a string, empty without.
    case lastAction(popup: PopupIndex)
    /// `popups.ID.closed_count`: how often people closed or refused it, an int.
    case closedCount(popup: PopupIndex)
    /// `popups.ID.converted`: whether an exposure to it was converted under its first goal, a bool.
    case converted(popup: PopupIndex)
    /// `acted("popup", "action")`: how often people used the action, an int.
    case acted(popup: PopupIndex, action: String)
    /// `last_acted("popup", "action")`: a timestamp, missing before the first time.
    case lastActed(popup: PopupIndex, action: String)
    /// `event_count("name")` and `event_count("name", duration)`: an int.
    case eventCount(event: String, within: Duration?)
    /// `last_event("name")`: a timestamp, missing when the event was never sent.
    case lastEvent(String)
    /// `since("name")`: how long ago it was sent last, a duration, endless when it never was.
    case sinceEvent(String)
    /// `event_sum("name", "field", duration)`: what a field of its payload was in that time, added
    /// up; a number of the field's type.
    indirect case eventSum(EventSum)
    /// `schedule.open`: whether the schedule of the popup that a `dismiss_when` is about is open, a
    /// bool; missing in other conditions.
    case scheduleOpen
    /// `event`: the payload of the event being sent, as a map; missing outside a trigger's `where`.
    case payload
    /// `event.FIELD`: one field of the payload of the event being sent.
    case payloadField(event: EventIndex, field: Int)
}

/// What conditions can read of the sessions of the user, by the name that they read it by.
public enum SessionFact: String, Sendable, Hashable, CaseIterable {
    /// When this session began, a timestamp.
    case started = "session.started"
    /// How many sessions there were, this one included, an int.
    case count = "session.count"
    /// When the session before this one ended, a timestamp: when the app went to the background the
    /// last time in it, or when it began where the app never did. Missing in the first session.
    case previousEnd = "session.previous_end"
    /// When the user was seen first, a timestamp.
    case firstSeen = "first_seen"
}

extension SessionFact {
    /// The type of its value.
    package var type: CELType {
        switch self {
        case .started, .previousEnd, .firstSeen: .timestamp
        case .count: .int
        }
    }

    /// Whether there may be none.
    package var mayBeMissing: Bool { self == .previousEnd }
}

extension SlotMeaning {
    /// Whether its value is worked out from others, from dates or from `now`. What reads no such
    /// slot is evaluated at once and holds until one of its slots is set.
    var isComputed: Bool {
        switch self {
        case .condition, .now, .eventCount(_, within: _?), .sinceEvent, .eventSum: true
        case .key, .session, .shownCount, .lastShown, .lastReason, .variant, .exposedCount,
            .lastAction,
            .closedCount, .converted, .acted, .lastActed,
            .eventCount(_, within: nil), .lastEvent, .scheduleOpen, .payload, .payloadField:
            false
        }
    }

    /// The popup whose history it tells of.
    package var popup: PopupIndex? {
        switch self {
        case .shownCount(let popup), .lastShown(let popup), .lastReason(let popup),
            .variant(let popup), .exposedCount(let popup), .lastAction(let popup),
            .closedCount(let popup), .converted(let popup), .acted(let popup, _),
            .lastActed(let popup, _):
            popup
        case .key, .condition, .now, .session, .eventCount, .lastEvent, .sinceEvent, .eventSum,
            .scheduleOpen, .payload, .payloadField:
            nil
        }
    }

    /// How far it looks back at the times at which an event was sent.
    package var window: Duration? {
        switch self {
        case .eventCount(_, let window): window
        case .eventSum(let sum): sum.within
        case .key, .condition, .now, .session, .shownCount, .lastShown, .lastReason,
            .variant, .exposedCount, .lastAction, .closedCount, .converted, .acted, .lastActed,
            .lastEvent, .sinceEvent, .scheduleOpen, .payload, .payloadField:
            nil
        }
    }

    /// The event whose history it tells of.
    package var event: String? {
        switch self {
        case .eventCount(let event, _), .lastEvent(let event), .sinceEvent(let event): event
        case .eventSum(let sum): sum.event
        case .key, .condition, .now, .session, .shownCount, .lastShown, .lastReason,
            .variant, .exposedCount, .lastAction,
            .closedCount, .converted, .acted, .lastActed, .scheduleOpen, .payload, .payloadField:
            nil
        }
    }
}

/// A condition, compiled, and the place where it was written.
public struct Condition: Sendable {
    /// What is evaluated; its result is a bool.
    public var program: Program
    /// The whole condition as its author wrote it.
    public var range: SourceRange

    /// A compiled condition that stands at a range.
    public init(_ program: Program, at range: SourceRange) {
        self.program = program
        self.range = range
    }
}

extension Condition: Equatable {
    /// Whether both say the same, wherever they stand.
    public static func == (left: Self, right: Self) -> Bool {
        left.program.expression.description == right.program.expression.description
    }
}

/// An entry of `conditions`. Its program may read other named conditions, without cycles.
public struct NamedCondition: Sendable {
    /// A dotted name that other conditions read it by.
    public var name: String
    /// What it stands for.
    public var condition: Condition

    /// A condition that others may read by a name.
    public init(name: String, condition: Condition) {
        self.name = name
        self.condition = condition
    }
}

/// An entry of `context`: a key that conditions may read.
public struct ContextKey: Sendable {
    /// A dotted name such as `user.plan`.
    public var name: String
    /// The type that every value of it has.
    public var type: CELType
    /// The value while the app has not set the key; nil when it is missing until then.
    public var defaultValue: Value?
    /// The values that are allowed, when they are listed.
    public var allowedValues: [Value]?
    /// The smallest and largest value that is allowed.
    public var minimum: Value?
    /// The largest value that is allowed; nil when none is declared.
    public var maximum: Value?
    /// Whether it is about now, such as a screen, and not about the user.
    public var isMomentary = false
    /// Where the name is written.
    public var range: SourceRange

    /// A key that is missing until the app sets it, unless it has a default.
    public init(
        name: String, type: CELType, defaultValue: Value? = nil, allowedValues: [Value]? = nil,
        minimum: Value? = nil, maximum: Value? = nil, at range: SourceRange
    ) {
        self.name = name
        self.type = type
        self.defaultValue = defaultValue
        self.allowedValues = allowedValues
        self.minimum = minimum
        self.maximum = maximum
        self.range = range
    }
}

/// An entry of `events`: an event that the app sends, and the fields of its payload.
public struct EventRule: Sendable {
    /// A field of an event's payload.
    public struct Field: Sendable {
        /// What conditions read behind `event.`, such as `total`.
        public var name: String
        /// The type that every value of it has.
        public var type: CELType

        /// A field of an event's payload.
        public init(name: String, type: CELType) {
            self.name = name
            self.type = type
        }
    }

    /// A dotted name such as `checkout.completed`.
    public var name: String
    /// The fields that its payload may have, with their types.
    public var fields: [Field]
    /// Where the name is written.
    public var range: SourceRange

    /// An event that the app may send.
    public init(name: String, fields: [Field], at range: SourceRange) {
        self.name = name
        self.fields = fields
        self.range = range
    }
}

/// An entry of `groups`: what its popups have in common.
public struct GroupRule: Sendable {
    /// The id that popups refer to.
    public var name: String
    /// What all its popups need besides their own `when`; nil is always true.
    public var when: Condition?
    /// Caps that count the impressions of all popups of the group, all of which hold.
    public var caps: [WindowCap]
    /// Where the name is written.
    public var range: SourceRange

    /// A group without a condition or caps unless they are given.
    public init(
        name: String, when: Condition? = nil, caps: [WindowCap] = [], at range: SourceRange
    ) {
        self.name = name
        self.when = when
        self.caps = caps
        self.range = range
    }
}

/// Some of the popups: those of some schedulers, with one of some tags.
public struct PopupSelection: Sendable, Hashable {
    /// Those whose popups are among them; empty for all.
    public var schedulers: [LaneIndex]
    /// Popups with one of these are among them; empty for all.
    public var tags: [String]

    /// All popups unless schedulers or tags are given.
    public init(schedulers: [LaneIndex] = [], tags: [String] = []) {
        self.schedulers = schedulers
        self.tags = tags
    }
}

extension PopupSelection {
    /// Whether these are all popups, those that the rules do not have any more too.
    var isAll: Bool { schedulers.isEmpty && tags.isEmpty }

    /// Whether popups of a scheduler that have these tags are among them.
    package func includes(_ lane: LaneIndex, tags: [String]) -> Bool {
        (schedulers.isEmpty || schedulers.contains(lane))
            && (self.tags.isEmpty || self.tags.contains { tags.contains($0) })
    }
}

/// The section `quiet`: a part of each day in which popups are not shown that are not essential.
public struct QuietRule: Sendable, Hashable {
    /// The part of the day.
    public var hours: Schedule.Hours
    /// Whose clocks it is read by.
    public var zone: Zone
    /// The popups that are not shown then.
    public var popups: PopupSelection

    /// All popups, by the clocks of the host, unless others are given.
    public init(
        _ hours: Schedule.Hours, zone: Zone = .local, popups: PopupSelection = PopupSelection()
    ) {
        self.hours = hours
        self.zone = zone
        self.popups = popups
    }
}

/// An entry of `limits`: a cap that the popups of several schedulers share.
public struct LimitRule: Sendable, Hashable {
    /// Counts the impressions of all popups that the limit is about.
    public var cap: WindowCap
    /// The popups that it is about.
    public var popups: PopupSelection

    /// A cap over all popups unless some are given.
    public init(_ cap: WindowCap, popups: PopupSelection = PopupSelection()) {
        self.cap = cap
        self.popups = popups
    }
}

extension RuleSet {
    /// The caps of the popups that have any.
    var caps: some Sequence<Caps> {
        // By position: going through the rules themselves copies each.
        popups.places.lazy.compactMap { popups[$0].capsIfAny }
    }

    /// Whether a cap or a condition asks how often, or when, popups were closed.
    package var countClosings: Bool {
        caps.contains { $0.closes != nil || $0.afterClose != nil }
            || slots.contains { slot in
                switch slot {
                case .closedCount, .acted, .lastActed: true
                case .key, .condition, .now, .session, .shownCount, .lastShown, .lastReason,
                    .variant, .exposedCount, .lastAction, .converted, .eventCount, .lastEvent,
                    .sinceEvent, .eventSum, .scheduleOpen, .payload, .payloadField:
                    false
                }
            }
    }
}
