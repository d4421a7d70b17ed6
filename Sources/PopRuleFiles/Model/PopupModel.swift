public import PopScheduler
public import PopSource
internal import PopYAML

/// An entry of `popups`. What is not written is nil.
public struct PopupModel: Declaration {
    /// The popup's id.
    public let name: Located<String>
    /// Whether it is on at all; nil is on.
    public var isEnabled: Located<Bool>?
    /// A whole number, higher goes first; names such as `high` are numbers already. Nil is
    /// `normal`, 100.
    public var priority: Located<Int>?
    /// What makes tasks of it, any of the list; nil is `start`.
    public var trigger: Located<[Located<TriggerModel>]>?
    /// The condition under which it may show; nil is always.
    public var when: Located<ConditionModel>?
    /// The condition under which it is taken down, and does not show.
    public var dismissWhen: Located<ConditionModel>?
    /// What happens when it is passed over; nil is `await`.
    public var untriggered: Located<PopupRule.Untriggered>?
    /// What happens when a better popup comes while it shows; nil is `await`.
    public var `switch`: Located<PopupRule.Switch>?
    /// The name of an entry of `templates`.
    public var template: Located<String>?
    var content: Located<YAMLNode>?

    // What few popups have takes no room in the others.
    private var sharedPlace = Shared<Place>()
    private var sharedTiming = Shared<Timing>()
    private var sharedLimits = Shared<Limits>()
    private var sharedTexts = Shared<Texts>()
    private var sharedChecks = Shared<Checks>()

    init(name: Located<String>) { self.name = name }

    /// Stands where a popup was taken away.
    static let none = PopupModel(
        name: Located("", at: SourceRange(file: FileID(index: 0), 0..<0)))
}

extension PopupModel {
    /// Where the popup stands among others.
    public struct Place: HasUsualValue {
        /// The name of an entry of `schedulers`; nil is `main`.
        public var scheduler: Located<String>?
        /// The name of an entry of `groups`.
        public var group: Located<String>?
        /// The ids of popups that must have been shown before, and be gone.
        public var after: Located<[Located<String>]>?

        @usableFromInline package init() {}
    }

    /// When the popup comes and goes.
    public struct Timing: HasUsualValue {
        /// How long it waits after its trigger; nil is zero.
        public var delay: Located<Duration>?
        /// How long it stays chosen before anything is on the screen; nil is zero.
        public var grace: Located<Duration>?
        /// How long it shows at least, unless a person closes it; nil is zero.
        public var minShow: Located<Duration>?
        /// How long it shows at most; nil is without end.
        public var hideAfter: Located<Duration>?
        /// How long it waits at most; nil is without end.
        public var maxWait: Located<Duration>?
        /// The dates, days and hours in which it may show.
        public var schedule: Located<ScheduleModel>?

        @usableFromInline package init() {}
    }

    /// How often, and to whom the popup is shown.
    public struct Limits: HasUsualValue {
        /// How often it is shown.
        public var cap: Located<CapModel>?
        /// The part of the users that it is shown to.
        public var rollout: Located<RolloutModel>?

        @usableFromInline package init() {}
    }

    /// What is written about the popup for people.
    public struct Texts: HasUsualValue {
        /// What the popup is for, for people.
        public var description: Located<String>?
        /// Who answers for the popup, for people.
        public var owner: Located<String>?
        /// Words to find it by.
        public var tags: Located<[Located<String>]>?

        @usableFromInline package init() {}
    }

    /// What the popup is held to.
    struct Checks: HasUsualValue {
        var examples: Located<ExamplesModel>?
        var claim: PrecedenceClaim?
    }

    public var place: Place {
        get { sharedPlace.value }
        set { sharedPlace.value = newValue }
    }
    public var timing: Timing {
        get { sharedTiming.value }
        set { sharedTiming.value = newValue }
    }
    public var limits: Limits {
        get { sharedLimits.value }
        set { sharedLimits.value = newValue }
    }
    public var texts: Texts {
        get { sharedTexts.value }
        set { sharedTexts.value = newValue }
    }
    var checks: Checks {
        get { sharedChecks.value }
        set { sharedChecks.value = newValue }
    }
}

/// What makes a task of a popup.
public enum TriggerModel: Sendable {
    /// The engine starts, another user signs in, or the popup is new after a reload.
    case start
    /// The app asks for it by `enqueue`.
    case manual
    /// The app sends an event.
    case event(EventTriggerModel)
    /// The value of the context key of this name changes.
    case changed(Located<String>)
    /// A word that is no trigger; what it means is known once files are linked.
    case word(String)
}

/// A trigger on an event.
public struct EventTriggerModel: Sendable {
    /// The name of an entry of `events`.
    public var event: Located<String>
    /// The condition that the event must meet; it may read `event`.
    public var `where`: Located<ConditionModel>?
    /// Which of the events that meet `where` counts, from 1 to 1,000,000; never beside `every`.
    public var nth: Located<Int>?
    /// That each n-th of the events that meet `where` counts, 1 to 1,000,000.
    public var every: Located<Int>?
}

/// When a popup may show, by the calendar.
public struct ScheduleModel: Sendable {
    /// When it begins; nil for no beginning.
    public var from: Located<ScheduleBound>?
    /// When it is over; nil for no end.
    public var until: Located<ScheduleBound>?
    /// The days of the week, each entry one day or a span of days; nil for all.
    public var days: Located<[Located<Set<Schedule.Weekday>>]>?
    /// The part of the day; nil for all of it.
    public var hours: Located<Schedule.Hours>?
    /// An IANA name or an offset such as `+02:00`, on whose clocks days and hours are read; nil is
    /// UTC.
    public var zone: Located<String>?
}

/// The frequency caps of a popup.
public struct CapModel: Sendable {
    /// How often one user sees it at all.
    public var lifetime: Located<Int>?
    /// How often it shows from one start of the app to the next.
    public var perSession: Located<Int>?
    /// That each n-th of the events that meet `where` counts, 1 to 1,000,000.
    public var every: Located<Duration>?
    /// Caps per period, all of which hold.
    public var windows: Located<[Located<WindowCapModel>]>?
}

/// The part of the users that a popup is shown to.
public struct RolloutModel: Sendable {
    /// How many of a hundred users see it, 0 to 100.
    public var percent: Located<Double>?
    /// The name of the context key that tells users apart.
    public var by: Located<String>?
    /// A word whose change draws other users; nil is the popup's id.
    public var salt: Located<String>?
}

/// Contexts for which a popup's `when` must, and must not, be true.
struct ExamplesModel: Sendable {
    var match: Located<[Located<YAMLNode>]>?
    var noMatch: Located<[Located<YAMLNode>]>?
}
