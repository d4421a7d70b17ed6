public import PopCEL
public import PopSource

/// The content of a product's rule files, checked, linked and compiled: the input of the scheduler.
///
/// Parts refer to each other by their places in the arrays of this value.
public struct RuleSet: Sendable {
    /// In order of declaration; a `main` that no file declares is first.
    public var schedulers: [SchedulerRule]
    /// Context keys; rules and slots name them by index.
    public var keys: [ContextKey]
    /// Events; triggers name them by index.
    public var events: [EventRule]
    /// Named conditions; they may read each other, without cycles.
    public var conditions: [NamedCondition]
    /// Groups; popups name them by index.
    public var groups: [GroupRule]
    /// In order of declaration; `after` and slots name them by index.
    public var popups: [PopupRule]
    /// Caps over several schedulers, or over all.
    public var limits: [LimitRule] = []
    /// The users who see only essential popups; nil for none.
    public var holdout: Holdout?
    /// Templates that declare actions or localized fields; popups name them.
    public var templates: [TemplateRule]
    /// The times at which popups are not shown; nil for never.
    public var quiet: QuietRule?
    /// The time in the background after which a session begins; nil for never.
    public var sessionTimeout: Duration?
    /// The languages of localized fields; nil when the rules declare none.
    public var locales: Locales?
    /// The meaning of each slot that a condition may read; the index is the slot's number.
    public var slots: [SlotMeaning]

    /// Creates a set of rules whose indices must match; this isn't checked here, but by
    /// `RuleSet.load` and bundles.
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

/// A condition, compiled, and the place where it was written.
public struct Condition: Sendable {
    /// The compiled program, whose result is a bool.
    public var program: Program
    /// The whole condition as its author wrote it.
    public var range: SourceRange

    /// Creates a compiled condition that was written at a range.
    public init(_ program: Program, at range: SourceRange) {
        self.program = program
        self.range = range
    }
}

extension Condition: Equatable {
    /// Returns true if both have the same expression, wherever they were written.
    public static func == (left: Self, right: Self) -> Bool {
        left.program.expression.description == right.program.expression.description
    }
}

/// An entry of `conditions`. Its program may read other named conditions, without cycles.
public struct NamedCondition: Sendable {
    /// A dotted name that other conditions read it by.
    public var name: String
    /// The condition that the name refers to.
    public var condition: Condition

    /// Creates a condition that others may read by a name.
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
    /// The value while the app hasn't set the key; nil if it is missing until then.
    public var defaultValue: Value?
    /// The values that are allowed; nil if they aren't listed.
    public var allowedValues: [Value]?
    /// The smallest value that is allowed; nil if none is declared.
    public var minimum: Value?
    /// The largest value that is allowed; nil when none is declared.
    public var maximum: Value?
    /// True if it is about the present, such as a screen, and not about the user.
    public var isMomentary = false
    /// The place of the name in its file.
    public var range: SourceRange

    /// Creates a key that is missing until the app sets it, unless it has a default.
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
        /// The name that conditions read after `event.`, such as `total`.
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
    /// The place of the name in its file.
    public var range: SourceRange

    /// An event that the app may send.
    public init(name: String, fields: [Field], at range: SourceRange) {
        self.name = name
        self.fields = fields
        self.range = range
    }
}

/// An entry of `groups`: the common properties of its popups.
public struct GroupRule: Sendable {
    /// The id that popups refer to.
    public var name: String
    /// The condition that all its popups need in addition to their own `when`; nil is always true.
    public var when: Condition?
    /// Caps that count the impressions of all popups of the group, all of which apply.
    public var caps: [WindowCap]
    /// The place of the name in its file.
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

extension RuleSet {
    /// The caps of the popups that have any.
    var caps: some Sequence<Caps> {
        // By position: iterating over the rules themselves copies each.
        popups.places.lazy.compactMap { popups[$0].capsIfAny }
    }

    /// True if a cap or a condition checks how often, or when, popups were closed.
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
