public import PopScheduler
public import PopSource
internal import PopYAML

/// An entry of `popups`. What is not written is nil.
///
/// One reference, so that a popup on its way from file to rule is copied at the cost of one count and not of ten.
public struct PopupModel: Declaration {
    private var keys: PopupKeys

    init(name: Located<String>) { keys = PopupKeys(PopupKeys.Values(name: name)) }

    private mutating func change(_ body: (inout PopupKeys.Values) -> Void) {
        if !isKnownUniquelyReferenced(&keys) { keys = PopupKeys(keys.values) }
        body(&keys.values)
    }

    private mutating func changeRare(_ body: (inout RareKeys.Values) -> Void) {
        change { values in
            var rare = values.rare?.values ?? RareKeys.Values()
            body(&rare)
            values.rare = RareKeys(rare)
        }
    }

    private var rare: RareKeys? { keys.values.rare }

    /// Stands where a popup was taken away.
    static let none = PopupModel(
        name: Located("", at: SourceRange(file: FileID(index: 0), 0..<0)))
}

/// Unchecked, because its properties can be set: `PopupModel.change` alone does that, and only while nobody else holds it.
private final class PopupKeys: @unchecked Sendable {
    struct Values {
        var name: Located<String>
        var priority: Located<Int>?
        var trigger: Located<[Located<TriggerModel>]>?
        var when: Located<ConditionModel>?
        var untriggered: Located<PopupRule.Untriggered>?
        var `switch`: Located<PopupRule.Switch>?
        var template: Located<String>?
        var content: Located<YAMLNode>?
        var rare: RareKeys?
    }

    var values: Values

    init(_ values: Values) { self.values = values }
}

/// What few popups have: behind a reference of its own, so that the others take half the memory.
private final class RareKeys: Sendable {
    struct Values: Sendable {
        var description: Located<String>?
        var owner: Located<String>?
        var scheduler: Located<String>?
        var group: Located<String>?
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
}

extension PopupModel {
    /// The popup's id.
    public var name: Located<String> {
        get { keys.values.name }
        set { change { $0.name = newValue } }
    }
    public var priority: Located<Int>? {
        get { keys.values.priority }
        set { change { $0.priority = newValue } }
    }
    public var trigger: Located<[Located<TriggerModel>]>? {
        get { keys.values.trigger }
        set { change { $0.trigger = newValue } }
    }
    public var when: Located<ConditionModel>? {
        get { keys.values.when }
        set { change { $0.when = newValue } }
    }
    public var untriggered: Located<PopupRule.Untriggered>? {
        get { keys.values.untriggered }
        set { change { $0.untriggered = newValue } }
    }
    public var `switch`: Located<PopupRule.Switch>? {
        get { keys.values.switch }
        set { change { $0.switch = newValue } }
    }
    public var template: Located<String>? {
        get { keys.values.template }
        set { change { $0.template = newValue } }
    }
    var content: Located<YAMLNode>? {
        get { keys.values.content }
        set { change { $0.content = newValue } }
    }
}

extension PopupModel {
    public var description: Located<String>? {
        get { rare?.values.description }
        set { changeRare { $0.description = newValue } }
    }
    public var owner: Located<String>? {
        get { rare?.values.owner }
        set { changeRare { $0.owner = newValue } }
    }
    public var scheduler: Located<String>? {
        get { rare?.values.scheduler }
        set { changeRare { $0.scheduler = newValue } }
    }
    public var group: Located<String>? {
        get { rare?.values.group }
        set { changeRare { $0.group = newValue } }
    }
    public var tags: Located<[Located<String>]>? {
        get { rare?.values.tags }
        set { changeRare { $0.tags = newValue } }
    }
    public var isEnabled: Located<Bool>? {
        get { rare?.values.isEnabled }
        set { changeRare { $0.isEnabled = newValue } }
    }
    public var after: Located<[Located<String>]>? {
        get { rare?.values.after }
        set { changeRare { $0.after = newValue } }
    }
    public var delay: Located<Duration>? {
        get { rare?.values.delay }
        set { changeRare { $0.delay = newValue } }
    }
    public var grace: Located<Duration>? {
        get { rare?.values.grace }
        set { changeRare { $0.grace = newValue } }
    }
    public var minShow: Located<Duration>? {
        get { rare?.values.minShow }
        set { changeRare { $0.minShow = newValue } }
    }
    public var hideAfter: Located<Duration>? {
        get { rare?.values.hideAfter }
        set { changeRare { $0.hideAfter = newValue } }
    }
    public var dismissWhen: Located<ConditionModel>? {
        get { rare?.values.dismissWhen }
        set { changeRare { $0.dismissWhen = newValue } }
    }
    public var maxWait: Located<Duration>? {
        get { rare?.values.maxWait }
        set { changeRare { $0.maxWait = newValue } }
    }
    public var schedule: Located<ScheduleModel>? {
        get { rare?.values.schedule }
        set { changeRare { $0.schedule = newValue } }
    }
    public var cap: Located<CapModel>? {
        get { rare?.values.cap }
        set { changeRare { $0.cap = newValue } }
    }
    public var rollout: Located<RolloutModel>? {
        get { rare?.values.rollout }
        set { changeRare { $0.rollout = newValue } }
    }
    var examples: Located<ExamplesModel>? {
        get { rare?.values.examples }
        set { changeRare { $0.examples = newValue } }
    }
}

/// What makes a task of a popup.
public enum TriggerModel: Sendable {
    case start
    case manual
    case event(EventTriggerModel)
    case changed(Located<String>)
    /// A word that is no trigger; what it means is known once files are linked.
    case word(String)
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
