public import PopSource

/// What one rule file says: its sections, decoded, every value with its place.
///
/// References are names still; conditions are parsed but not checked.
public struct RuleFile: Sendable {
    public var schedulers: [SchedulerModel] = []
    public var context: [ContextKeyModel] = []
    public var templates: [TemplateModel] = []
    public var events: [EventModel] = []
    public var conditions: [NamedConditionModel] = []
    public var groups: [GroupModel] = []
    public var popups: [PopupModel] = []
    /// Whether a section has more entries than the limit, so that nothing was read of it.
    var isRefused = false
    /// Whether a condition names what the engine knows about popups.
    var conditionsMentionHistory = false
    /// Whether a text stands in several places as a condition.
    var conditionsRepeat = false

    public init() {}
}

/// What all files of a rule set say together: each name once, every reference known to lead
/// somewhere.
public struct RuleModel: Sendable {
    /// The scheduler that always exists.
    public static let mainScheduler = "main"

    /// The files that all of this was read from.
    public let sources: SourceSet
    /// `main` is always first, declared or not.
    public var schedulers = Section<SchedulerModel>()
    public var context = Section<ContextKeyModel>()
    public var templates = Section<TemplateModel>()
    public var events = Section<EventModel>()
    public var conditions = Section<NamedConditionModel>()
    public var groups = Section<GroupModel>()
    public var popups = Section<PopupModel>()
    var conditionsMentionHistory = false
    /// Whether a text stands in several places as a condition.
    var conditionsRepeat = false

    public init(sources: SourceSet) { self.sources = sources }
}
