// The checks of the group `ref`.
extension Check {
    /// P0201: the same id is defined twice.
    public static let refDuplicateID = Check(
        "P0201", name: "ref/duplicate-id", level: .error, summary: "the same id is defined twice")
    /// P0202: a popup that is named does not exist.
    public static let refUndefinedPopup = Check(
        "P0202", name: "ref/undefined-popup", level: .error,
        summary: "a popup that is named does not exist")
    /// P0203: a scheduler that is named does not exist.
    public static let refUndefinedScheduler = Check(
        "P0203", name: "ref/undefined-scheduler", level: .error,
        summary: "a scheduler that is named does not exist")
    /// P0204: a group that is named does not exist.
    public static let refUndefinedGroup = Check(
        "P0204", name: "ref/undefined-group", level: .error,
        summary: "a group that is named does not exist")
    /// P0205: an event that is named is not declared.
    public static let refUndefinedEvent = Check(
        "P0205", name: "ref/undefined-event", level: .error,
        summary: "an event that is named is not declared")
    /// P0206: a template that is named does not exist.
    public static let refUndefinedTemplate = Check(
        "P0206", name: "ref/undefined-template", level: .error,
        summary: "a template that is named does not exist")
    /// P0207: a context key that is named is not declared.
    public static let refUndefinedKey = Check(
        "P0207", name: "ref/undefined-key", level: .error,
        summary: "a context key that is named is not declared")
    /// P0208: nothing uses the named condition.
    public static let refUnusedCondition = Check(
        "P0208", name: "ref/unused-condition", level: .warning,
        summary: "nothing uses the named condition")
    /// P0209: no popup is in the group.
    public static let refUnusedGroup = Check(
        "P0209", name: "ref/unused-group", level: .warning, summary: "no popup is in the group")
    /// P0210: no condition reads the context key.
    public static let refUnusedKey = Check(
        "P0210", name: "ref/unused-key", level: .info, summary: "no condition reads the context key"
    )
    /// P0211: popups wait for each other or trigger each other, or conditions use each other, in a
    /// circle.
    public static let refCycle = Check(
        "P0211", name: "ref/cycle", level: .error,
        summary:
            "popups wait for each other or trigger each other, or conditions use each other, in a"
            + " circle")
    /// P0212: a context key is the prefix of another.
    public static let refKeyPrefix = Check(
        "P0212", name: "ref/key-prefix", level: .error,
        summary: "a context key is the prefix of another")
    /// P0213: an experiment or a layer that is named does not exist.
    public static let refUndefinedExperiment = Check(
        "P0213", name: "ref/undefined-experiment", level: .error,
        summary: "an experiment or a layer that is named does not exist")
    /// P0214: an action that is named is not declared by the template of its popup.
    public static let refUndefinedAction = Check(
        "P0214", name: "ref/undefined-action", level: .error,
        summary: "an action that is named is not declared by the template of its popup")
    /// P0215: no popup takes the default.
    public static let refUnusedDefault = Check(
        "P0215", name: "ref/unused-default", level: .warning, summary: "no popup takes the default")
    /// P0216: no popup takes part in an experiment, or no experiment is in a layer.
    public static let refUnusedExperiment = Check(
        "P0216", name: "ref/unused-experiment", level: .warning,
        summary: "no popup takes part in an experiment, or no experiment is in a layer")
    /// P0217: `limits` or `quiet` names popups that don't exist.
    public static let refUnusedLimit = Check(
        "P0217", name: "ref/unused-limit", level: .warning,
        summary: "`limits` or `quiet` names popups of which there are none")
}
