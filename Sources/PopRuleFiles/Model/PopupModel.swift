public import PopScheduler
public import PopSource
internal import PopYAML

/// An entry of `popups`. What is not written is nil.
public struct PopupModel: Declaration {
    /// The popup's id.
    public var name: Located<String>
    public var description: Located<String>?
    public var owner: Located<String>?
    public var tags: Located<[Located<String>]>?
    public var isEnabled: Located<Bool>?
    public var scheduler: Located<String>?
    public var group: Located<String>?
    public var priority: Located<Int>?
    public var trigger: Located<[Located<TriggerModel>]>?
    public var when: Located<ConditionModel>?
    public var untriggered: Located<PopupRule.Untriggered>?
    public var `switch`: Located<PopupRule.Switch>?
    public var after: Located<[Located<String>]>?
    public var delay: Located<Duration>?
    public var grace: Located<Duration>?
    public var minShow: Located<Duration>?
    public var hideAfter: Located<Duration>?
    public var dismissWhen: Located<ConditionModel>?
    public var maxWait: Located<Duration>?
    public var schedule: Located<ScheduleModel>?
    public var cap: Located<CapModel>?
    public var rollout: Located<RolloutModel>?
    public var template: Located<String>?
    var content: Located<YAMLNode>?
    var examples: Located<ExamplesModel>?

    init(name: Located<String>) { self.name = name }
}

/// What makes a task of a popup.
public enum TriggerModel: Sendable {
    case start
    case manual
    case event(EventTriggerModel)
    case changed(Located<String>)
}

/// A trigger on an event.
public struct EventTriggerModel: Sendable {
    public var event: Located<String>
    public var `where`: Located<ConditionModel>?
    public var nth: Located<Int>?
    public var every: Located<Int>?
}

/// When a popup may show, by the calendar.
public struct ScheduleModel: Sendable {
    public var from: Located<ScheduleBound>?
    public var until: Located<ScheduleBound>?
    public var days: Located<[Located<Set<Schedule.Weekday>>]>?
    public var hours: Located<Schedule.Hours>?
    public var zone: Located<String>?
}

/// The frequency caps of a popup.
public struct CapModel: Sendable {
    public var lifetime: Located<Int>?
    public var perSession: Located<Int>?
    public var every: Located<Duration>?
    public var windows: Located<[Located<WindowCapModel>]>?
}

/// The part of the users that a popup is shown to.
public struct RolloutModel: Sendable {
    public var percent: Located<Double>?
    public var by: Located<String>?
    public var salt: Located<String>?
}

/// Contexts for which a popup's `when` must, and must not, be true.
struct ExamplesModel: Sendable {
    var match: Located<[Located<YAMLNode>]>?
    var noMatch: Located<[Located<YAMLNode>]>?
}
