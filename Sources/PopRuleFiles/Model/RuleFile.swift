public import PopSource

/// The content of one rule file: its sections, decoded, every value with its place.
///
/// References are names still; conditions are parsed but not checked.
public struct RuleFile: Sendable {
    /// In the order of the file, `main` only when the file declares it.
    public var schedulers: [SchedulerModel] = []
    /// The declared context keys, in the order of the file.
    public var context: [ContextKeyModel] = []
    /// The declared templates, in the order of the file.
    public var templates: [TemplateModel] = []
    /// The declared events, in the order of the file.
    public var events: [EventModel] = []
    /// The named conditions, in the order of the file.
    public var conditions: [NamedConditionModel] = []
    /// The declared groups, in the order of the file.
    public var groups: [GroupModel] = []
    /// The layers that divide the users among experiments, in the order of the file.
    public var layers: [LayerModel] = []
    /// Experiments of several popups, in the order of the file.
    public var experiments: [NamedExperimentModel] = []
    /// The popups, in the order of the file.
    public var popups: [PopupModel] = []
    /// The default values of the file's popups.
    public var defaults: Located<DefaultsModel>?
    /// The caps over several schedulers, in the order of the file.
    public var limits: [Located<SharedLimitModel>] = []
    /// The users who see essential popups only, if the file has a `holdout`.
    public var holdout: Located<HoldoutModel>?
    /// The quiet hours of the file.
    public var quiet: Located<QuietModel>?
    /// The session settings of the file.
    public var session: Located<SessionModel>?
    /// The languages of the file.
    public var locales: Located<LocalesModel>?
    /// True if a section has more entries than the limit, so that nothing of it was read.
    var isRefused = false
    /// True if a condition reads the history of popups.
    var conditionsMentionHistory = false
    /// True if a string appears in several places as a condition.
    var conditionsRepeat = false

    /// A file that declares nothing.
    public init() {}
}

/// The content of all files of a rule set together: each name once, every reference resolved.
public struct RuleModel: Sendable {
    /// The scheduler that always exists.
    public static let mainScheduler = "main"

    /// The files that all of this was read from.
    public let sources: SourceSet
    /// `main` is always first, declared or not.
    public var schedulers = Section<SchedulerModel>()
    /// The context keys of all files.
    public var context = Section<ContextKeyModel>()
    /// The templates of all files.
    public var templates = Section<TemplateModel>()
    /// The events of all files.
    public var events = Section<EventModel>()
    /// The named conditions of all files, which may use each other without cycles.
    public var conditions = Section<NamedConditionModel>()
    /// The groups of all files.
    public var groups = Section<GroupModel>()
    /// The layers that divide the users among experiments, of all files.
    public var layers = Section<LayerModel>()
    /// Experiments of several popups, of all files.
    public var experiments = Section<NamedExperimentModel>()
    /// The popups of all files, in the order in which they were read.
    public var popups = Section<PopupModel>()
    /// The caps over several schedulers, of all files.
    public var limits: [Located<SharedLimitModel>] = []
    /// Which users see essential popups only; nil for none.
    public var holdout: Located<HoldoutModel>?
    /// The times in which popups are not shown; nil if no file has `quiet`.
    public var quiet: Located<QuietModel>?
    /// The settings of when a session begins; nil if no file has `session`.
    public var session: Located<SessionModel>?
    /// The languages; nil if no file has `locales`.
    public var locales: Located<LocalesModel>?
    /// The default values of the popups of each file.
    public var defaults: [Located<DefaultsModel>] = []
    var conditionsMentionHistory = false
    /// True if a string appears in several places as a condition.
    var conditionsRepeat = false

    /// A set that declares nothing, of these files.
    public init(sources: SourceSet) { self.sources = sources }
}
