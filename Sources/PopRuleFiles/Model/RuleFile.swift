public import PopSource

/// What one rule file says: its sections, decoded, every value with its place.
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
    /// What divides the users among experiments, in the order of the file.
    public var layers: [LayerModel] = []
    /// Experiments of several popups, in the order of the file.
    public var experiments: [NamedExperimentModel] = []
    /// The popups, in the order of the file.
    public var popups: [PopupModel] = []
    /// What the popups of the file say that do not say otherwise.
    public var defaults: Located<DefaultsModel>?
    /// How many popups are shown over several schedulers, in the order of the file.
    public var limits: [Located<SharedLimitModel>] = []
    /// Which users see essential popups only, if the file says so.
    public var holdout: Located<HoldoutModel>?
    /// What the file says of quiet hours.
    public var quiet: Located<QuietModel>?
    /// What the file says of sessions.
    public var session: Located<SessionModel>?
    /// What the file says of languages.
    public var locales: Located<LocalesModel>?
    /// Whether a section has more entries than the limit, so that nothing was read of it.
    var isRefused = false
    /// Whether a condition names what the engine knows about popups.
    var conditionsMentionHistory = false
    /// Whether a text stands in several places as a condition.
    var conditionsRepeat = false

    /// A file that declares nothing.
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
    /// What divides the users among experiments, of all files.
    public var layers = Section<LayerModel>()
    /// Experiments of several popups, of all files.
    public var experiments = Section<NamedExperimentModel>()
    /// The popups of all files, in the order in which they were read.
    public var popups = Section<PopupModel>()
    /// How many popups are shown over several schedulers, as all files say.
    public var limits: [Located<SharedLimitModel>] = []
    /// Which users see essential popups only; nil for none.
    public var holdout: Located<HoldoutModel>?
    /// When popups are not shown; nil when no file says anything of that.
    public var quiet: Located<QuietModel>?
    /// When a session begins; nil when no file says anything of that.
    public var session: Located<SessionModel>?
    /// The languages; nil when no file says anything of them.
    public var locales: Located<LocalesModel>?
    /// What the popups of each file say that do not say otherwise.
    public var defaults: [Located<DefaultsModel>] = []
    var conditionsMentionHistory = false
    /// Whether a text stands in several places as a condition.
    var conditionsRepeat = false

    /// A set that declares nothing, of these files.
    public init(sources: SourceSet) { self.sources = sources }
}
