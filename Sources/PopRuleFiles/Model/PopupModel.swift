public import PopScheduler
public import PopSource
internal import PopYAML

/// An entry of `popups`. What is not written is nil.
///
/// One reference, so that a popup on its way from file to rule is copied at the cost of one count
/// and not of ten; to constants, because every access to a variable of a class is looked after at
/// run time.
public struct PopupModel: Declaration {
    private final class Keys: Sendable {
        /// As a whole: taking it apart would copy the parts.
        let draft: PopupDraft

        init(_ draft: consuming PopupDraft) { self.draft = draft }
    }

    private let keys: Keys

    /// The draft is consumed: copying it counts ten references.
    init(_ draft: consuming PopupDraft) { keys = Keys(draft) }

    /// Stands where a popup was taken away.
    static let none = PopupModel(
        PopupDraft(name: Located("", at: SourceRange(file: FileID(index: 0), 0..<0))))
}

/// A popup while its keys are read.
struct PopupDraft: Declaration {
    struct Usual: Sendable {
        var name: Located<String>
        var priority: Located<Int>?
        var trigger: Located<[Located<TriggerModel>]>?
        var when: Located<ConditionModel>?
        var untriggered: Located<PopupRule.Untriggered>?
        var `switch`: Located<PopupRule.Switch>?
        var template: Located<String>?
        var content: Located<YAMLNode>?
    }

    struct Rare: Sendable {
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
        var claim: PrecedenceClaim?
    }

    var usual: Usual
    fileprivate private(set) var rareKeys: RareKeys?

    init(name: Located<String>) { usual = Usual(name: name) }

    var name: Located<String> { usual.name }

    var rare: Rare {
        get { rareKeys?.values ?? Rare() }
        set { rareKeys = RareKeys(newValue) }
    }
}

/// What few popups have: behind a reference of its own, so that the others take half the memory.
private final class RareKeys: Sendable {
    let values: PopupDraft.Rare

    init(_ values: PopupDraft.Rare) { self.values = values }
}

extension PopupModel {
    /// The popup's id.
    public var name: Located<String> { keys.draft.usual.name }
    public var priority: Located<Int>? { keys.draft.usual.priority }
    public var trigger: Located<[Located<TriggerModel>]>? { keys.draft.usual.trigger }
    public var when: Located<ConditionModel>? { keys.draft.usual.when }
    public var untriggered: Located<PopupRule.Untriggered>? { keys.draft.usual.untriggered }
    public var `switch`: Located<PopupRule.Switch>? { keys.draft.usual.switch }
    public var template: Located<String>? { keys.draft.usual.template }
    var content: Located<YAMLNode>? { keys.draft.usual.content }
    /// Whether any of the keys below is written.
    var hasRareKeys: Bool { keys.draft.rareKeys != nil }
}

extension PopupModel {
    public var description: Located<String>? { keys.draft.rareKeys?.values.description }
    public var owner: Located<String>? { keys.draft.rareKeys?.values.owner }
    public var scheduler: Located<String>? { keys.draft.rareKeys?.values.scheduler }
    public var group: Located<String>? { keys.draft.rareKeys?.values.group }
    public var tags: Located<[Located<String>]>? { keys.draft.rareKeys?.values.tags }
    public var isEnabled: Located<Bool>? { keys.draft.rareKeys?.values.isEnabled }
    public var after: Located<[Located<String>]>? { keys.draft.rareKeys?.values.after }
    public var delay: Located<Duration>? { keys.draft.rareKeys?.values.delay }
    public var grace: Located<Duration>? { keys.draft.rareKeys?.values.grace }
    public var minShow: Located<Duration>? { keys.draft.rareKeys?.values.minShow }
    public var hideAfter: Located<Duration>? { keys.draft.rareKeys?.values.hideAfter }
    public var dismissWhen: Located<ConditionModel>? { keys.draft.rareKeys?.values.dismissWhen }
    public var maxWait: Located<Duration>? { keys.draft.rareKeys?.values.maxWait }
    public var schedule: Located<ScheduleModel>? { keys.draft.rareKeys?.values.schedule }
    public var cap: Located<CapModel>? { keys.draft.rareKeys?.values.cap }
    public var rollout: Located<RolloutModel>? { keys.draft.rareKeys?.values.rollout }
    var examples: Located<ExamplesModel>? { keys.draft.rareKeys?.values.examples }
    var claim: PrecedenceClaim? { keys.draft.rareKeys?.values.claim }
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
