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
        ExactText(left.program.expression.description)
            == ExactText(right.program.expression.description)
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

extension RuleSet {
    /// The named conditions that a program reads, also through others.
    package func conditions(usedBy program: Program) -> [ConditionIndex] {
        var found: Set<ConditionIndex> = []
        var pending = program.slots
        while let slot = pending.popLast() {
            guard case .condition(let index) = slots[slot], found.insert(index).inserted else {
                continue
            }
            pending += conditions[index].condition.program.slots
        }
        return found.ordered()
    }

    /// The context keys that some programs read, also through named conditions.
    package func keys(readBy programs: [Program]) -> [KeyIndex] {
        let used = programs.flatMap { conditions(usedBy: $0) }
            .map { conditions[$0].condition.program }
        let keys = (programs + used).flatMap { $0.slots }.compactMap { slot -> KeyIndex? in
            if case .key(let key) = slots[slot] { key } else { nil }
        }
        return Set(keys).ordered()
    }
}

extension RuleSet {
    /// Returns the actions that users can take on a popup besides closing it, declared by its
    /// template and by the templates of its variants.
    package func actions(of popup: PopupRule) -> [TemplateRule.Action] {
        actions(ofTemplates: popup.templates)
    }

    func actions(ofTemplates names: [String]) -> [TemplateRule.Action] {
        templates.filter { names.contains($0.name) }.flatMap { $0.actions }
    }
}

/// The bounds of the numbers in rules. Rule files and bundles must both satisfy them, so that no
/// calculation with them can overflow.
package enum RuleBounds {
    /// The bounds of counts: how often something may happen, how many tasks may wait, and which
    /// occurrence is meant.
    package static let counts = 1...1_000_000
    /// The longest duration, in days: twice this duration plus a date fits in 64 bits of
    /// nanoseconds and within the years of calendars.
    package static let durationDays = 36_500
    /// The bounds of durations; `positiveDurations` is for durations that can't be zero.
    package static let durations = Duration.zero...Duration.seconds(Int64(durationDays) * 86_400)
    /// The bounds of durations that must be above zero.
    package static let positiveDurations = Duration.milliseconds(1)...durations.upperBound
    /// The bounds of weights: 64 bits hold a place times the sum of all weights.
    package static let weights = 0...1_000_000
    /// The bounds of priorities.
    package static let priorities = -1_000_000...1_000_000
    /// The maximum number of caps of a popup, of caps of a group, and of entries of `limits`: all
    /// of them are checked whenever a popup is judged.
    package static let caps = 100
    /// The maximum of `RuleSet.selectionSteps`, which takes some seconds. It allows a hundred
    /// limits of ten tags each for 10,000 popups of five tags each.
    package static let selectionSteps = 50_000_000
    /// The maximum number of fields of one event, of fields that one template requires or allows,
    /// and of its actions.
    package static let fields = 1_000
    /// The maximum number of languages that can be required of every string: the CLDR has fewer
    /// than a thousand.
    package static let requiredLanguages = 1_000
    /// The days since 1970-01-01 that calendars can represent, from the year 1 to the year 9999.
    package static let days = secondsToDays(Timestamp.min)...secondsToDays(Timestamp.max)
    /// The clock times of those years, in seconds since the clock time 1970-01-01T00:00:00.
    package static let readings = Timestamp.min.seconds...Timestamp.max.seconds

    private static func secondsToDays(_ moment: Timestamp) -> Int {
        let (days, rest) = moment.seconds.quotientAndRemainder(dividingBy: 86_400)
        return Int(rest < 0 ? days - 1 : days)
    }
}

/// An entry of `schedulers`: a lane that shows at most one popup at a time.
public struct SchedulerRule: Sendable, Hashable {
    /// The order of waiting tasks.
    public enum Strategy: String, Sendable, Hashable, CaseIterable {
        /// The oldest task comes first; priorities have no effect.
        case fifo
        /// The newest task comes first; priorities have no effect.
        case lifo
        /// The highest priority comes first, then the order of `TieBreak`; the default.
        case priority
    }

    /// The order among equal priorities.
    public enum TieBreak: String, Sendable, Hashable, CaseIterable {
        /// The oldest task comes first; the default.
        case fifo
        /// The newest task comes first.
        case lifo
    }

    /// Unique in the rule set; `main` is the scheduler of popups that name none.
    public var name: String
    /// The order of waiting tasks.
    public var strategy: Strategy
    /// The order among equal priorities; only under the strategy `priority`.
    public var tieBreak: TieBreak
    /// The pause of the scheduler after a dismissal: a new random one each time if the bounds
    /// differ.
    public var gap: ClosedRange<Duration>
    /// The maximum number of waiting tasks; nil for no bound.
    public var maxWaiting: Int?
    /// Counts the impressions of all popups of the scheduler.
    public var cap: WindowCap?

    /// Creates a scheduler that orders by priority, without gap, bound or cap, unless they are
    /// given.
    public init(
        name: String, strategy: Strategy = .priority, tieBreak: TieBreak = .fifo,
        gap: ClosedRange<Duration> = .zero ... .zero, maxWaiting: Int? = nil, cap: WindowCap? = nil
    ) {
        self.name = name
        self.strategy = strategy
        self.tieBreak = tieBreak
        self.gap = gap
        self.maxWaiting = maxWaiting
        self.cap = cap
    }
}

/// An entry of `templates`, as far as it matters at run time: content was checked in the rule
/// files.
public struct TemplateRule: Sendable {
    /// An action of users on a popup besides closing it.
    public struct Action: Sendable, Hashable {
        /// Letters, digits and `_` in rule files.
        public var name: String
        /// True if the action refuses the popup, which counts as closing it.
        public var isRefusal: Bool

        /// Creates an action that the app may report.
        public init(name: String, isRefusal: Bool = false) {
            self.name = name
            self.isRefusal = isRefusal
        }

        /// The name for closing a popup where actions are named; no template declares it.
        public static let close = "close"
    }

    /// The name that popups refer to.
    public var name: String
    /// The actions on its popups that the app may report.
    public var actions: [Action]
    /// The fields of the content that contain a string for each language, or one for all.
    public var localizedFields: [String]
    /// The place of the name in its file.
    public var range: SourceRange

    /// Creates a template without actions and localized fields unless they are given.
    public init(
        name: String, actions: [Action] = [], localizedFields: [String] = [],
        at range: SourceRange
    ) {
        self.name = name
        self.actions = actions
        self.localizedFields = localizedFields
        self.range = range
    }
}

/// The source of a user's language, and the fallback if there is no string in that language.
public struct Locales: Sendable, Hashable {
    /// The context key with the language, such as `zh-Hant-TW`.
    public var key: KeyIndex
    /// The language of the strings for all other users.
    public var fallback: String

    /// Creates the languages of a rule set.
    public init(key: KeyIndex, fallback: String) {
        self.key = key
        self.fallback = fallback
    }
}
