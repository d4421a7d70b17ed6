public import PopScheduler
public import PopSource
internal import PopYAML

/// An entry of `popups`. What is not written is nil.
public struct PopupModel: Declaration {
    /// The popup's id.
    public var name: Located<String>
    public var description: Located<String>?
    public var owner: Located<String>?
    public var scheduler: Located<String>?
    public var group: Located<String>?
    public var priority: Located<Int>?
    public var trigger: Located<[Located<TriggerModel>]>?
    public var when: Located<ConditionModel>?
    public var untriggered: Located<PopupRule.Untriggered>?
    public var `switch`: Located<PopupRule.Switch>?
    public var template: Located<String>?
    var content: Located<YAMLNode>?

    private var rare = RareKeys.none

    init(name: Located<String>) { self.name = name }
}

/// What few popups have: behind one reference, which those that have none of it share.
private final class RareKeys: Sendable {
    struct Values: Sendable {
        var tags: Located<[Located<String>]>?
        var isEnabled: Located<Bool>?
        var after: Located<[Located<String>]>?
        var delay: Located<Duration>?
        var grace: Located<Duration>?
        var minShow: Located<Duration>?
        var hideAfter: Located<Duration>?
        var dismissWhen: Located<ConditionModel>?
        var maxWait: Located<Duration>?
        var schedule: Located<ScheduleModel>?
        var cap: Located<CapModel>?
        var rollout: Located<RolloutModel>?
        var examples: Located<ExamplesModel>?
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

extension PopupModel {
    public var tags: Located<[Located<String>]>? {
        get { rare.values.tags }
        set { rare = rare.changing { $0.tags = newValue } }
    }
    public var isEnabled: Located<Bool>? {
        get { rare.values.isEnabled }
        set { rare = rare.changing { $0.isEnabled = newValue } }
    }
    public var after: Located<[Located<String>]>? {
        get { rare.values.after }
        set { rare = rare.changing { $0.after = newValue } }
    }
    public var delay: Located<Duration>? {
        get { rare.values.delay }
        set { rare = rare.changing { $0.delay = newValue } }
    }
    public var grace: Located<Duration>? {
        get { rare.values.grace }
        set { rare = rare.changing { $0.grace = newValue } }
    }
    public var minShow: Located<Duration>? {
        get { rare.values.minShow }
        set { rare = rare.changing { $0.minShow = newValue } }
    }
    public var hideAfter: Located<Duration>? {
        get { rare.values.hideAfter }
        set { rare = rare.changing { $0.hideAfter = newValue } }
    }
    public var dismissWhen: Located<ConditionModel>? {
        get { rare.values.dismissWhen }
        set { rare = rare.changing { $0.dismissWhen = newValue } }
    }
    public var maxWait: Located<Duration>? {
        get { rare.values.maxWait }
        set { rare = rare.changing { $0.maxWait = newValue } }
    }
    public var schedule: Located<ScheduleModel>? {
        get { rare.values.schedule }
        set { rare = rare.changing { $0.schedule = newValue } }
    }
    public var cap: Located<CapModel>? {
        get { rare.values.cap }
        set { rare = rare.changing { $0.cap = newValue } }
    }
    public var rollout: Located<RolloutModel>? {
        get { rare.values.rollout }
        set { rare = rare.changing { $0.rollout = newValue } }
    }
    var examples: Located<ExamplesModel>? {
        get { rare.values.examples }
        set { rare = rare.changing { $0.examples = newValue } }
    }
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
